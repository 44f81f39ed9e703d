import { ACTS } from '../../acts/acts.ts'
import { pick } from '../../domain/objects.ts'
import { PLANS, type Team, VISIBILITIES } from '../../domain/records.ts'
import { toRun } from '../../domain/refusal.ts'
import { findTeam } from '../../transfer/find.ts'
import { choice, orNone, subscribeOption, teamArgument } from '../arguments/arguments.ts'
import {
  commandGroup,
  deletes,
  forgetOption,
  namedValues,
  reads,
  writes,
  writingCommand,
  yesOption,
} from '../command.ts'
import type { Context } from '../context.ts'
import { deleteCommand, listCommand, listed, showCommand, shown } from '../record-commands.ts'
import { actor, renaming, writing } from '../session.ts'
import { teamJson, teamSummaryJson } from '../terminal/json.ts'
import { teamFields } from '../terminal/records.ts'
import { deletionText, plain } from '../terminal/text.ts'

const visibility = () => choice('--visibility <who>', 'public teams can be read without a key', VISIBILITIES)
const plan = () =>
  choice('--plan <plan>', 'only teams on the paid plan can create keys; you set the plan yourself', PLANS)

export function teamCommand(context: Context) {
  const team = commandGroup(context, 'team', 'manage teams, which own products and keys', [
    'changelogd team create globex --name Globex --visibility public',
    'changelogd team list',
  ])

  writingCommand(team, 'create', 'create a team', [
    'changelogd team create globex',
    'changelogd team create globex --name "Globex Corporation" --visibility public --plan paid',
  ])
    .argument('<team>', 'slug of the new team, used in URLs')
    .option('--name <text>', 'display name (default: the slug)')
    .addOption(visibility().default('private' as const))
    .addOption(plan().default('free' as const))
    .addOption(subscribeOption('site'))
    .action(
      writes(
        context,
        async (records, slug, { name = slug, ...options }) => {
          const subscribeUrl = orNone(options.subscribeUrl) ?? null
          const draft = { slug, name, ...pick(options, 'visibility', 'plan'), subscribeUrl }
          const team = await ACTS.createTeam.run(actor(context, records), draft)
          return { json: teamJson(team), text: `Created ${teamText(team)}.` }
        },
        { creates: true },
      ),
    )

  listCommand(team, 'list teams', 'changelogd team list').action(
    reads(context, async ({ teams }) => {
      const none = toRun('No teams yet. To create one', 'team create', ['acme'], { name: 'Acme' })
      return listed(context, await teams.list(), teamFields, teamSummaryJson, none)
    }),
  )

  showCommand(team, 'show a team', 'changelogd team show acme')
    .addArgument(teamArgument())
    .action(
      reads(context, async (records, slug) => {
        const found = await findTeam(records, slug)
        const { products: productCount, keys: keyCount } = await records.teams.holdings(found)
        return shown(context, { ...found, productCount, keyCount }, teamFields, teamSummaryJson)
      }),
    )

  writingCommand(team, 'update', 'update a team', [
    'changelogd team update acme --visibility public',
    'changelogd team update acme --plan paid',
    'changelogd team update acme --slug acme-inc --yes',
  ])
    .addArgument(teamArgument())
    .option('--slug <slug>', 'new slug; pages and feeds redirect from old URLs, the API returns 404')
    .option('--name <text>', 'new display name')
    .addOption(visibility())
    .addOption(plan())
    .addOption(subscribeOption('site'))
    .addOption(yesOption())
    .action((slug, options, command) => {
      const { slug: newSlug, name, visibility, plan } = options
      const subscribeUrl = orNone(options.subscribeUrl)
      const update = namedValues(command, { slug: newSlug, name, visibility, plan, subscribeUrl })
      return writing(
        context,
        options,
        async (records) => {
          const updated = await ACTS.updateTeam.run(actor(context, records), slug, update)
          return { json: teamJson(updated), text: `Updated ${teamText(updated, plan !== undefined)}.` }
        },
        async (records) => renaming(`team ${slug}`, '', await findTeam(records, slug), update),
      )
    })

  deleteCommand(team, 'delete a team with its products and keys', 'changelogd team delete acme')
    .addOption(forgetOption())
    .addArgument(teamArgument())
    .action(
      deletes(context, {
        find: findTeam,
        name: ({ slug }) => `team ${slug}`,
        warning: async (team, { teams }) => deletionText(`team ${team.slug}`, await teams.holdings(team)),
        json: teamJson,
        delete: (team) => ({ team }),
      }),
    )
  return team
}

const teamText = ({ slug, name, visibility, plan }: Team, withPlan = plan !== 'free'): string =>
  `team ${slug} (${plain(name)}): ${visibility}${withPlan ? `, ${plan} plan` : ''}`
