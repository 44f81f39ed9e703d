import { Option } from '@commander-js/extra-typings'
import { ACTS } from '../../../acts/acts.ts'
import { newId } from '../../../domain/id.ts'
import { address, HOST_KINDS } from '../../../domain/records.ts'
import { type Hint, toRun } from '../../../domain/refusal.ts'
import { EVERY_MS, EVERY_RULE, targetOf } from '../../../domain/sources.ts'
import { hiddenChangelog } from '../../../domain/versions/hidden.ts'
import { refuseImpossible } from '../../../sources/check.ts'
import { CREATE, findSource, sourcesOf } from '../../../transfer/find.ts'
import { choice, interval, productArgument, productOf, teamArgument } from '../../arguments/arguments.ts'
import { reads, withSettings, writes, writingCommand } from '../../command.ts'
import type { Context } from '../../context.ts'
import { listCommand, listed, showCommand, shown, withJson } from '../../record-commands.ts'
import { actor, writing } from '../../session.ts'
import { configFrom } from '../../settings.ts'
import { hiddenNotes, newTeamNotes } from '../../terminal/records.ts'
import { keptJson, keptNote, plain } from '../../terminal/text.ts'
import { lookAt, sourceDraft } from './draft.ts'
import { followText, sourceFields, sourceJson, sourceLines, withChecks } from './report.ts'

