import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { Sandbox } from '../../../support/sandbox.ts'
import { ENGINES } from '../../../support/servers/server.ts'
import { id, isEmpty, linesOf, NOW } from './lines.ts'

describe.each(ENGINES)('refused imports on %s', (engine) => {
  describe('an export of everything that is not whole', () => {
    const lines = linesOf(20)
    const versionLine = lines.findIndex((line) => line.startsWith('{"version"'))

    test.each([
      ['cut between two lines', lines.slice(0, 12), 'cut off after line 12: the end record is missing.\n'],
      [
        'cut within a line',
        [...lines.slice(0, 12), lines[12]?.slice(0, 40) ?? ''],
        'line 13: not JSON, or cut off',
      ],
      ['without one of its versions', lines.toSpliced(versionLine, 1), 'line 23: end must count the records'],
      [
        'with a wrong field in its last version',
        lines.with(22, lines[22]?.replace(NOW, '2026-01-02') ?? ''),
        'line 23: version.publishedAt must be a time such as 2026-01-02T03:04:05.678Z, not "2026-01-02".',
      ],
      [
        'of a newer format',
        lines.with(0, '{"format":"changelogd","version":3}\n'),
        'a newer changelogd wrote this file (version 3; this one reads up to 2).',
      ],
    ])('(%s) is refused whole, and nothing is pruned by it', async (_, broken, message) => {
      await using box = await Sandbox.on(engine)
      const good = join(box.directory, 'good.jsonl')
      const bad = join(box.directory, 'bad.jsonl')
      await Bun.write(good, lines.join(''))
      await Bun.write(bad, broken.join(''))
      const refused = await box.run(['import', '--all', bad])
      expect(refused.status).toBe(1)
      expect(refused.stderr).toStartWith(`changelogd: ${bad}: ${message}`)
      expect(await isEmpty(box)).toBe(true)
      await box.json('import', '--all', good)
      const before = (await box.run(['export', '--all'])).stdout
      expect((await box.run(['import', '--all', bad, '--prune'])).status).toBe(1)
      expect((await box.run(['export', '--all'])).stdout).toBe(before)
    })
  })

  describe('a refused export of everything', () => {
    const lines = linesOf(2)
    const withKeys = (...keys: object[]) => [
      ...lines.slice(0, -1),
      ...keys.map((key) => `${JSON.stringify({ key })}\n`),
      `{"end":{"team":1,"product":1,"version":2,"key":${keys.length}}}\n`,
    ]
    const token = { hash: 'ab'.repeat(32), start: 'clk_AbCd', createdAt: NOW, expiresAt: null }
    const key = {
      ...{ id: id('key', 1), kind: 'FULL', status: 'active', label: 'ci', createdAt: NOW, expiresAt: null },
      ...{ products: [] as string[], tokens: [token] },
    }

    test.each([
      [
        'a wrong field',
        lines.with(3, lines[3]?.replace(NOW, 'x') ?? ''),
        'line 4: version.publishedAt must be',
      ],
      [
        'a NUL in a title',
        lines.with(3, lines[3]?.replace('Version 2', 'Version\\u00002') ?? ''),
        'line 4: version.title must be a text of 1 to 1000 characters',
      ],
      [
        'a description that is too long',
        lines.with(3, lines[3]?.replace('words ', 'words '.repeat(200_000)) ?? ''),
        'line 4: version.description must be a text of 0 to 1000000 characters',
      ],
      [
        'a product twice',
        [...lines.slice(0, -1), lines[2] ?? '', '{"end":{"team":1,"product":2,"version":2,"key":0}}\n'],
        'line 6: product acme/app is already on line 3.\n',
      ],
      [
        'a version twice',
        lines.with(4, lines[4]?.replace('1.1.0', '1.2.0') ?? ''),
        'line 5: version 1.2.0 of acme/app is already on line 4.\n',
      ],
    ])('(%s) creates no database, and names the line', async (_, broken, message) => {
      await using box = await Sandbox.on(engine, { isBare: true })
      const file = join(box.directory, 'bad.jsonl')
      await Bun.write(file, broken.join(''))
      const { status, stderr } = await box.run(['import', '--all', file, '--prune'])
      expect([status, stderr]).toEqual([1, expect.stringContaining(`changelogd: ${file}: ${message}`)])
      expect(await box.isMissing()).toBe(true)
    })

    test.each([
      [
        'a key of a missing product',
        withKeys({ ...key, kind: 'SELECT', products: ['gone'] }),
        `line 6: Key ${key.id} names the product acme/gone, which does not exist.\n`,
      ],
      [
        'two keys with one token',
        withKeys(key, { ...key, id: id('key', 2) }),
        `line 7: Key ${id('key', 2)} has a token that key ${key.id} has already: clk_AbCd….\n`,
      ],
      [
        'a key with one token twice',
        withKeys({ ...key, tokens: [token, token] }),
        `line 6: Key ${key.id} has the token clk_AbCd… twice.\n`,
      ],
      [
        'a name of two lines',
        lines.with(2, lines[2]?.replace('"name":"App"', '"name":"A\\nB"') ?? ''),
        'line 3: The name must be one line of text.\n',
      ],
      [
        'a NUL before the first version',
        lines.with(2, lines[2]?.replace('"preamble":null', '"preamble":"A\\u0000"') ?? ''),
        'line 3: The text before the first version contains characters that are not text.\n',
      ],
      [
        'half a character before the first version',
        lines.with(2, lines[2]?.replace('"preamble":null', '"preamble":"A\\ud800"') ?? ''),
        'line 3: The text before the first version contains characters that are not text.\n',
      ],
      [
        'an old label with a space at its end',
        lines.with(3, lines[3]?.replace('"title"', '"formerLabels":["0.9 "],"title"') ?? ''),
        'line 4: version 1.2.0: "0.9 " is not a version label',
      ],
      [
        'a label with a space at its end',
        lines.with(3, lines[3]?.replace('1.2.0', '1.2.0 ') ?? ''),
        'line 4: version 1.2.0 : "1.2.0 " is not a version label',
      ],
      [
        'two changes with one id',
        lines.with(4, lines[4]?.replace(id('chg', 1), id('chg', 2)) ?? ''),
        'line 5: version 1.1.0: ',
      ],
    ])('(%s) names the file and the line also where the rules refuse it', async (_, broken, message) => {
      await using box = await Sandbox.on(engine)
      const file = join(box.directory, 'bad.jsonl')
      await Bun.write(file, broken.join(''))
      const { status, stderr } = await box.run(['import', '--all', file])
      expect(status).toBe(1)
      expect(stderr).toStartWith(`changelogd: ${file}: ${message}`)
      expect(await isEmpty(box)).toBe(true)
    })
  })

  describe('import --all', () => {
    test.each([
      [['--status', 'draft'], '--all does not take --status'],
      [['--create'], '--all does not take --create'],
      [['--format', 'github'], 'remove --format github'],
      [['another.jsonl'], "--all takes only a file; remove 'FILE'"],
    ])('with %j is wrong usage and changes nothing', async (options, message) => {
      await using box = await Sandbox.on(engine, { isBare: true })
      await Bun.write(join(box.directory, 'FILE'), linesOf(1).join(''))
      const { status, stderr } = await box.run(['import', '--all', 'FILE', ...options])
      expect([status, stderr]).toEqual([2, expect.stringContaining(message)])
      expect(await box.isMissing()).toBe(true)
    })

    test('without a file misses the file, and an import without --all the product', async () => {
      await using box = await Sandbox.on(engine)
      for (const [args, missing] of [
        [['--all'], 'file'],
        [[], 'product'],
        [['acme/app'], 'file'],
      ] as const) {
        const { status, stderr } = await box.run(['import', ...args])
        expect([status, stderr]).toEqual([
          2,
          expect.stringContaining(`issing required argument '${missing}'`),
        ])
      }
    })

    test.each([
      ['empty.jsonl', '', 'empty: not an export of changelogd.'],
      ['empty', '\n', 'empty: not an export of changelogd.'],
      ['g.json', 'garbage', 'not an export of changelogd.'],
      ['CHANGELOG.md', '## 1.0.0\n', 'not an export of changelogd. To import another file, name a product'],
      ['text.jsonl', '{"format":"changelogd","version":"2"}\n', 'line 1: version must be 2, not "2".'],
    ])('of %s with %j says what it is not', async (name, text, message) => {
      await using box = await Sandbox.on(engine)
      const file = join(box.directory, name)
      await Bun.write(file, text)
      expect(await box.refusal('import', '--all', file)).toStartWith(`changelogd: ${file}: ${message}`)
    })
  })
})
