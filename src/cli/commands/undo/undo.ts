import { ACTS } from '../../../acts/acts.ts'
import { addressOfHook, hookCommand, rotateCommand } from '../../../domain/hooks.ts'
import { pictureAddress } from '../../../domain/pictures.ts'
import { REASONS } from '../../../domain/reasons.ts'
import { commandLine } from '../../../domain/text/shell.ts'
import { formatInstant } from '../../../domain/time/time.ts'
import { KEPT_DAYS } from '../../../store/records/kept.ts'
import type { Records } from '../../../store/records/records.ts'
import { findKept, keptStates, newestKept } from '../../../transfer/undo/keep.ts'
import { writingCommand } from '../../command.ts'
import type { Context } from '../../context.ts'
import { actor, type Common, type Outcome, reading, writing } from '../../session.ts'
import { event } from '../../terminal/moments.ts'
import { columns, fixed } from '../../terminal/table.ts'
import { commandToUndo, plain, sentence } from '../../terminal/text.ts'
import { hookText } from '../hook/shared.ts'
import { withStates } from '../hook/states.ts'
import { limited } from '../import/report.ts'

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
    .argument('[id]', 'an id from the list (default: show the list)')
    .option('--last', 'undo the last deletion; repeat for earlier ones')
    .action(async (id, { last, ...options }, command) => {
      if (id !== undefined && last) command.error(`error: --last takes no id; remove '${id}'`)
      if (id === undefined && !last)
        return reading(context, options, (records) => list(context, options, records))
      await writing(context, { ...options, derives: true }, async (records) => {
        const find = (from: Records) => (id === undefined ? newestKept(from) : findKept(from, id))
        const restored = await ACTS.restore.run(actor(context, records), find)
        const { kept, lostKeys, hooks, picturesGone: gone } = restored
        const { ids, what } = kept.head
        const renamed = hooks.find(({ id, isRenamed }) => isRenamed && ids.includes(id))
        return {
          json: {
            ...{ restored: what, kept: kept.id, lostKeys, hooks: hooks.map(({ id }) => id) },
            ...(gone.length > 0 && { picturesGone: gone }),
          },
          text: `Restored ${plain(what)}${renamed ? ` as ${addressOfHook(renamed)}` : ''}.`,
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
are kept in the database for ${KEPT_DAYS} days. To keep nothing,
delete with --forget.

`

async function list(context: Context, options: Common, records: Records): Promise<Outcome> {
  const states = (await keptStates(records)).map((kept) => ({ ...kept, undo: commandToUndo(kept, options) }))
  const rows = states.map(({ at, head, undo }) => [event(at, context.now()), plain(head.what), fixed(undo)])
  return {
    json: states.map(({ id, at, head, who, undo }) => ({
      deleted: head.what,
      deletedAt: formatInstant(at),
      by: who,
      kept: id,
      undo,
    })),
    text: columns(context, rows).join('\n'),
    notes: states.length > 0 ? [] : [REASONS.nothingKept],
  }
}