export function followCommand(context: Context) {
  const follow = withSettings(
    writingCommand(
      context,
      'follow',
      'keep a changelog up to date with a repository or a file',
      [
        'changelogd follow acme/app https://github.com/acme/app --create --publish',
        'changelogd follow acme/app https://gitlab.com/acme/app --file docs/CHANGELOG.md --ref main',
        'changelogd follow list',
      ],
      DETAILS,
    )
      .helpCommand(false)
      .enablePositionalOptions()
      .usage('[options] <product> <url>\n       changelogd follow [options] [command]')
      .argument('[product]', 'the product, as team/product')
      .argument(
        '[url]',
        'a repository or file: https://…, git@host:path, a path on this machine, or owner/repo on GitHub',
      )
      .option('--file <path>', 'follow this file in the repository')
      .option('--ref <name>', 'branch, tag or commit of the file (default: the default branch)')
      .option('--releases', 'follow releases only')
      .option('--tags', 'follow tags; with --file, take missing dates from them')
      .option(
        '--tag-prefix <text>',
        'follow only tags and releases with this prefix, such as app@ in a monorepo',
      )
      .option('--stable', 'skip pre-releases')
      .addOption(choice('--host-kind <kind>', 'server software, if it cannot be detected', HOST_KINDS))
      .addOption(
        new Option('--every <duration>', `how often to check, ${EVERY_RULE}`)
          .argParser(interval)
          .default(EVERY_MS, '15m'),
      )
      .option('--prune', 'delete published versions that the source no longer has, at most a tenth at once')
      .option('--no-pictures', 'keep the addresses of pictures beside the file, instead of taking them in')
      .option('--no-check', 'save the source without reading it first')
      .option('--create', 'create the product and its team if they do not exist')
      .option('--publish', 'publish the product and its changelog')
      .option('--token-file <file>', 'file with the token for this source'),
    ['follow-private'],
  )
  follow.action(async (first, second, options, command) => {
    const given = first ?? command.error("error: missing required argument 'product'")
    const name = productOf(command, given)
    const url = second ?? command.error("error: missing required argument 'url'")
    const draft = sourceDraft(url, options)
    const config = configFrom(context, options)
    refuseImpossible(draft, config.followPrivate)
    const doubt = options.check ? await lookAt(context, config, draft) : null
    const shown = { 'follow-private': command.getOptionValue('followPrivate') !== undefined }
    await writing(
      context,
      { ...options, creates: options.create === true, begin: CREATE },
      async (records) => {
        const now = context.now()
        const by = actor(context, records)
        const { newTeam, ...found } = await ACTS.findOrCreate.run(by, name, options.create)
        const { product } = options.publish ? await ACTS.publishProduct.run(by, found.product) : found
        const before = await records.sources.find(product)
        const id = newId('src')
        // A different source before is kept for `undo`; for the same one, only its options change.
        const old = before && targetOf(before) !== targetOf(draft) ? before : null
        const what = `the old source of ${address(product)}`
        const replaced = old && { product, source: old, replacedBy: id }
        const kept = replaced && (await ACTS.delete.run(by, { what }, replaced))
        const source = await records.sources.put(product, { ...draft, id, createdAt: now })
        return {
          json: { ...sourceJson({ source, product, check: null }), ...keptJson(kept, options) },
          text: followText(product, source, before),
          notes: [
            ...newTeamNotes(newTeam),
            ...(kept ? [toRun('To go back to the old source', 'undo', [kept.id])] : []),
            ...(doubt === null ? [] : [`Saved, but the source could not be read: ${doubt}`]),
            ...hiddenNotes(hiddenChangelog(product)),
            toRun('To import now', 'sync', [address(product)], shown),
            toRun('To import new releases automatically, run a worker', 'serve', [], {
              worker: true,
              ...shown,
            }),
          ],
        }
      },
    )
  })

  listCommand(follow, 'list sources and their state', 'changelogd follow list acme')
    .addArgument(teamArgument().argOptional())
    .action(
      reads(context, async (records, slug, options) => {
        const all = await withChecks(context, options, await sourcesOf(records, slug))
        const { text, ...list } = listed(context, all, sourceFields, sourceJson, nothing(slug))
        return { ...list, text: [text, ...sourceLines(all, context.now())].join('\n') }
      }),
    )

  showCommand(follow, 'show the source of a product', `${FOLLOWING} changelogd follow show acme/app`)
    .addArgument(productArgument())
    .action(
      reads(context, async (records, name, options) => {
        const found = await findSource(records, name)
        const [one = { ...found, check: null }] = await withChecks(context, options, [found])
        const { json, text } = shown(context, one, sourceFields, sourceJson)
        return { json, text: [text, ...sourceLines([one], context.now())].join('\n') }
      }),
    )

  for (const [verb, paused, done] of [
    ['pause', true, 'is paused'],
    ['resume', false, 'is active again'],
  ] as const)
    writingCommand(
      follow,
      verb,
      `${verb} the source of a product`,
      withJson(`${FOLLOWING} changelogd follow ${verb} acme/app`),
    )
      .addArgument(productArgument())
      .action(
        writes(context, async (records, name) => {
          const { source, product } = await findSource(records, name)
          const updated = await records.sources.update(source, { paused })
          return {
            json: sourceJson({ source: updated, product, check: null }),
            text: `The source of ${address(product)} ${done}: ${plain(source.url)}`,
          }
        }),
      )

  writingCommand(follow, 'remove', 'stop following a source, but keep the changelog', [
    `${FOLLOWING} changelogd follow remove acme/app`,
    `${FOLLOWING} changelogd follow remove acme/app && changelogd undo --last`,
  ])
    .addArgument(productArgument())
    .action((name, options) =>
      writing(context, options, async (records) => {
        const { source, product } = await findSource(records, name)
        const what = `the source of ${address(product)}`
        const kept = await ACTS.delete.run(actor(context, records), { what }, { product, source })
        return {
          json: {
            ...sourceJson({ source, product, check: null }),
            deleted: true,
            ...keptJson(kept, options),
          },
          text: `${address(product)} no longer follows ${plain(source.url)}. Its changelog is unchanged.`,
          notes: kept ? [keptNote(kept)] : [],
        }
      }),
    )
  return follow
}

export const nothing = (team: string | undefined): Hint =>
  toRun(`No sources yet${team === undefined ? '' : ` in ${team}`}. To follow a repository`, 'follow', [
    `${team ?? 'TEAM'}/PRODUCT`,
    'https://github.com/acme/app',
  ])

/** Begins examples that need a source. */
const FOLLOWING = 'changelogd follow acme/app CHANGELOG.md &&'

const DETAILS = `Sources:
  a repository on GitHub,   releases, or CHANGELOG.md if
  GitLab, Forgejo, Gitea    there are none
  any other git server      CHANGELOG.md, or tags if there
                            is none
  https://…/CHANGELOG.md    that file
  /srv/app/CHANGELOG.md     a file or repository here

follow reads the source before it saves it. It refuses a
missing repository or a rejected token. --no-check skips
this. After that, a worker checks the source.

Tokens come from GITHUB_TOKEN, GITLAB_TOKEN, FORGEJO_TOKEN
or --token-file, and are never stored.

`
