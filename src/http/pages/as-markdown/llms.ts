import {
  FEEDS,
  LLMS,
  MARKDOWN,
  markdownAddress,
  publicChangelogPath,
  teamPagePath,
} from '../../../domain/addresses/paths.ts'
import { dayText, inline, joined, link, titleText } from '../../../notes/markdown.ts'
import { type ChangelogInfo, type DatedVersion, type DirectoryEntry, dateOf } from '../../../store/store.ts'
import { ROUTES } from '../../routes.ts'
import { changelogLink, versionLink } from '../links.ts'
import type { Site } from '../site.ts'

/** Files for programs that read, by the form of llmstxt.org: what there is, and how to ask for it. */

/** How many of the newest releases a file names. */
export const NEWEST = 10

export function changelogFile(site: Site, changelog: ChangelogInfo, newest: readonly DatedVersion[]): string {
  const { team, product } = changelog
  const path = changelogLink(changelog)
  const [first, second] = newest
  const from = encodeURIComponent(second?.label ?? first?.label ?? '1.0.0')
  const to = encodeURIComponent(first?.label ?? '2.0.0')
  const date = first && dayText(dateOf(first))
  return file(
    `# ${inline(changelog.changelog.name)}`,
    `> What is new in ${inline(product.name)} by ${inline(team.name)}.${first ? ` Newest release: ${inline(first.label)}${date === null ? '' : ` of ${date}`}.` : ''}`,
    waysOf(site),
    '## How to ask',
    list(
      entry(
        site,
        'Between two versions',
        `${page(path)}?from=${from}&to=${to}`,
        'everything that changes after `from` up to `to`, by kind, breaking changes first; without `to`, up to the newest release',
      ),
      entry(
        site,
        'Breaking changes between two versions',
        `${page(path)}?kind=breaking&from=${from}&to=${to}`,
        'read this before an upgrade',
      ),
      entry(site, 'One version', `${page(path, to)}`, 'a version by its label'),
      entry(site, 'The newest version', page(path, 'latest'), 'leads to its page'),
      entry(site, 'All versions', page(path), 'newest first, with links to older ones'),
      entry(
        site,
        'Breaking changes of all versions',
        `${page(path)}?kind=breaking`,
        'or another kind: added, changed, deprecated, removed, fixed, security, other',
      ),
      entry(site, 'Search', `${page(path)}?q=words`, 'changes with all of these words'),
    ),
    newest.length === 0 ? null : '## Newest releases',
    list(...newest.map((version) => releaseEntry(site, changelog, version))),
    '## Optional',
    list(
      entry(
        site,
        'The whole changelog',
        `${path}/${MARKDOWN}`,
        'as one file in the format of Keep a Changelog',
      ),
      entry(
        site,
        'JSON',
        `${publicChangelogPath(team.slug, product.slug)}?include=changes`,
        `the API, which ${site.publicUrl}${ROUTES.openapi.path} describes`,
      ),
      entry(site, 'Atom feed', `${path}/${FEEDS.atom}`, 'new releases'),
    ),
  )
}

/** Of a team, or of all teams. */
export function directoryFile(
  site: Site,
  title: string,
  path: string,
  { entries, last }: { entries: readonly DirectoryEntry[]; last: DirectoryEntry | null },
): string {
  const isTeam = path !== ROUTES.homePage.path
  return file(
    `# ${inline(title)}`,
    `> ${isTeam ? `What is new in the products of ${inline(title)}.` : 'What is new in all products.'}`,
    waysOf(site),
    'Below a changelog, `llms.txt` says how to ask for what is between two versions, for breaking changes only, or for one version.',
    '## Changelogs',
    list(...entries.map((each) => productEntry(site, each))),
    '## Optional',
    list(
      entry(
        site,
        'Newest releases',
        markdownAddress(path),
        last
          ? 'of all products by date, and a list of all changelogs: this one is not complete'
          : 'of all products by date',
      ),
      ...(isTeam
        ? []
        : [...Map.groupBy(entries, ({ team }) => team.slug).values()].flatMap(([first]) =>
            first
              ? entry(
                  site,
                  first.team.name,
                  `${teamPagePath(first.team.slug)}/${LLMS}`,
                  'the changelogs of this team',
                )
              : [],
          )),
      entry(site, 'API', ROUTES.openapi.path, 'the description of the JSON API'),
    ),
  )
}

const waysOf = ({ mcp, publicUrl }: Site): string =>
  `Every page is Markdown with \`.md\` at the end of its path, or with the header \`Accept: text/markdown\`.${
    mcp ? ` Agents can also ask at ${publicUrl}${ROUTES.mcp.path} by the Model Context Protocol.` : ''
  }`

const page = (path: string, name?: string): string =>
  markdownAddress(name === undefined ? path : `${path}/${name}`)

const releaseEntry = (site: Site, changelog: ChangelogInfo, version: DatedVersion): string =>
  entry(
    site,
    version.label,
    markdownAddress(versionLink(changelog, version)),
    [dayText(dateOf(version)), titleText(version)].filter(Boolean).join(', '),
  )

const productEntry = (site: Site, each: DirectoryEntry): string =>
  entry(
    site,
    each.changelog.name,
    `${changelogLink(each)}/${LLMS}`,
    each.newest.label === null ? 'no release yet' : `newest release ${inline(each.newest.label)}`,
  )

const entry = (site: Site, name: string, href: string, notes: string): string =>
  `- ${link(name, site.publicUrl + href)}${notes && `: ${notes}`}`

const list = (...entries: string[]): string => entries.join('\n')

const file = (...parts: (string | null)[]): string => `${joined(parts)}\n`
