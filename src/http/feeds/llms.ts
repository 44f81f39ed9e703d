import {
  FEEDS,
  LLMS,
  MARKDOWN,
  markdownAddress,
  publicChangelogPath,
  SITE,
  teamPagePath,
  versionName,
} from '../../domain/addresses/paths.ts'
import { withPeriod } from '../../domain/errors.ts'
import { areEntries, hasNumber, TELLING } from '../../domain/versions/names.ts'
import { dayText, joined, link, nameText, plainName, standingText, titleText } from '../../notes/markdown.ts'
import { picturesOf } from '../../notes/pictures.ts'
import { type ChangelogRead, type DatedVersion, dateOf } from '../../store/store.ts'
import { changelogLink, checkedNames, homeNames, type Names, versionLink } from '../reading/addresses.ts'
import {
  checkedList,
  type DirectoryPage,
  type ListOf,
  nameOfList,
  readEntries,
} from '../reading/directory.ts'
import type { Asked, NoParameters } from '../reading/parameters.ts'
import { readNewest } from '../reading/slices.ts'
import type { Site } from '../site/site.ts'
import { fileBody } from './body.ts'

/** Files for programs that read, by the form of llmstxt.org: what there is, and how to ask for it. */

/** How many of the newest releases a file names. */
const NEWEST = 10

/** A link, and what is said about it. */
type Entry = readonly [name: string, href: string, notes: string]

export function llms(asked: Asked<keyof Names>): Promise<Response> {
  const { responder, site, context, params } = asked
  const isHome = params === site().home
  return responder.short(
    context,
    { ...checkedNames(params), ...(isHome && { isPage: true as const }) },
    async (reads) => {
      const names = isHome ? await homeNames(reads, params) : params
      const { team, product } = names
      const page = { limit: TELLING, after: null, since: null, withChanges: false, withDates: true } as const
      const read = await reads.ask('readChangelog', 'public', team, product, page)
      const newest = await readNewest(reads, names)
      return read && fileBody(asked, changelogFile(site(), read, newest), 'text/plain')
    },
  )
}

/** For a team, or for all; without lists, for the changelog at `/`. */
export function directoryLlms(asked: Asked<never, NoParameters, 'team'>): Promise<Response> {
  const site = asked.site()
  const { team = null } = asked.params
  if (!site.hasLists && site.home && team === null) return llms({ ...asked, params: site.home })
  return asked.responder.short(asked.context, checkedList(site, team), async (reads) => {
    const name = await nameOfList(site, reads, team)
    const list = await readEntries(reads, team, null)
    return name === null ? null : fileBody(asked, directoryFile(site, name, team, list), 'text/plain')
  })
}

