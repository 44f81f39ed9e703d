import type { Records } from '../../../store/records/port.ts'
import { verb } from '../../command.ts'
import type { Context } from '../../context.ts'
import { readText } from '../../files.ts'
import { confirmed, type Outcome, print, withStore } from '../../session.ts'
import { columns, counted, type Paint, paintFor, plain } from '../../terminal/terminal.ts'
import { readApplyFile } from './file.ts'
import type { Step } from './step.ts'
import { applyTeams } from './teams.ts'

export const applyCommand = (context: Context) =>
  verb(context, 'apply', 'make teams, products and keys as a file says', [
    'changelogd apply changelogd.yml --dry-run',
    'changelogd apply changelogd.yml',
    'changelogd apply changelogd.yml --prune --yes',
  ])
    .argument('<file.yml>', 'the file, or - for standard input')
    .option('--dry-run', 'only show what would change')
    .option('--prune', 'delete the teams that the file does not name, and what its sections do not name')
    .option('-y, --yes', 'do not ask')
    .addHelpText('before', FORM)
    .action(async (path, options) => {
      const teams = readApplyFile(await readText(path))
      const prune = options.prune === true
      await withStore(context, options, async (store) => {
        const apply = (records: Records) => applyTeams(records, teams, prune, context.now())
        const isPlanned = options.dryRun || prune
        const steps = isPlanned ? await store.transaction(apply, { commit: false }) : []
        const planned = steps.map(withoutToken)
        if (options.dryRun) return print(context, options, outcome(paintFor(context), planned, true))
        const lost = planned.filter((step) => step.action === 'delete')
        if (lost.length > 0)
          await confirmed(context, options, `This deletes ${lost.map((step) => step.name).join(', ')}.`)
        const done = await store.transaction(apply)
        print(context, options, outcome(paintFor(context), done, false))
      })
    })

function outcome(paint: Paint, steps: Step[], dryRun: boolean): Outcome {
  const tokens = steps.flatMap((step) => (step.token ? [[step.name, step.token]] : []))
  const would = dryRun ? 'would change' : 'changed'
  const parts = [
    columns(steps.map((step) => row(paint, step))).join('\n'),
    steps.length === 0 ? 'Everything is as the file says.' : `${counted(steps.length, 'record')} ${would}.`,
    tokens.length === 0
      ? ''
      : ['The new tokens, kept nowhere and never shown again:', ...columns(tokens)].join('\n'),
  ]
  return { json: { dryRun, steps }, text: parts.filter((part) => part !== '').join('\n') }
}

function row(paint: Paint, step: Step): string[] {
  const sign = { create: paint.green('+'), update: paint.yellow('~'), delete: paint.yellow('-') }[step.action]
  const changes = Object.entries(step.changes).map(([field, { from, to }]) =>
    from === null ? `${field} ${plain(to ?? 'none')}` : `${field} ${plain(from)} → ${plain(to ?? 'none')}`,
  )
  return [sign, step.record, step.name, changes.join(', ')]
}

/** A token of a key that was never made opens nothing: it is not shown. */
const withoutToken = ({ token: _, ...step }: Step): Step => step

const FORM = `The file, in which everything but the names may be left out:

  teams:
    acme:
      name: Acme
      visibility: public
      plan: paid
      products:
        app: { name: App, status: published, changelog: { status: published } }
      keys:
        ci: { kind: FULL }
        docs: { kind: SELECT, products: [app], expires: 2030-01-01 }
`
