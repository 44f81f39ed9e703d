import { addressOfHook, hookCommand, rotateCommand } from '../../../domain/hooks.ts'
import { pictureAddress } from '../../../domain/pictures.ts'
import { isRefusal, Refusal, toRun, withHint } from '../../../domain/refusal.ts'
import { commandLine } from '../../../domain/text/shell.ts'
import { formatInstant } from '../../../domain/time/time.ts'
import { readDeleted } from '../../../formats/native/read.ts'
import type { Records } from '../../../store/records/records.ts'
import { readExport } from '../../../transfer/exports/read-export.ts'
import { bringBack } from '../../../transfer/undo/bring-back.ts'
import { keptFiles } from '../../../transfer/undo/kept-files.ts'
import { commandToUndo, KEPT_DAYS } from '../../../transfer/undo/trash.ts'
import { writingCommand } from '../../command.ts'
import type { Context } from '../../context.ts'
import { type Common, type Outcome, reading, snapshotOf, writing } from '../../session.ts'
import { databaseFrom, trashDirectoryFrom } from '../../settings.ts'
import { event } from '../../terminal/moments.ts'
import { columns, fixed } from '../../terminal/table.ts'
import { plain, sentence } from '../../terminal/text.ts'
import { hookText } from '../hook/shared.ts'
import { withStates } from '../hook/states.ts'
import { limited } from '../import/report.ts'
import { openInput } from '../import/source.ts'

export const undoCommand = (context: Context) =>
  writingCommand(
    context,
    'undo',
    'undo a deletion, or list what can be undone',
    [
      'changelogd undo',
      'changelogd version delete acme/app 0.2.0 --yes && changelogd undo --last',
      'changelogd undo --json',
    ],
    DETAILS,
  )
    .argument('[file]', 'a file from the list (default: show the list)')
    .option('--last', 'undo the last deletion; repeat for earlier ones')
    .action(async (file, { last, ...options }, command) => {
      if (file !== undefined && last) command.error(`error: --last takes no file; remove '${file}'`)
      if (file === undefined && !last)
        return reading(context, options, (records) => list(context, options, records))
      const chosen = file ?? (await newest(context, options))
      using input = await openInput(context, chosen).catch(refuseFile)
      const source = await readExport(input).catch(refuseFile)
      const deleted = await readDeleted(input.chunks())
      if (!deleted)
        throw new Refusal(`${chosen} is an export, not a deletion.`, {
          hint: toRun('To import it', 'import --all', [chosen]),
        })
      await writing(context, options, async (records) => {
        const { lostKeys, hooks } = await bringBack(records, source, deleted, context.now())
        const gone = await records.pictures.gone(deleted.ids)
        const renamed = hooks.find(({ id, isRenamed }) => isRenamed && deleted.ids.includes(id))
        return {
          json: {
            ...{ restored: deleted.what, file: chosen, lostKeys, hooks: hooks.map(({ id }) => id) },
            ...(gone.length > 0 && { picturesGone: gone }),
          },
          text: `Restored ${plain(deleted.what)}${renamed ? ` as ${addressOfHook(renamed)}` : ''}.`,
          notes: [
            ...limited(
              gone,
              (id) => `${pictureAddress(id)} is gone: it was removed, or no version showed it for 30 days.`,
            ),
            ...lostKeys.map((id) => `Key ${id} could read it, but no longer exists.`),
            ...(await withStates(context, options, hooks)).map((hook) => ({
              text: `${sentence(`${hookText(hook)} is disabled`)} To enable it`,
              command: [...(hook.needsSecret ? [rotateCommand(hook)] : []), hookCommand('enable', hook)]
                .map(commandLine)
                .join(', then '),
            })),
          ],
        }
      })
    })

const DETAILS = `Deleted records, and versions changed by import --overwrite,
are kept for ${KEPT_DAYS} days in TRASH_DIR (default: the directory
trash next to the database).

`

function refuseFile(error: unknown): never {
  throw isRefusal(error) ? withHint(error, toRun('To list what can be undone', 'undo')) : error
}

async function list(context: Context, options: Common, records: Records): Promise<Outcome> {
  const kept = await keptIn(context, options, records)
  const rows = kept.map(({ path, at, deleted }) => [
    event(at, context.now()),
    plain(deleted.what),
    fixed(commandToUndo(path, options)),
  ])
  return {
    json: kept.map(({ path, at, deleted }) => ({
      deleted: deleted.what,
      deletedAt: formatInstant(at),
      file: path,
      undo: commandToUndo(path, options),
    })),
    text: columns(context, rows).join('\n'),
    notes: kept.length > 0 ? [] : [NOTHING],
  }
}

const NOTHING = 'Nothing to undo.'

async function newest(context: Context, options: Common): Promise<string> {
  const [first] = await snapshotOf(context, options, (records) => keptIn(context, options, records))
  if (!first) throw new Refusal(NOTHING, { kind: 'not_found' })
  return first.path
}

function keptIn(context: Context, { db }: Common, records: Records) {
  const address = databaseFrom(context, db)
  return keptFiles(records, address, trashDirectoryFrom(context, address))
}
