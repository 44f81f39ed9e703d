import { dirname, join } from 'node:path'
import { isPostgres } from '../../../domain/addresses/database.ts'
import { nullIf } from '../../../domain/errors.ts'
import { addressOfHook, hookCommand, rotateCommand } from '../../../domain/hooks.ts'
import { isId } from '../../../domain/id.ts'
import type { Instant } from '../../../domain/records.ts'
import { isRefusal, Refusal, toRun, withHint } from '../../../domain/refusal.ts'
import { commandLine } from '../../../domain/text/shell.ts'
import { formatInstant } from '../../../domain/time/time.ts'
import { readDeleted } from '../../../formats/native/read.ts'
import type { Deleted } from '../../../formats/native/records.ts'
import { FormatError } from '../../../formats/parsed.ts'
import type { Records } from '../../../store/records/records.ts'
import { bringBack } from '../../../transfer/undo/bring-back.ts'
import { stateOf } from '../../../transfer/undo/deletion.ts'
import { commandToUndo, isFrom, KEPT_DAYS, trashFiles } from '../../../transfer/undo/trash.ts'
import { writingCommand } from '../../command.ts'
import type { Context } from '../../context.ts'
import { readChunks } from '../../files.ts'
import { type Common, type Outcome, reading, snapshotOf, writing } from '../../session.ts'
import { databaseFrom, trashDirectoryFrom } from '../../settings.ts'
import { event } from '../../terminal/moments.ts'
import { columns, fixed } from '../../terminal/table.ts'
import { plain, sentence } from '../../terminal/text.ts'
import { hookText } from '../hook/shared.ts'
import { withStates } from '../hook/states.ts'
import { openInput, readExport } from '../import/source.ts'

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
        const renamed = hooks.find(({ id, isRenamed }) => isRenamed && deleted.ids.includes(id))
        return {
          json: { restored: deleted.what, file: chosen, lostKeys, hooks: hooks.map(({ id }) => id) },
          text: `Restored ${plain(deleted.what)}${renamed ? ` as ${addressOfHook(renamed)}` : ''}.`,
          notes: [
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

/** The file is missing, or was not written by a deletion. */
function refuseFile(error: unknown): never {
  throw isRefusal(error) ? withHint(error, toRun('To list what can be undone', 'undo')) : error
}

async function list(context: Context, options: Common, records: Records): Promise<Outcome> {
  const kept = await keptFiles(context, options, records)
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
  const [first] = await snapshotOf(context, options, (records) => keptFiles(context, options, records))
  if (!first) throw new Refusal(NOTHING, { kind: 'not_found' })
  return first.path
}

/** Records deleted from this database that do not exist, newest first; of repeated deletions, the last copy. */
async function keptFiles(context: Context, { db }: Common, records: Records) {
  const address = databaseFrom(context, db)
  const kept: { path: string; at: Instant; deleted: Deleted }[] = []
  const seen = new Set<string>()
  /** Sources that gave way when undo brought back those that they had replaced. */
  const undone = new Set<string>()
  for (const file of trashFiles(...trashDirectories(context, address))) {
    const deleted = await deletedIn(file.path)
    if (!deleted || !(await isFrom(records, address, file.path, deleted))) continue
    const { ids, overwritten } = deleted
    // One id tells: everything in a file is restored, or nothing. Overwritten versions exist, so their content tells.
    const isBack = overwritten
      ? (await stateOf(records, overwritten.product, ids)) !== overwritten.state
      : await records.transfer.exists(ids[0] ?? '')
    if (isBack) {
      for (const id of ids) if (isId('src', id) && !(await records.transfer.exists(id))) undone.add(id)
      continue
    }
    const key = ids.join(' ')
    if (key === '' || !seen.has(key)) kept.push({ ...file, deleted })
    seen.add(key)
  }
  return kept.filter(({ deleted }) => !undone.has(deleted.ids[0] ?? ''))
}

/** The trash, and the one next to a link to the database, or from before `TRASH_DIR` was set. */
const trashDirectories = (context: Context, database: string): string[] => [
  trashDirectoryFrom(context, database),
  ...(isPostgres(database) ? [] : [join(dirname(database), 'trash')]),
]

/** Reads what a file keeps; null if it lacks its first line. */
const deletedIn = (path: string): ReturnType<typeof readDeleted> =>
  readDeleted(readChunks(path)).catch(nullIf((error) => error instanceof FormatError))
