import { afterAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { openNow } from '../../../src/store/sqlite/commands.ts'
import { importChangelog } from '../../../src/transfer/import-changelog.ts'
import { parseChangelog } from '../../../src/transfer/parse-changelog.ts'
import { scratch } from '../../support/scratch.ts'

/** A version, and its date if the file has one. */
type Line = readonly [label: string, date?: string]

const fileOf = (lines: readonly Line[]) =>
  lines.map(([label, date]) => `## [${label}]${date ? ` - ${date}` : ''}\n\n- Work on ${label}\n`).join('\n')

const DAY = '2020-01-01'
const HISTORIES: Record<string, Line[][]> = {
  'an undated one between two of a day': [
    [
      ['1.2', DAY],
      ['1.0', DAY],
    ],
    [['1.2', DAY], ['1.1'], ['1.0', DAY]],
  ],
  'one of the day below an undated one': [
    [['1.2', DAY], ['1.1']],
    [['1.2', DAY], ['1.1'], ['1.0', DAY]],
  ],
  'one of the day at the bottom': [
    [
      ['1.2', '2020-01-02'],
      ['1.1', DAY],
    ],
    [
      ['1.2', '2020-01-02'],
      ['1.1', DAY],
      ['1.0', DAY],
    ],
  ],
  'an undated one at the bottom, and then one of the day below it': [
    [['1.2', DAY]],
    [['1.2', DAY], ['1.1']],
    [['1.2', DAY], ['1.1'], ['1.0', DAY]],
  ],
}

/** The same numbers for the same seed, below `most`. */
const randomFrom = (seed: number) => (most: number) => {
  seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0
  return (seed >>> 8) % most
}

/** A file that grows anywhere until it is whole: few days, many of them shared, and some dates missing. */
function grown(seed: number): Line[][] {
  const random = randomFrom(seed)
  let day = 28
  const whole = Array.from({ length: 12 }, (_, at): Line => {
    if (random(3) === 0) day--
    return random(4) === 0 ? [`1.${99 - at}`] : [`1.${99 - at}`, `2020-01-${day}`]
  })
  const turns = whole.map(() => random(4))
  return [0, 1, 2, 3].map((turn) => whole.filter((_, at) => (turns[at] as number) <= turn))
}

const place = scratch()
const store = openNow(join(place.path, 'x.db'), 'create')
afterAll(() => {
  store.close()
  place[Symbol.dispose]()
})

const seeds = Array.from({ length: 5 }, (_, at): [string, Line[][]] => [`seed ${at + 1}`, grown(at + 1)])
test.each([...Object.entries(HISTORIES), ...seeds])(
  'versions of one day keep their places between their neighbours of a file that grows: %s',
  (_, history) =>
    store.transaction(
      async (records) => {
        for (const lines of history.filter(({ length }) => length > 0)) {
          const source = parseChangelog('CHANGELOG.md', fileOf(lines), 'keepachangelog')
          const { product } = await importChangelog(records, { team: 'acme', product: 'app' }, source, {
            ...{ create: true, status: 'published', now: Date.UTC(2026, 5, 1) },
          })
          if (!product) throw new Error('there is no product')
          const listed = await records.versions.list(product)
          expect(listed.map(({ label }) => label)).toEqual(lines.map(([label]) => label))
        }
      },
      { commit: false },
    ),
)
