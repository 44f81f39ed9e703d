import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import {
  type NativeEvent,
  type NativeVersion,
  readNative,
  writeNative,
} from '../../../src/formats/native/native.ts'

const ID = '01hzzz0000000000000000000a'

const createdAt = Date.parse('2026-01-01T00:00:00.000Z')
const team = {
  id: `team_${ID}`,
  slug: 'acme',
  name: 'Acme',
  visibility: 'public',
  plan: 'paid',
  createdAt,
} as const
const product = {
  id: `prod_${ID}`,
  slug: 'app',
  name: 'App',
  status: 'published',
  createdAt,
  changelog: { id: `clog_${ID}`, name: 'App changelog', status: 'locked', preamble: '# Changelog' },
} as const
const key = {
  id: `key_${ID}`,
  kind: 'SELECT',
  status: 'disabled',
  label: '',
  createdAt,
  expiresAt: null,
  products: ['app'],
  tokens: [{ hash: 'ab'.repeat(32), start: 'clk_AbCd', createdAt, expiresAt: createdAt }],
} as const

const version = (more: Partial<NativeVersion> = {}): NativeVersion => ({
  id: `ver_${ID}`,
  version: '1.0.0',
  title: 'One',
  status: 'published',
  publishedAt: Date.parse('2026-01-02T03:04:05.678Z'),
  dated: true,
  createdAt: Date.parse('2026-01-01T00:00:00.000Z'),
  description: null,
  changes: [{ id: `chg_${ID}`, type: 'added', title: 'A "thing" {[', description: 'é\n}]\\' }],
  ...more,
})

const EVENTS: NativeEvent[] = [
  { kind: 'team', team },
  { kind: 'product', product },
  { kind: 'version', version: version() },
  { kind: 'version', version: version({ changes: [] }) },
  { kind: 'product', product: { ...product, slug: 'empty' } },
  { kind: 'team', team: { ...team, slug: 'none', keys: [key] } },
  { kind: 'team', team: { ...team, slug: 'last' } },
  { kind: 'product', product },
  { kind: 'version', version: version() },
]

async function write(events: Iterable<NativeEvent>): Promise<string> {
  return (await Array.fromAsync(writeNative(events))).join('')
}

async function read(text: string, chunkSize = 1 << 16): Promise<NativeEvent[]> {
  return Array.fromAsync(readNative(chunks(text, chunkSize)))
}

/** Hands out the same memory again and again, as a file reader may. */
async function* chunks(text: string, size: number): AsyncGenerator<Uint8Array> {
  const bytes = new TextEncoder().encode(text)
  const memory = new Uint8Array(size)
  for (let at = 0; at < bytes.length; at += size) {
    const part = bytes.subarray(at, at + size)
    memory.set(part)
    yield memory.subarray(0, part.length)
    memory.fill(0)
  }
}

describe('an export', () => {
  test('reads back to the events it was written from, whatever the size of the chunks', async () => {
    const text = await write(EVENTS)
    for (const size of [1, 2, 3, 7, 64, 1000, 1 << 16]) expect(await read(text, size)).toEqual(EVENTS)
  })

  test('written from what was read has the same bytes', async () => {
    const text = await write(EVENTS)
    expect(await write(await read(text))).toBe(text)
  })

  test('has one version a line', async () => {
    const lines = (await write(EVENTS)).split('\n')
    expect(lines[0]).toBe('{"format":"changelogd","version":1,"teams":[')
    expect(lines.filter((line) => line.startsWith('{"id":"ver_'))).toHaveLength(3)
    expect(lines.slice(-4)).toEqual([']}', ']}', ']}', ''])
  })

  test('is JSON', async () => {
    const parsed = JSON.parse(await write(EVENTS))
    expect(parsed.teams.map((one: { products: unknown[] }) => one.products.length)).toEqual([2, 0, 1])
    expect(parsed.teams[0].products[0].versions[0].publishedAt).toBe('2026-01-02T03:04:05.678Z')
  })

  test('of nothing is empty and reads back to nothing', async () => {
    expect(await write([])).toBe('{"format":"changelogd","version":1,"teams":[\n]}\n')
    expect(await read(await write([]))).toEqual([])
  })

  test('refuses a version without a product', async () => {
    await expect(
      write([
        { kind: 'team', team },
        { kind: 'version', version: version() },
      ]),
    ).rejects.toThrow('needs a product')
  })
})

