import { ACTS } from '../../../acts/acts.ts'
import { plural } from '../../../domain/text/plural.ts'
import type { Records } from '../../../store/records/records.ts'
import { deleteRecords, type Kept } from '../../../transfer/undo/keep.ts'
import { writingCommand, yesOption } from '../../command.ts'
import type { Context } from '../../context.ts'
import { readText } from '../../files.ts'
import { actor, type Common, committed, confirmed, print, refuseIfChanged, withStore } from '../../session.ts'
import { configFrom } from '../../settings.ts'
import { type Paint, paintFor } from '../../terminal/color.ts'
import { columns } from '../../terminal/table.ts'
import { deletionText, holdingsText, keptJson, keptNote, plain } from '../../terminal/text.ts'
import { MOST_APPLY_BYTES, readApplyFile, SPLIT } from './file.ts'
import { HookChanges, type Step } from './step.ts'
import { type Applying, applyTeams } from './teams.ts'

export const applyCommand = (context: Context) =>
  writingCommand(
    context,
    'apply',
    'set up teams, products, keys, hooks and sources from a YAML file',
    [
      'changelogd apply changelogd.yml --dry-run',
      'changelogd apply changelogd.yml',
      'changelogd apply changelogd.yml --prune --yes',
    ],
    FORM,
  )
    .argument('<file.yml>', 'the file, or - for standard input')
    .option('--dry-run', 'show what would change, change nothing')
    .option(
      '--prune',
      'delete teams, products, keys and hooks that are not in the file; a missing section deletes nothing',
    )
    .addOption(yesOption())
    .action(async (path, options) => {
      const file = readApplyFile(await readText(context, path, MOST_APPLY_BYTES, SPLIT), path)
      const prune = options.prune === true
      await withStore(context, { ...options, creates: true }, async (store) => {
        const now = context.now()
        let hooks = new HookChanges(context, options)
        const followPrivate = () => configFrom(context, { db: options.db }).followPrivate
        const apply = (records: Records, drop: Applying['drop']) => {
          hooks = new HookChanges(context, options)
          return applyTeams(actor(context, records), file, { prune, hooks, followPrivate, drop })
        }
        const plan = () =>
          store.transaction((records) => apply(records, (lost) => deleteRecords(records, null, lost)), {
            commit: false,
          })
        const planned = options.dryRun || prune ? (await plan()).map(withoutSecrets) : []
        if (options.dryRun) return print(context, options, outcome(context, options, planned, true))
        const warning = deletions(planned)
        if (warning !== null) await confirmed(context, options, warning)
        let hasHooks = false
        const done = await committed(context, options, store, async (records) => {
          let kept: Kept | null = null
          const steps = await apply(records, async (lost) => {
            const what = `${plural(lost.length, 'record')} deleted or replaced by apply`
            kept = await ACTS.delete.run(actor(context, records), { what }, ...lost)
          })
          refuseIfChanged(warning, deletions(steps))
          await hooks.write(now)
          hasHooks = steps.some(({ record }) => record === 'hook')
          return outcome(context, options, steps, false, kept)
        })
        if (hasHooks) await hooks.begin(store, now)
        await print(context, options, done)
      })
    })

function outcome(
  context: Context,
  options: Common,
  steps: Step[],
  dryRun: boolean,
  kept: Kept | null = null,
) {
  const shown = steps.flatMap(({ name, token, secret = token }) => (secret ? [[name, secret]] : []))
  const secrets = columns(context, shown)
  const rows = steps.map((step) => row(paintFor(context), step))
  const text = [
    ...columns(context, rows),
    steps.length === 0
      ? 'Nothing to change: the database matches the file.'
      : `${plural(steps.length, 'record')} ${dryRun ? 'would change' : 'changed'}.`,
    ...(secrets.length > 0 ? [SAVE, ...secrets] : []),
  ].join('\n')
  return {
    json: { dryRun, steps, ...keptJson(kept, options) },
    text,
    notes: kept ? [keptNote(kept)] : [],
    ...(secrets.length > 0 && { once: secrets.join('\n') }),
  }
}

const SAVE = 'Save the new key tokens and hook secrets now. They cannot be shown again.'

function row(paint: Paint, step: Step): string[] {
  const sign = { create: paint.green('+'), update: paint.yellow('~'), delete: paint.yellow('-') }[step.action]
  const changes = Object.entries(step.changes).map(([field, { from, to }]) =>
    from === null ? `${field} ${plain(to ?? 'none')}` : `${field} ${plain(from)} → ${plain(to ?? 'none')}`,
  )
  const held = step.held ? [holdingsText(step.held)] : []
  const id = step.action === 'delete' && step.id !== undefined ? [step.id] : []
  const notes = step.note ? [`(${step.note})`] : []
  return [sign, step.record, step.name, [[...id, ...changes, ...held].join(', '), ...notes].join(' ')]
}

/** The deletions of the steps, a line each; null if there are none. */
function deletions(steps: readonly Step[]): string | null {
  // Sources are not content.
  const lost = steps.filter(({ action, record }) => action === 'delete' && record !== 'source')
  const lines = lost.map(({ record, name, held, id }) => {
    const what = `${record} ${plain(name)}`
    return held ? deletionText(what, held) : `This deletes ${what}${id === undefined ? '' : ` (${id})`}.`
  })
  return lines.length > 0 ? lines.join('\n') : null
}

/** A dry run creates nothing, so new tokens, secrets and ids would not work. */
const withoutSecrets = ({ token: _, secret: __, id, ...step }: Step): Step =>
  id === undefined || step.action === 'create' ? step : { ...step, id }

const FORM = `The file (only the names are required):

  teams:
    acme:
      name: Acme
      visibility: public
      plan: paid
      products:
        app:
          name: App
          status: published
          repository: https://github.com/acme/app
          language: de
          changelog: { status: published }
          follow: { url: https://github.com/acme/app }
      keys:
        ci: { kind: FULL }
        docs:
          kind: SELECT
          products: [app]
          expires: 2030-01-01
      hooks:
        - { url: https://example.org/hooks, product: app }
        - { kind: slack, name: news, urlFile: slack.txt }

`
