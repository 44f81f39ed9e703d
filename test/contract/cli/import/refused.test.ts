import { expect, test } from 'bun:test'
import { Sandbox } from '../../../support/sandbox.ts'
import { ENGINES } from '../../../support/servers/server.ts'
import { id, isEmpty, linesOf, NOW } from './lines.ts'

const token = { hash: 'ab'.repeat(32), start: 'clk_AbCd', createdAt: NOW, expiresAt: null }
const key = {
  ...{ id: id('key', 1), kind: 'FULL', status: 'active', label: 'ci', createdAt: NOW, expiresAt: null },
  ...{ products: [] as string[], tokens: [token] },
}
const text = linesOf(2).join('')
const withKeys = (...keys: object[]) =>
  text.replace(
    /{"end".*/,
    [
      ...keys.map((each) => JSON.stringify({ key: each })),
      `{"end":{"team":1,"product":1,"version":2,"key":${keys.length}}}`,
    ].join('\n'),
  )

test.each(ENGINES)(
  'an export that the rules refuse is refused whole, naming the file and the line: %s',
  async (engine) => {
    await using box = await Sandbox.on(engine)
    for (const [broken, message] of [
      [
        withKeys({ ...key, kind: 'SELECT', products: ['gone'] }),
        `line 6: Key ${key.id} is for product acme/gone, which does not exist.\n`,
      ],
      [
        withKeys(key, { ...key, id: id('key', 2) }),
        `line 7: Key ${id('key', 2)} has the same token as key ${key.id}: clk_AbCd….\n`,
      ],
      [
        withKeys({ ...key, tokens: [token, token] }),
        `line 6: Key ${key.id} has the token clk_AbCd… twice.\n`,
      ],
      [text.replace('"name":"App"', '"name":"A\\nB"'), 'line 3: The name must be one line of text.\n'],
      ...['\\u0000', '\\ud800'].map(
        (character) =>
          [
            text.replace('"preamble":null', `"preamble":"A${character}"`),
            'line 3: The text before the first version contains characters that are not text.\n',
          ] as const,
      ),
      [
        text.replace('"title":"V', '"formerLabels":["0.9 "],"title":"V'),
        'line 4: version 1.2.0: "0.9 " is not a version label',
      ],
      [text.replace('1.2.0', '1.2.0 '), 'line 4: version 1.2.0 : "1.2.0 " is not a version label'],
      [text.replace('1.1.0', '1.2.0'), 'line 5: version 1.2.0 of acme/app is already on line 4.\n'],
      [text.replace(id('chg', 1), id('chg', 2)), 'line 5: version 1.1.0: '],
    ] as const) {
      await Bun.write(box.at('bad.jsonl'), broken)
      const { status, stderr } = await box.words('import --all bad.jsonl')
      expect([status, stderr]).toEqual([1, expect.stringContaining(`changelogd: bad.jsonl: ${message}`)])
      expect(await isEmpty(box)).toBe(true)
    }
  },
)
