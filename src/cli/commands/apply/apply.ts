import { NONE } from '../../../domain/addresses/repository.ts'
import type { Records } from '../../../store/records/types.ts'
import type { Deletion } from '../../../transfer/deletion.ts'
import { type Kept, keptNote, type Trash, withTrash } from '../../../transfer/trash/trash.ts'
import { writingCommand, yesOption } from '../../command.ts'
import type { Context } from '../../context.ts'
import { readText } from '../../files.ts'
import {
  committed,
  confirmed,
  type Outcome,
  print,
  refuseIfChanged,
  trashOf,
  withStore,
} from '../../session.ts'
import { type Paint, paintFor } from '../../terminal/color.ts'
import { columns } from '../../terminal/table.ts'
import { deletionText, holdingsText, plain, plural } from '../../terminal/text.ts'
import { MOST_BYTES, readApplyFile, SPLIT } from './file.ts'
import { HookChanges } from './hook-changes.ts'
import type { Step } from './step.ts'
import { applyTeams } from './teams.ts'

export const applyCommand = (context: Context) =>
  writingCommand(
    context,
    'apply',
    'set up teams, products, keys, hooks and what is followed from a YAML file',
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
      'delete teams that are not in the file, and products, keys and hooks that are missing from its sections',
    )
    .addOption(yesOption())
    .action(async (path, options) => {
      const teams = readApplyFile(await readText(context, path, MOST_BYTES, SPLIT), path)
      const prune = options.prune === true
      await withStore(context, { ...options, creates: true }, async (store) => {
        const now = context.now()
        let hooks = new HookChanges(context, options)
        const apply = (records: Records) => {
          hooks = new HookChanges(context, options)
          return applyTeams(records, teams, { path, prune, now, hooks })
        }
        const isStopped = teams.some(({ products }) => products?.some(({ follow }) => follow?.url === NONE))
        const isPlanned = options.dryRun || prune || isStopped
        const steps = isPlanned ? await store.transaction(apply, { commit: false }) : []
        const planned = steps.map(withoutSecrets)
        if (options.dryRun) return print(context, options, outcome(context, planned, true))
        const warning = deletions(planned)
        if (warning !== null) await confirmed(context, options, warning)
        let hasHooks = false
        const done = await withTrash(trashOf(context, options), (trash, settle) =>
          committed(context, options, store, async (records) => {
            const kept = await keep(records, planned, trash)
            const steps = await apply(records)
            refuseIfChanged(warning, deletions(steps))
            await settle()
            await hooks.write(now)
            hasHooks = steps.some(({ record }) => record === 'hook')
            return outcome(context, steps, false, kept)
          }),
        )
        if (hasHooks) await hooks.begin(store, now)
        await print(context, options, done)
      })
    })

/** Keeps deleted teams, products, sources and hooks in the trash. Keys are not kept: a deleted key never works again. */
async function keep(records: Records, steps: readonly Step[], trash: Trash): Promise<Kept | null> {
  const pending: Deletion[] = []
  for (const { action, record, name, id } of steps) {
    if (action !== 'delete') continue
    const [slug = '', productSlug = ''] = name.split('/')
    const team = record === 'team' && (await records.teams.find(slug))
    const product = await records.products.find(slug, productSlug)
    const hook = id === undefined ? null : await records.hooks.find(id)
    const source = record === 'source' && product && (await records.sources.find(product))
    if (team) pending.push({ team })
    if (product && record === 'product') pending.push({ product })
    if (product && source) pending.push({ product, source })
    if (hook) pending.push({ hook })
  }
  const [first, ...others] = pending
  if (!first) return null
  const what = `${plural(pending.length, 'record')} that apply deleted`
  return trash.keep(records, what, [first, ...others])
}

function outcome(context: Context, steps: Step[], dryRun: boolean, kept: Kept | null = null): Outcome {
  const tokens = steps.flatMap((step) => (step.token ? [[step.name, step.token]] : []))
  const secrets = steps.flatMap((step) => (step.secret ? [[step.name, step.secret]] : []))
  const would = dryRun ? 'would change' : 'changed'
  const shown = { tokens: columns(context, tokens), secrets: columns(context, secrets) }
  const parts = [
    columns(
      context,
      steps.map((step) => row(paintFor(context), step)),
    ).join('\n'),
    steps.length === 0
      ? 'Nothing to change: the database matches the file.'
      : `${plural(steps.length, 'record')} ${would}.`,
    tokens.length === 0
      ? ''
      : ['Save the new tokens now: they are not stored and cannot be shown again.', ...shown.tokens].join(
          '\n',
        ),
    secrets.length === 0
      ? ''
      : [
          'Save the new secrets now: they verify signatures, and cannot be shown again.',
          ...shown.secrets,
        ].join('\n'),
  ]
  return {
    json: { dryRun, steps, ...kept },
    text: parts.filter((part) => part !== '').join('\n'),
    notes: kept ? [keptNote(kept)] : [],
    ...(tokens.length + secrets.length > 0 && { once: [...shown.tokens, ...shown.secrets].join('\n') }),
  }
}

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

/** What the steps delete, a line each; null if nothing. */
function deletions(steps: readonly Step[]): string | null {
  // What a product follows is no content.
  const lost = steps.filter(({ action, record }) => action === 'delete' && record !== 'source')
  return lost.length > 0 ? lost.map(deletion).join('\n') : null
}

function deletion({ record, name, held, id }: Step): string {
  const what = `${record} ${plain(name)}`
  return held ? deletionText(what, held) : `This deletes ${what}${id === undefined ? '' : ` (${id})`}.`
}

/** A dry run creates nothing, so what it would show does not work. */
const withoutSecrets = ({ token: _, secret: __, id, ...step }: Step): Step =>
  id === undefined || step.action === 'create' ? step : { ...step, id }

const FORM = `The file (everything but the names is optional):

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
        - { kind: slack, urlFile: slack.txt }

`
