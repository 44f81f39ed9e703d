import type { seeder } from '../../../test/support/seed.ts'
import { publicPath } from '../../../test/support/servers/server.ts'
import type { Twins } from '../timing.ts'

type Seed = ReturnType<typeof seeder>

const pair = (name: string, hidden: string, missing: string): Twins => ({
  name,
  hidden: { path: hidden },
  missing: { path: missing },
})

/** Lists in which everything is hidden, and lists of nothing. `word` gives a new name of one length. */
export function hiddenLists(seed: Seed, word: () => string): Twins[] {
  // Between all other teams and one that is shown after them.
  const late = () => `y${word()}`
  const [large, drafts, behind] = [word(), word(), late()]
  const team = seed.team(large, { visibility: 'private' })
  for (let at = 0; at < 3_000; at++) seed.product(team, `p${at}`)
  for (const [slug, visibility] of [
    [drafts, 'public'],
    [behind, 'private'],
  ] as const) {
    const hidden = seed.team(slug, { visibility })
    for (let at = 0; at < 300; at++) seed.product(hidden, `p${at}`, { status: 'draft' })
  }
  seed.product(seed.team('zz'), 'app')
  const page = (slug: string) => `/changelog/${slug}`
  const home = (slug: string) => `/?after=${slug}/a`
  const feed = (slug: string) => `/changelog/${slug}/feed.atom`
  const kind = (slug: string) => `/changelog/${slug}/feed.json?kind=security`
  return [
    pair('page of a private team', page(large), page(word())),
    pair('page of a team of drafts', page(drafts), page(word())),
    pair('feed of a private team', feed(large), feed(word())),
    pair('feed of a team of drafts', feed(drafts), feed(word())),
    pair('feed of one kind of a private team', kind(large), kind(word())),
    pair('home page from a private team on', home(behind), home(late())),
  ]
}

/** Lists of the same length in which more is hidden, and others in which nothing is: their names differ. */
export function listsWithHidden(seed: Seed, word: () => string): Twins[] {
  const [full, ahead, plain] = [word(), word(), word()]
  const nextYear = Date.now() + 365 * 86_400_000
  // In any order, so that where rows happen to lie in the file is chance.
  for (const slug of [full, ahead, plain].toSorted()) {
    const team = seed.team(slug)
    const { changelogId } = seed.product(team, 'app')
    for (let at = 0; at < 10; at++)
      seed.version(changelogId, `1.${at}`, { publishedAt: at, changes: [{ type: 'fixed', title: 'A fix' }] })
    for (let at = 0; at < 300; at++) {
      if (slug === ahead)
        seed.version(changelogId, `2.${at}`, { status: 'scheduled', publishedAt: nextYear + at })
      if (slug !== full) continue
      seed.product(team, `p${at}`, { status: 'draft' })
      seed.version(changelogId, `2.${at}`, { status: 'draft', publishedAt: 1_000 + at })
    }
  }
  const both = (name: string, path: (team: string) => string) => pair(name, path(full), path(plain))
  return [
    both('team page with drafts', (team) => `/changelog/${team}`),
    both('Markdown of a team with drafts', (team) => `/changelog/${team}.md`),
    both('Markdown with draft versions', (team) => `/changelog/${team}/app.md`),
    both('llms.txt of a team with drafts', (team) => `/changelog/${team}/llms.txt`),
    both('feed of a team with drafts', (team) => `/changelog/${team}/feed.atom`),
    both('feed of one kind of a team with drafts', (team) => `/changelog/${team}/feed.atom?kind=fixed`),
    both('feed of one kind with draft versions', (team) => `/changelog/${team}/app/feed.atom?kind=fixed`),
    both('page with draft versions', (team) => `/changelog/${team}/app`),
    both('feed with draft versions', (team) => `/changelog/${team}/app/feed.atom`),
    both('search with draft versions', (team) => `/changelog/${team}/app?q=fix`),
    both('upgrade with draft versions', (team) => `/changelog/${team}/app?from=1.1&to=1.9`),
    both('list with draft versions', (team) => publicPath(team, 'app')),
    both('majors with draft versions', (team) => publicPath(team, 'app', '?from=1&to=2')),
    pair('page with scheduled versions', `/changelog/${ahead}/app`, `/changelog/${plain}/app`),
    pair('team page with scheduled versions', `/changelog/${ahead}`, `/changelog/${plain}`),
    pair(
      'feed of a team with scheduled versions',
      `/changelog/${ahead}/feed.atom`,
      `/changelog/${plain}/feed.atom`,
    ),
    pair(
      'upgrade with scheduled versions',
      `/changelog/${ahead}/app?from=1.1`,
      `/changelog/${plain}/app?from=1.1`,
    ),
    pair('list with scheduled versions', publicPath(ahead, 'app'), publicPath(plain, 'app')),
  ]
}
