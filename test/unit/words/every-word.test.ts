import { expect, test } from 'bun:test'
import { LANGUAGES, type Language } from '../../../src/domain/records.ts'
import { KINDS } from '../../../src/domain/versions/kinds.ts'
import { unescapeHtml } from '../../../src/notes/html/entities.ts'
import { pageLanguage } from '../../../src/words/languages.ts'
import type { Seeder } from '../../support/seed.ts'
import { openHandler } from '../../support/servers/handler.ts'

const MONTH = 31 * 86_400_000
const NEWEST = Date.UTC(2026, 10, 12)
const APP = '/changelog/zza/zzapp'

/** Everything that pages add words to. Authors write words that begin with `zz` alone. */
const AUTHORED = `> [!NOTE]
> zznote

> [!TIP]
> zztip

> [!IMPORTANT]
> zzimportant

> [!WARNING]
> zzwarning

> [!CAUTION]
> zzcaution

| zza | zzb |
|---|---|
| ![](https://images.zz.test/a.png) | [![](http://images.zz.test/b.png)](https://zz.test) |

- [x] zzdone
- [ ] zzundone

zztext[^1]

[^1]: zzfootnote`

function fill(seed: Seeder) {
  seed.db.run('BEGIN')
  const team = seed.team('zza', { name: 'Zza' })
  const app = seed.product(team, 'zzapp', { name: 'Zzapp' })
  const every = KINDS.flatMap((type) =>
    Array.from({ length: 7 }, (_, at) => ({ type, title: `zz${at} ${type === 'other' ? '[x] ' : ''}zzq` })),
  )
  for (let minor = 0; minor < 45; minor++)
    seed.version(app.changelogId, `1.${minor}.0`, {
      title: minor % 2 ? `1.${minor}.0` : `Zztitle ${minor}`,
      publishedAt: NEWEST - (48 - minor) * MONTH,
      changes: minor % 3 ? [{ type: 'fixed', title: 'zzfix' }] : [],
    })
  seed.version(app.changelogId, '2.0.0', { publishedAt: NEWEST - 2 * MONTH, title: '2.0.0', changes: every })
  seed.version(app.changelogId, '2.1.0', {
    publishedAt: NEWEST - MONTH,
    title: 'Zztitle',
    description: AUTHORED,
    closing: 'zzclosing',
    changes: [{ type: 'fixed', title: '[x] zzfix', description: AUTHORED.slice(0, 40) }],
  })
  seed.version(app.changelogId, '3.0.0', {
    publishedAt: NEWEST,
    title: 'zz',
    description: `${'zzlong '.repeat(10_000)}`,
  })
  const huge = seed.product(team, 'zzhuge', { name: 'Zzhuge' })
  seed.version(huge.changelogId, '1.0.0', {
    title: 'zz',
    publishedAt: NEWEST,
    changes: Array.from({ length: 600 }, (_, at) => ({ type: 'zzown', title: `zz${at}` })),
  })
  seed.product(team, 'zzempty', { name: 'Zzempty' })
  seed.db.run("UPDATE changelog SET name = 'Zz'")
  seed.db.run("UPDATE version SET dated = FALSE, date_known = FALSE WHERE label = '2.0.0'")
  for (let at = 0; at < 101; at++)
    seed.product(seed.team(`zz${at}`, { name: `Zz${at}` }), 'zz', { name: `Zz${at}` })
  seed.db.run('COMMIT')
}

const FAILING: Readonly<Record<string, number>> = {
  '/changelog/nobody': 404,
  [`${APP}/1.2.5`]: 404,
  [`${APP}?from=1.2.5&to=zz`]: 404,
  [`${APP}?from=zz`]: 404,
  [`${APP}?cursor=x`]: 400,
  [`${APP}?from=3.0.0&to=1.2.0`]: 400,
}

const FEEDS = ['feed.atom', 'feed.rss', 'feed.json']