function changelogFile(
  site: Site,
  changelog: ChangelogRead,
  { latest, before }: Record<'latest' | 'before', DatedVersion | null>,
): string {
  const ofEntries = areEntries(changelog.versions)
  const [noun, newestOf] = ofEntries ? ['update', changelog.versions[0] as DatedVersion] : ['release', latest]
  const { team, product } = changelog
  const newest = changelog.versions as DatedVersion[]
  const path = changelogLink(changelog)
  const page = markdownAddress(path)
  const to = newestOf ? versionName(newestOf) : '1.0.0'
  const range = !ofEntries && before && `from=${encodeURIComponent(before.label)}&to=${to}`
  const date = newestOf && dayText(dateOf(newestOf))
  const upgrading: Entry[] = [
    [
      'Between two versions',
      `${page}?${range}`,
      'all changes after `from` up to `to`, breaking changes first; without `to`, up to the highest stable release',
    ],
    [
      'Breaking changes between two versions',
      `${page}?kind=breaking&${range}`,
      'read this before an upgrade',
    ],
  ]
  const asking: Entry[] = [
    ...(range ? upgrading : []),
    ofEntries
      ? [
          'One update',
          markdownAddress(`${path}/${to}`),
          'or by its day, month or year: 2026-11-12, 2026-11, 2026',
        ]
      : ['One version', markdownAddress(`${path}/${to}`), 'a version by its label'],
    ['The newest version', markdownAddress(`${path}/latest`), 'redirects to its page'],
    ['All versions', page, 'newest first, with links to older ones'],
    [
      'Breaking changes of all versions',
      `${page}?kind=breaking`,
      'or another kind: added, changed, deprecated, removed, fixed, security, other',
    ],
    ['Search', `${page}?q=words`, 'changes with all of these words'],
  ]
  const releases = newest.slice(0, NEWEST).map((version): Entry => {
    const pictures = picturesOf(team.slug, product.slug, site.baseUrl)
    const notes = [dayText(dateOf(version)), titleText(version, pictures)].filter(Boolean).join(', ')
    return [
      plainName(version) + standingText(version),
      markdownAddress(versionLink(changelog, version)),
      notes,
    ]
  })
  const api = `${publicChangelogPath(team.slug, product.slug)}?include=changes`
  return file(
    `# ${nameText(changelog.changelog.name)}`,
    `> ${withPeriod(`What is new in ${nameText(product.name)} by ${nameText(team.name)}`)}${newestOf ? ` Newest ${noun}: ${nameText(plainName(newestOf))}${date === null ? '' : ` of ${date}`}.` : ''}`,
    waysOf(site),
    '## Queries',
    linksTo(site, asking),
    newest.length === 0 ? null : `## Newest ${noun}s`,
    linksTo(site, releases),
    '## Optional',
    linksTo(site, [
      ['The whole changelog', `${path}/${MARKDOWN}`, 'as one file in Keep a Changelog format'],
      ['JSON', api, `the API, described at ${site.publicUrl}${SITE.openapi}`],
      ['Atom feed', `${path}/${FEEDS.atom}`, `new ${noun}s`],
    ]),
  )
}

/** For a team, or for all teams. */
function directoryFile(site: Site, title: string, team: ListOf, list: DirectoryPage): string {
  const { entries, last } = list
  const changelogs = entries.map(({ newest, ...each }): Entry => {
    const name =
      newest.label && hasNumber(newest.label)
        ? `release ${nameText(newest.label)}`
        : dayText(newest.publishedAt)
    const notes = newest.label === null ? 'no release yet' : name ? `newest ${name}` : ''
    return [each.changelog.name, `${changelogLink(each)}/${LLMS}`, notes]
  })
  const teams = team === null ? new Map(entries.map((each) => [each.team.slug, each.team])) : new Map()
  return file(
    `# ${nameText(title)}`,
    `> ${withPeriod(`What is new in ${team === null ? 'all products' : `the products of ${nameText(title)}`}`)}`,
    waysOf(site),
    'The `llms.txt` of a changelog lists its queries: changes between two versions, breaking changes, or one version.',
    '## Changelogs',
    linksTo(site, changelogs),
    '## Optional',
    linksTo(site, [
      [
        'Newest releases',
        markdownAddress(team === null ? SITE.home : teamPagePath(team)),
        `of all products by date${last ? ', with all changelogs; this list is incomplete' : ''}`,
      ],
      ...[...teams].map(
        ([slug, { name }]): Entry => [name, `${teamPagePath(slug)}/${LLMS}`, 'the changelogs of this team'],
      ),
      ['API', SITE.openapi, 'the description of the JSON API'],
    ]),
  )
}

const waysOf = ({ mcp, publicUrl }: Site): string =>
  `Every page is Markdown with \`.md\` at the end of its path, or with the header \`Accept: text/markdown\`.${
    mcp ? ` Agents can also use MCP at ${publicUrl}${SITE.mcp}.` : ''
  }`

const linksTo = ({ publicUrl }: Site, entries: readonly Entry[]): string =>
  entries.map(([name, href, notes]) => `- ${link(name, publicUrl + href)}${notes && `: ${notes}`}`).join('\n')

const file = (...parts: (string | null)[]): string => `${joined(parts)}\n`
