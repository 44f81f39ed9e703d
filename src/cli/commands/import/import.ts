import { ACTS } from '../../../acts/acts.ts'
import type { Import } from '../../../acts/importing.ts'
import { VERSION_STATUSES } from '../../../domain/records.ts'
import type { Command } from '../../../domain/text/shell.ts'
import { FORMATS, type Format } from '../../../formats/detect.ts'
import type { Records } from '../../../store/records/records.ts'
import { readExport } from '../../../transfer/exports/read-export.ts'
import { CREATE } from '../../../transfer/find.ts'
import type { ImportResult } from '../../../transfer/import-result.ts'
import { prune } from '../../../transfer/prune.ts'
import { choice, productOf } from '../../arguments/arguments.ts'
import { writingCommand, yesOption } from '../../command.ts'
import type { Context } from '../../context.ts'
import { actor, confirmed, print, refuseIfChanged, withStore } from '../../session.ts'
import { databaseFrom, picturesMaxFrom } from '../../settings.ts'
import { importOutcome, LEFT_OUT, refuseLeftOut } from './report.ts'
import { inputOf, openInput, readSource, type SourceOptions } from './source.ts'

export const importCommand = (context: Context) =>
  writingCommand(
    context,
    'import',
    'import a changelog from a file, a folder, git tags or commits',
    [
      'changelogd import acme/app CHANGELOG.md --create --publish',
      'changelogd import acme/app CHANGELOG.md --dry-run',
      'changelogd import --all everything.jsonl',
    ],
    FORMATS_HELP,
  )
    .usage(
      '[options] <product> <file>\n       changelogd import [options] <product> --git <path>\n       changelogd import --all [options] <file>',
    )
    .argument('[product]', 'the product, as team/product (leave out with --all)')
    .argument('[file]', 'a file or a .changeset folder, or - for standard input')
    .option('--git <path>', 'import the tags of the git repository at this path')
    .option('--commits', 'with --git: create the changes of each version from commits')
    .option('--unreleased', 'with --commits: also create an Unreleased draft from commits after the last tag')
    .option('--path <path>', 'with --commits: only commits that change this directory or file')
    .option('--tag-prefix <prefix>', 'with --git: only tags with this prefix, such as app@')
    .option('--dates-from <path>', 'take missing dates from the tags of the git repository at this path')
    .option('--all', 'import a file made with export --all')
    .addOption(
      choice('--format <format>', 'format of the file', ['auto', ...FORMATS]).default('auto' as const),
    )
    .addOption(
      choice(
        '--status <status>',
        'status of new versions; published also publishes imported drafts that nobody edited',
        VERSION_STATUSES,
      ).default(undefined, 'as in the file'),
    )
    .option('--create', 'create the product and its team if they do not exist')
    .option('--publish', 'publish the product and its changelog; for versions, use --status')
    .option('--dry-run', 'show what would happen to each version, change nothing')
    .option('--prune', 'delete published versions that are not in the file; scripts also need --yes')
    .option('--prune-drafts', 'like --prune, but also delete drafts')
    .option('--no-pictures', 'keep the addresses of pictures beside the file, instead of taking them in')
    .option('--overwrite', 'replace manual corrections with the file; undo restores them')
    .addOption(yesOption())
    .action(async (first, second, { all, dryRun, format, git, ...options }, command) => {
      const { datesFrom } = options
      const [product, path] = all ? [undefined, first] : [first, second]
      if (all && second !== undefined) command.error(`error: --all takes only a file; remove '${first}'`)
      for (const name of ['status', 'create', 'publish'] as const)
        if (all && options[name]) command.error(`error: --all does not take --${name}`)
      if (all && format !== 'auto' && format !== 'json')
        command.error(`error: --all reads exports of changelogd; remove --format ${format}`)
      if (!all && product === undefined) command.error("error: missing required argument 'product'")
      if (git !== undefined) {
        if (all) command.error('error: --all does not take --git')
        if (path !== undefined) command.error(`error: --git takes no file; remove '${path}'`)
        if (format !== 'auto') command.error(`error: --git has its own format; remove --format ${format}`)
      }
      const chosen = { git, ...options }
      for (const [option, flag, needed] of DEPENDENT)
        if (chosen[option] !== undefined && chosen[needed] === undefined)
          command.error(`error: ${flag} needs --${needed}`)
      if (datesFrom !== undefined && (all || git !== undefined))
        command.error(`error: ${all ? '--all' : '--git'} does not take --dates-from`)
      const name = product === undefined ? null : productOf(command, product)
      const place = git ?? path ?? command.error("error: missing required argument 'file'")
      // Read to its end before the database is locked: a slow sender delays no other command.
      using input = git === undefined ? await openInput(context, place) : inputOf(place, 'repository')
      const publishing =
        product === undefined
          ? undefined
          : publishingCommand(product, place, { format, datesFrom, pictures: options.pictures })
      const picturesMaxBytes = picturesMaxFrom(context)
      const importOptions = { ...options, dryRun, publishing, picturesMaxBytes, now: context.now() }
      const database = databaseFrom(context, options.db)
      const source = name && (await readSource(context, input, { ...options, format }, database))
      const given: Import =
        name && source ? { of: name, source } : { of: null, source: await readExport(input) }
      const work = (records: Records) => ACTS.import.run(actor(context, records), given, importOptions)
      const creates = name === null || options.create === true
      const derives = !dryRun && (source === null || source.format === 'json')
      await withStore(context, { ...options, dryRun, creates, derives, begin: CREATE }, async (store) => {
        // With --yes nothing is asked, and the result has the number of deleted versions.
        const isAsked = (options.prune || options.pruneDrafts) && !options.yes && !dryRun
        const planned = isAsked ? await store.transaction(work, { commit: false }) : null
        const warning = planned && deletion(planned, input.name)
        if (warning) await confirmed(context, options, warning)
        const { result, kept } = await store.transaction(
          async (records) => {
            const result = await work(records)
            if (planned) refuseIfChanged(warning, deletion(result, input.name))
            const kept = dryRun ? null : await prune(records, result, 'import --prune', importOptions.now)
            return { result, kept }
          },
          { commit: !dryRun },
        )
        await print(context, options, importOutcome(context, result, input.name, importOptions, kept))
        refuseLeftOut(input.name, result.leftOut)
      })
    })

