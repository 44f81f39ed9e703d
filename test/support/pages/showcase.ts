import { changelogPagePath, LATEST } from '../../../src/domain/addresses/paths.ts'
import { ROUTES } from '../../../src/http/routes.ts'
import type { Seeder } from '../seed.ts'
import { rocket } from './rocket.ts'

const DAY = 86_400_000
const NEWEST = Date.UTC(2026, 10, 12)

const CHANGELOG = changelogPagePath(':team', ':product')
/** Pages of a product whose address says everything: a new one is opened because it has a route. */
const ofProduct = ROUTES.filter(
  ({ surface, path }) => surface === 'pages' && path.startsWith(`${CHANGELOG}/`),
)
  .filter(({ path }) => path !== `${CHANGELOG}/:version` && path !== `${CHANGELOG}/${LATEST}`)
  .map(({ path }) => path.replace(CHANGELOG, '/changelog/acme/app'))

/** Every kind of page that has to look as if it had been planned, and what is on it. */
export const PAGES = {
  ...(Object.fromEntries(ofProduct.map((path) => [path, path])) as Record<never, string>),
  list: '/',
  team: '/changelog/acme',
  changelog: '/changelog/acme/app',
  'older releases': '/changelog/acme/app?cursor=MTc3NjAzODQwMDAwMCB2ZXJfMA',
  'an empty changelog': '/changelog/acme/empty',
  'one release': '/changelog/acme/one',
  'a release of a product with a long name': '/changelog/acme/one/1.0.0',
  'an upgrade of it': '/changelog/acme/one?from=0.9.0',
  'a missing version of it': '/changelog/acme/one/0.9.0',
  'a release': '/changelog/acme/app/2.4.0',
  'a release with a long title': '/changelog/acme/app/2.1.0',
  'a release with tables and images': '/changelog/acme/app/2.2.0',
  'a release from right to left': '/changelog/acme/app/2.2.0-beta.1%2Bbuild.20261002.sha.5114f85',
  'a release without changes': '/changelog/acme/app/2.3.0',
  'a release without anything': '/changelog/acme/app/2.3.1',
  'a release with very many changes': '/changelog/acme/huge/1.0.0',
  'more of its changes': '/changelog/acme/huge/1.0.0?page=2',
  'a search': '/changelog/acme/app?q=search',
  'a search without result': '/changelog/acme/app?q=nothing+at+all',
  'a long changelog': '/changelog/acme/long',
  'a changelog of updates': '/changelog/acme/updates',
  'an update': '/changelog/acme/updates/guests-on-every-board',
  'a search of all products': '/?q=board',
  'every kind of change': '/changelog/acme/rocket',
  'a release with every kind': '/changelog/acme/rocket/3.0.0',
  'breaking changes': '/changelog/acme/rocket?kind=breaking',
  'a search for one kind': '/changelog/acme/rocket?q=client&kind=breaking',
  'one type of change': '/changelog/acme/app?type=security',
  'an upgrade': '/changelog/acme/rocket?from=2.7.0&to=3.0.0',
  'one kind of an upgrade': '/changelog/acme/rocket?kind=added&from=2.7.0&to=3.0.0',
  'an upgrade of the newest': '/changelog/acme/rocket?from=3.0.1',
  'an upgrade without changes': '/changelog/acme/app?from=2.3.0&to=2.3.1',
  'an address that is wrong': '/changelog/acme/app?cursor=x',
  'a missing page': '/changelog/nobody/nothing',
  'a missing version': '/changelog/acme/app/2.2.5',
  'an upgrade from a missing version': '/changelog/acme/app?from=2.2.5&to=nightly',
} as const

const LONG_PACKAGE = `@acme/${'framework'.repeat(6)}`

const LONG_TITLE =
  'A title that goes on and on, because its author could not decide what to leave out, '.repeat(4)

const TABLES_AND_IMAGES = `A wide table:

| Feature | Free | Team | Business | Enterprise | On premises | Notes |
|---|:-:|:-:|:-:|--:|---|---|
| Search everywhere, in all documents | yes | yes | yes | 1,000 | yes | a long note that makes this row wide |
| Export | no | yes | yes | 10 | yes | another long note that makes it wider |

![A very large picture](https://images.acme.test/4000.png) ![](https://images.acme.test/unnamed.png)
[![](https://images.acme.test/badge.svg)](https://ci.acme.test) ![no https](http://images.acme.test/a.png)

> A quotation.

1. First
2. Second
   - nested
   - list

- [x] Done
- [ ] Not done

##### A heading that skips levels

# A heading above it

#

[](https://acme.test/no-words) <https://acme.test/pointed> www.acme.test hello@acme.test ~~old~~

Word.${'long'.repeat(60)}`

