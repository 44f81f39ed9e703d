import { Option } from '@commander-js/extra-typings'
import { pick } from '../../domain/objects.ts'
import { PLANS, type Team, VISIBILITIES } from '../../domain/records.ts'
import { toRun } from '../../domain/refusal.ts'
import { findTeam } from '../../transfer/find.ts'
import { teamArgument } from '../arguments/arguments.ts'
import { commandGroup, namedValues, writingCommand, yesOption } from '../command.ts'
import type { Context } from '../context.ts'
import { deleteCommand, deleting, listCommand, listed, showCommand } from '../record-commands.ts'
import { reading, writing, writingConfirmed } from '../session.ts'
import { teamJson, teamSummaryJson } from '../terminal/record-json.ts'
import { recordPage, teamFields } from '../terminal/record-tables.ts'
import { deletionText, plain } from '../terminal/text.ts'

const visibility = () =>
  new Option('--visibility <who>', 'whether published content is readable without a key').choices(
    VISIBILITIES,
  )
const plan = () =>
  new Option('--plan <plan>', 'a field that you set: only teams on the paid plan can create keys').choices(
    PLANS,
  )

export function teamCommand(context: Context) {
  const team = commandGroup(context, 'team', 'manage teams, which own products and keys', [
    'changelogd team create globex --name Globex --visibility public',
    'changelogd team list',
  ])

  team.addCommand(
    writingCommand(context, 'create', 'create a team', [
      'changelogd team create globex',
      'changelogd team create globex --name "Globex Corporation" --visibility public --plan paid',
    ])
      .argument('<team>', 'slug of the new team, used in URLs')
      .option('--name <text>', 'display name (default: the slug)')
      .addOption(visibility().default('private' as const))
      .addOption(plan().default('free' as const))
      .action((slug, { name = slug, ...options }) =>
        writing(context, { ...options, creates: true }, async ({ teams }) => {
          const draft = { slug, name, ...pick(options, 'visibility', 'plan') }
          const team = await teams.create(draft, context.now())
          return { json: teamJson(team), text: `Created ${teamText(team)}.` }
        }),
      ),
  )

  team.addCommand(
    listCommand(context, 'list the teams', 'changelogd team list').action((options) =>
      reading(context, options, async ({ teams }) => {
        const none = toRun('No teams yet. To create one', 'changelogd team create acme --name Acme')
        return listed(context, await teams.list(), teamFields, teamSummaryJson, none)
      }),
    ),
  )

  team.addCommand(
    showCommand(context, 'show a team', 'changelogd team show acme')
      .addArgument(teamArgument())
      .action((slug, options) =>
        reading(context, options, async (records) => {
          const found = await findTeam(records, slug)
          const held = await records.teams.holdings(found)
          const team = { ...found, productCount: held.products, keyCount: held.keys }
          return { json: teamSummaryJson(team), text: recordPage(context, team, teamFields) }
        }),
      ),
  )

  team.addCommand(
    writingCommand(context, 'update', 'update a team', [
      'changelogd team update acme --visibility public',
      'changelogd team update acme --plan paid',
      'changelogd team update acme --slug acme-inc --yes',
    ])
      .addArgument(teamArgument())
      .option('--slug <slug>', 'new slug; URLs with the old one stop working')
      .option('--name <text>', 'new display name')
      .addOption(visibility())
      .addOption(plan())
      .addOption(yesOption())
      .action((slug, options, command) => {
        const { slug: newSlug, name, visibility, plan } = options
        const update = namedValues(command, { slug: newSlug, name, visibility, plan })
        return writingConfirmed(
          context,
          options,
          async (records) => {
            const found = await findTeam(records, slug)
            if (update.slug === undefined || update.slug === found.slug) return null
            return `Renaming team ${slug} to ${update.slug} changes the URLs of its products: the old ones return 404.`
          },
          async (records) => {
            const updated = await records.teams.update(await findTeam(records, slug), update)
            return { json: teamJson(updated), text: `Updated ${teamText(updated)}.` }
          },
        )
      }),
  )

  team.addCommand(
    deleteCommand(context, 'delete a team with its products and keys', 'changelogd team delete acme')
      .addArgument(teamArgument())
      .action((slug, options) =>
        deleting(context, options, {
          find: (records) => findTeam(records, slug),
          name: () => `team ${slug}`,
          warning: async (team, { teams }) => deletionText(`team ${slug}`, await teams.holdings(team)),
          kept: (team) => ({ team }),
          json: teamJson,
          delete: (team, { teams }) => teams.delete(team),
        }),
      ),
  )
  return team
}

const teamText = (team: Team): string =>
  `team ${team.slug} (${plain(team.name)}): ${team.visibility}, ${team.plan} plan`