describe('a file', () => {
  test('may be formatted and its fields ordered in any way', async () => {
    const value = JSON.parse(await write(EVENTS))
    const shuffle = (one: unknown): unknown => {
      if (Array.isArray(one)) return one.map(shuffle)
      if (typeof one !== 'object' || one === null) return one
      const lists = ['teams', 'products', 'versions']
      const entries = Object.entries(one).map(([key, inner]) => [key, shuffle(inner)] as const)
      const head = entries.filter(([key]) => !lists.includes(key)).reverse()
      return Object.fromEntries([...head, ...entries.filter(([key]) => lists.includes(key))])
    }
    expect(await read(`\uFEFF${JSON.stringify(shuffle(value), null, '\t')}\r\n `, 5)).toEqual(EVENTS)
  })

  const good = JSON.stringify({
    format: 'changelogd',
    version: 1,
    teams: [
      {
        ...team,
        createdAt: '2026-01-01T00:00:00.000Z',
        products: [
          {
            ...product,
            createdAt: '2026-01-01T00:00:00.000Z',
            versions: [
              {
                ...version(),
                publishedAt: '2026-01-02T03:04:05.678Z',
                createdAt: '2026-01-02T03:04:05.678Z',
              },
            ],
          },
        ],
      },
    ],
  })
  const inVersion = 'teams[0].products[0].versions[0]'

  test.each([
    ['"format":"changelogd"', '"format":"other"', 'format: "other" is not "changelogd"'],
    ['"version":1', '"version":2', 'version: 2 is not 1'],
    ['"visibility":"public"', '"visibility":"open"', 'teams[0].visibility: "open" is not public or private'],
    ['"slug":"acme"', '"slug":"Acme"', 'teams[0].slug: "Acme" is not a slug'],
    ['"plan":"paid",', '', 'teams[0].plan: missing'],
    ['"plan":"paid"', '"plan":"paid","plan":"free"', 'teams[0].plan: given twice'],
    ['"plan":"paid"', '"plan":"paid","__proto__":{}', 'teams[0].__proto__: unknown field'],
    ['"name":"App",', '"name":"App","colour":1,', 'teams[0].products[0].colour: unknown field'],
    [
      '"status":"locked"',
      '"status":"x"',
      'teams[0].products[0].changelog.status: "x" is not one of draft, published, locked',
    ],
    [
      '"title":"One","status":"published"',
      '"title":"One","status":"x"',
      `${inVersion}.status: "x" is not draft or published`,
    ],
    ['"title":"One"', '"title":""', `${inVersion}.title: "" is not a text of 1 to 1000 characters`],
    ['"dated":true', '"dated":1', `${inVersion}.dated: 1 is not true or false`],
    [
      '"publishedAt":"2026-01-02T03:04:05.678Z"',
      '"publishedAt":"2026-02-30T03:04:05.678Z"',
      `${inVersion}.publishedAt`,
    ],
    ['"publishedAt":"2026-01-02T03:04:05.678Z"', '"publishedAt":"2026-01-02"', `${inVersion}.publishedAt`],
    ['"id":"ver_', '"id":"chg_', `${inVersion}.id`],
    ['"type":"added"', '"type":"Added"', `${inVersion}.changes[0].type: "Added" is not a lowercase word`],
    ['"type":"added"', '"kind":"added"', `${inVersion}.changes[0].kind: unknown field`],
    ['"dated":true', '"dated":tru', `${inVersion}: is not JSON`],
    ['"versions":[', '"versions":[,', `${inVersion}: is not JSON`],
    ['}]}]}]}', '}],"more":1}]}]}', 'teams[0].products[0].versions: has to be the last field of its object'],
    ['}]}]}]}', '}]}]}]}x', 'the file goes on after its end'],
    ['}]}]}]}', '}]}]}', 'ends too early'],
  ])('with %s → %s is refused, naming the place', async (from, to, message) => {
    const index = good.lastIndexOf(from)
    const bad = from.startsWith('}')
      ? good.slice(0, index) + to + good.slice(index + from.length)
      : good.replace(from, to)
    expect(bad).not.toBe(good)
    await expect(read(bad)).rejects.toThrow(message)
  })

  test('cut off anywhere is refused', async () => {
    for (let length = 0; length < good.length; length += 7) {
      await expect(read(good.slice(0, length), 16)).rejects.toThrow()
    }
    expect(await read(good)).toHaveLength(3)
  })

  test('that is not UTF-8 is refused', async () => {
    const bytes = new TextEncoder().encode(good)
    bytes[good.indexOf('One')] = 0xff
    const once = async function* () {
      yield bytes
    }
    await expect(Array.fromAsync(readNative(once()))).rejects.toThrow(`${inVersion}: is not UTF-8`)
  })
})

test('any text survives the way out and in', () => {
  const text = fc.string({ unit: 'binary', maxLength: 40 }).map((one) => one.toWellFormed())
  return fc.assert(
    fc.asyncProperty(
      text,
      fc.option(text),
      fc.integer({ min: 1, max: 50 }),
      async (title, description, size) => {
        const changes = [{ id: `chg_${ID}`, type: 'fixed', title: `${title}.`, description }]
        const events: NativeEvent[] = [
          ...EVENTS,
          { kind: 'version', version: version({ description, changes }) },
        ]
        expect(await read(await write(events), size)).toEqual(events)
      },
    ),
    { numRuns: 100, seed: 7 },
  )
})