/** Fills a database with content for all of `PAGES`. */
export function showcase(seed: Seeder): void {
  const acme = seed.team('acme', { name: 'Acme' })
  const app = seed.product(acme, 'app', { name: 'App' })
  const version = (label: string, age: number, fields: Parameters<typeof seed.version>[2]) =>
    seed.version(app.changelogId, label, { publishedAt: NEWEST - age * 9 * DAY, ...fields })
  const updates = seed.product(acme, 'updates', { name: 'Updates' })
  for (let age = 25; age > 0; age--)
    seed.version(
      updates.changelogId,
      age === 1 ? 'guests-on-every-board' : age % 2 ? `Name ${age}` : `update-of-${age}-boards`,
      {
        title: age === 1 ? 'Guests on every board' : `Update of ${age} boards`,
        publishedAt: NEWEST - age * 20 * DAY,
        description: 'You can now invite people from outside your company to a single board.',
        changes: [{ type: 'fixed', typeLabel: 'Fixes', title: 'Comments no longer jump' }],
      },
    )
  for (let age = 47; age > 6; age--)
    version(`1.${47 - age}.0`, age, {
      title: `1.${47 - age}.0`,
      changes: [
        { type: 'fixed', title: 'A small fix' },
        ...(age % 3 ? [{ type: 'changed', title: 'Something works differently' }] : []),
      ],
    })
  version('2.1.0', 6, {
    title: LONG_TITLE.slice(0, 300),
    changes: [
      { type: 'deprecated', title: 'The old editor' },
      { type: 'removed', title: 'Support for Internet Explorer' },
    ],
  })
  version('2.2.0-beta.1+build.20261002.sha.5114f85', 5, {
    title: 'لوحة المفاتيح في كل مكان',
    description: 'يمكن الآن استخدام كل قائمة بدون فأرة، مع `Ctrl K` ورابط.',
    changes: [
      { type: 'added', title: 'دعم اللغة العربية في كل مكان' },
      { type: 'internal', typeLabel: 'Under the hood', title: 'Moved to a new build' },
    ],
  })
  version('2.2.0', 4, {
    title: 'Tables and images',
    description: TABLES_AND_IMAGES,
    changes: [
      {
        type: 'added',
        title: 'A [link](https://acme.test/a), **bold**, *emphasis* and a [relative one](../docs)',
        description: `More about it.\n\n\`\`\`ts\nconst answer = await fetch('https://acme.test/${'long/'.repeat(30)}')\n\`\`\`\n\n### Details\n\n- a\n- b`,
      },
    ],
  })
  version('2.3.0', 3, {
    title: 'Words only',
    description: 'Two paragraphs.\n\nThis is https://acme.test/bare.',
  })
  version('2.3.1', 2, { title: 'Nothing at all' })
  version('2.3.2', 1, {
    title: 'A security release',
    changes: [
      {
        type: 'security',
        title:
          'Links in invitations expire after one use. Please upgrade; older links were valid for a week.',
      },
      { type: 'changed', title: 'Sessions end after 30 days without use.' },
    ],
  })
  version('2.4.0', 0, {
    title: 'Keyboard everywhere',
    description:
      'Every list, dialog and editor can now be driven without a mouse. Existing shortcuts are unchanged.',
    changes: [
      { type: 'added', title: 'Command palette on `Ctrl K`, with fuzzy search over projects and people.' },
      {
        type: 'added',
        title: 'Export of a board as CSV, with the columns you see.',
        description: '```sh\nacme export board 42 --format csv > board.csv\n```',
      },
      {
        type: 'fixed',
        title:
          'Comments written offline were sent twice after a reconnect ([#1284](https://acme.test/1284)).',
      },
      { type: 'fixed', title: 'Dates in the digest mail follow the time zone of the reader.' },
    ],
  })
  seed.product(acme, 'empty', { name: 'Empty' })
  const one = seed.product(acme, 'one', { name: 'Donaudampfschifffahrtsgesellschaftskapitaensmuetzenfabrik' })
  seed.version(one.changelogId, '1.0.0', {
    publishedAt: NEWEST,
    title: 'First release',
    changes: [{ type: 'added', title: 'Everything' }],
  })
  const huge = seed.product(acme, 'huge', { name: 'Huge' })
  seed.db.run('BEGIN')
  seed.version(huge.changelogId, '1.0.0', {
    publishedAt: NEWEST,
    title: 'Very many changes',
    changes: Array.from({ length: 1_001 }, (_, at) => ({ type: 'fixed', title: `Small fix ${at}` })),
  })
  seed.db.run('COMMIT')
  const long = seed.product(acme, 'long', { name: 'Long' })
  for (let age = 60; age >= 0; age--) {
    const label = age > 10 ? `1.${60 - age}.0` : `2.${10 - age}.0`
    const change = {
      type: age % 4 > 1 ? 'dependencies' : 'fixed',
      title: `Bump ${LONG_PACKAGE} from 1.0.0 to 1.0.1`,
    }
    const publishedAt = NEWEST - (100 + age) * DAY
    seed.version(long.changelogId, label, { title: label, publishedAt, changes: [change] })
  }
  seed.version(seed.product(acme, 'undated').changelogId, '1.0.0', { dateKnown: false })
  rocket(seed, acme, NEWEST)
  const globex = seed.team('globex', { name: 'Globex Corporation' })
  for (const slug of ['cli', 'sdk', 'terraform-provider'])
    seed.version(seed.product(globex, slug).changelogId, '0.9.1', { publishedAt: NEWEST - 40 * DAY })
}