/** The command that makes drafts without a date public: this import with a status. */
const publishingCommand = (
  product: string,
  path: string,
  { format, datesFrom, pictures }: SourceOptions,
): Command => ({
  name: 'import',
  args: [product, path],
  options: {
    format: format === 'auto' ? null : format,
    'dates-from': datesFrom ?? null,
    'no-pictures': pictures ? null : true,
    status: 'published',
  },
})

/** Options that say how another one is read. */
const DEPENDENT = [
  ['commits', '--commits', 'git'],
  ['tagPrefix', '--tag-prefix', 'git'],
  ['unreleased', '--unreleased', 'commits'],
  ['path', '--path', 'commits'],
] as const

/** The deletions of `--prune` as a sentence; null if there are none. */
function deletion({ pruned }: ImportResult, name: string): string | null {
  if (pruned === 0) return null
  const versions = pruned === 1 ? 'version that is' : 'versions that are'
  return `This deletes ${pruned.toLocaleString('en')} ${versions} not in ${name}.`
}

const FORMAT_MEANINGS: Record<Format, string> = {
  keepachangelog: 'CHANGELOG.md, .rst or text such as NEWS',
  github: 'JSON from its releases API',
  gitlab: 'JSON from its releases API',
  changesets: 'a .changeset folder: one Unreleased draft',
  rush: 'CHANGELOG.json of Rush and beachball',
  debian: 'debian/changelog',
  json: 'changelogd exports (.jsonl, .json)',
}

const FORMATS_HELP = `Formats:
${FORMATS.map((format) => `  ${format.padEnd(14)}  ${FORMAT_MEANINGS[format]}`).join('\n')}

Drafts:
  "Unreleased"    always a draft
  no date         a draft if only the newest version has
                  none; --status published publishes it
  future date     scheduled for that date (midnight UTC, at
                  least 14 hours away)

Manual corrections since the last import:
  json            replaced by the file
  other formats   kept and listed; --overwrite replaces them

${LEFT_OUT}`
