import { Option } from '@commander-js/extra-typings'
import { PLANS, type Team, VISIBILITIES } from '../../domain/records.ts'
import { findTeam } from '../../transfer/find.ts'
import { teamArgument } from '../arguments/arguments.ts'
import { commandGroup, databaseCommand, namedValues, writingCommand, yesOption } from '../command.ts'
import type { Context } from '../context.ts'
import { reading, writing, writingConfirmed } from '../session.ts'
import { teamJson } from '../terminal/record-json.ts'
import { teamPage, teamTable } from '../terminal/record-tables.ts'
import { deletionText, plain } from '../terminal/text.ts'
import { keptNote } from '../trash/trash.ts'

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
      'changelogd team create globex --name Globex',
      'changelogd team create globex --name "Globex Corporation" --visibility public --plan paid',
    ])
      .argument('<team>', 'slug of the new team, used in URLs')
      .requiredOption('--name <text>', 'display name')
      .addOption(visibility().default('private' as const))
      .addOption(plan().default('free' as const))
      .action((slug, options) =>
        writing(context, { ...options, creates: true }, async ({ teams }) => {
          const { name, visibility, plan } = options
          const team = await teams.create({ slug, name, visibility, plan }, context.now())
          return { json: teamJson(team), text: `Created ${teamText(team)}.` }
        }),
      ),
  )

  team.addCommand(
    databaseCommand(context, 'list', 'list the teams', [
      'changelogd team list',
      'changelogd team list --json',
    ]).action((options) =>
      reading(context, options, async ({ teams }) => {
        const all = await teams.list()
        return {
          json: all.map((each) => ({
            ...teamJson(each),
            productCount: each.productCount,
            keyCount: each.keyCount,
          })),
          text: teamTable(context, all),
          notes:
            all.length > 0 ? [] : ['No teams yet. To create one: changelogd team create acme --name Acme'],
        }
      }),
    ),
  )

  team.addCommand(
    databaseCommand(context, 'show', 'show a team', [
      'changelogd team show acme',
      'changelogd team show acme --json',
    ])
      .addArgument(teamArgument())
      .action((slug, options) =>
        reading(context, options, async (records) => {
          const found = await findTeam(records, slug)
          const held = await records.teams.holdings(found)
          return {
            json: { ...teamJson(found), productCount: held.products, keyCount: held.keys },
            text: teamPage(context, found, held),
          }
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
        const { name, visibility, plan } = options
        const update = namedValues(command, { slug: options.slug, name, visibility, plan })
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
    writingCommand(context, 'delete', 'delete a team with its products and keys', [
      'changelogd team delete acme --yes',
      'changelogd team delete acme --yes --json',
    ])
      .addArgument(teamArgument())
      .addOption(yesOption())
      .action((slug, options) =>
        writingConfirmed(
          context,
          options,
          async (records) => {
            const held = await records.teams.holdings(await findTeam(records, slug))
            return deletionText(`team ${slug}`, held)
          },
          async (records, trash) => {
            const found = await findTeam(records, slug)
            const kept = await trash.keep(records, `team ${slug}`, [{ team: found }])
            await records.teams.delete(found)
            return {
              json: { ...teamJson(found), deleted: true, ...kept },
              text: `Deleted team ${slug}.`,
              notes: [keptNote(kept)],
            }
          },
        ),
      ),
  )
  return team
}

const teamText = (team: Team): string =>
  `team ${team.slug} (${plain(team.name)}): ${team.visibility}, ${team.plan} plan`
