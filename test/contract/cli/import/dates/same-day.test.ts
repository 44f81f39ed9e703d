import { describe, expect, test } from 'bun:test'
import { ENGINES } from '../../../../support/servers/server.ts'
import { type Listed, prepared } from '../prepared.ts'

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

describe.each(ENGINES)('versions of one day on %s', (engine) => {
  const seeds = Array.from({ length: 5 }, (_, at): [string, Line[][]] => [`seed ${at + 1}`, grown(at + 1)])
  test.each([...Object.entries(HISTORIES), ...seeds])(
    'keep their places between their neighbours of a file that grows: %s',
    async (_, history) => {
      await using at = await prepared(engine)
      const listed = async () =>
        (await at.box.json<Listed[]>('version', 'list', 'acme/app')).map(({ version }) => version)
      for (const lines of history) {
        if (lines.length === 0) continue
        await at.bring(fileOf(lines), '--status', 'published')
        expect(await listed()).toEqual(lines.map(([label]) => label))
      }
    },
  )
})