const ADDRESSES = [
  ...['/', '/?after=zz50/zz', '/changelog/zza', '/changelog/zz1', APP, '/changelog/zza/zzempty'],
  ...['1.43.0', '1.42.0', '2.0.0', '2.1.0', '3.0.0'].map((label) => `${APP}/${label}`),
  ...['', '?page=2', '?page=3'].map((query) => `/changelog/zza/zzhuge/1.0.0${query}`),
  ...['?q=zzfix', '?q=zzfix&kind=fixed', '?q=zzabsent', '?kind=removed', '?kind=breaking'].map(
    (query) => APP + query,
  ),
  ...['?type=fixed', '?type=zzabsent', '?from=1.2.0', '?from=1.2.0&to=2.0.0', '?to=2.0.0'].map(
    (query) => APP + query,
  ),
  ...['?kind=fixed&from=1.2.0&to=2.0.0', '?from=2.1.0&to=3.0.0'].map((query) => APP + query),
  ...Object.keys(FAILING),
  `${APP}/badge.svg`,
  ...['', '/changelog/zza', APP].flatMap((path) =>
    FEEDS.flatMap((name) => [`${path}/${name}`, `${path}/${name}?kind=security`]),
  ),
]

/** The same name in every language. */
const NAMES = ['Atom', 'RSS', 'JSON', 'Feed', 'API', 'Markdown']

/** What a reader sees or hears of a page, a feed or a picture. */
function saidIn(text: string): string {
  const shown = markupOf(text)
    .replace(UNSEEN, ' ')
    .replace(/<[^>]*>/g, (tag) => ` ${[...tag.matchAll(SPOKEN)].map(([, value]) => value).join(' ')} `)
  return unescapeHtml(shown) ?? shown
}

function markupOf(text: string): string {
  if (text.startsWith('<?xml')) return unescapeHtml(text) ?? text
  if (!text.startsWith('{')) return text
  return JSON.parse(text, (name, value) => {
    if (typeof value === 'object') return Object.values(value).join(' ')
    return /title|description|content/.test(name) ? value : ''
  })
}

const UNSEEN =
  /<(style|script|code|option|id|guid|link|language|pubDate|lastBuildDate|updated|published)\b[^>]*>[^<]*<\/\1>/g
const SPOKEN = /(?: (?:aria-label|alt|title|placeholder|data-line)|name="description" content)="([^"]*)"/g

/** Without those of Japanese, which has no spaces between them, and whose letters nobody takes for another language. */
const wordsIn = (text: string): string[] =>
  text.match(/[[\p{L}\p{M}]--[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}ー]]{2,}/gv) ?? []

/** Each word of a language, and of its dates. */
function vocabulary(code: Language): Set<string> {
  const { words, day, shortDay, month, unit } = pageLanguage(code)
  const own = JSON.stringify(words).replace(/"\w+":/g, '')
  const dates = Array.from({ length: 49 }, (_, at) => NEWEST - at * MONTH)
  const texts = dates.flatMap((date) => [day(date), shortDay(date), month(date)])
  const units = (['day', 'week', 'month', 'year'] as const).flatMap((each) =>
    [1, 2, 3, 11, 100].map((count) => unit({ count, unit: each })),
  )
  return new Set(wordsIn([own, own.toLowerCase(), ...texts, ...units, ...NAMES].join(' ')))
}

test.each(LANGUAGES.filter((code) => code !== 'en'))(
  'every word of a page, a feed or a badge in %s is of that language, or the author wrote it',
  async (code) => {
    const known = vocabulary(code)
    using server = openHandler({ SITE_LANGUAGE: code })
    fill(server.seed)
    for (const address of ADDRESSES) {
      const response = await server.get(address)
      expect({ address, found: response.status }).toEqual({ address, found: FAILING[address] ?? 200 })
      const said = wordsIn(saidIn(await response.text()))
      const foreign = said.filter((word) => !known.has(word) && !/^zz/i.test(word))
      expect({ address, foreign: [...new Set(foreign)] }).toEqual({ address, foreign: [] })
    }
  },
)
