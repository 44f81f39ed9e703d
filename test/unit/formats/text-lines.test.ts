import { expect, test } from 'bun:test'
import { TextLines, textLines } from '../../../src/formats/text-lines.ts'
import { chunks } from './native/samples.ts'

const bytesOf = (text: string) => new TextEncoder().encode(text)

test.each([
  ['an empty text', '', []],
  ['a text whose last line ends', 'a\nb\n', ['a', 'b']],
  ['a text whose last line does not end', 'a\nb', ['a', 'b']],
  ['a text with empty lines', '\na\n\nb', ['', 'a', '', 'b']],
  ['a text with a byte order mark and letters of several bytes', '\uFEFFé\n日本\n🎉', ['é', '日本', '🎉']],
])('%s is split into lines, whatever the size of the chunks', async (_, text, lines) => {
  for (const size of [1, 2, 3, 100])
    expect(await Array.fromAsync(textLines(chunks(bytesOf(text), size)))).toEqual(lines)
})

test('the lines of a text in memory are those that its line ends separate', () => {
  for (const text of ['', 'a', 'a\n', '\na\n\nb', 'é\n日本']) {
    const lines = new TextLines(text)
    const expected = text.split('\n')
    expect(lines.slice(0, lines.length + 1)).toEqual(expected)
    expect([lines.at(-1), lines.at(lines.length)]).toEqual(['', ''])
    let offset = 0
    for (const [at, line] of expected.entries()) {
      expect([lines.indexAt(offset), lines.indexAt(offset + line.length)]).toEqual([at, at])
      offset += line.length + 1
    }
  }
})

test('a line larger than 64 MB is refused before it is all in memory', async () => {
  let sent = 0
  async function* endless() {
    yield bytesOf('short\n')
    const part = new Uint8Array(1024 * 1024).fill(0x61)
    for (; ; sent++) yield part
  }
  await expect(Array.fromAsync(textLines(endless()))).rejects.toThrow('line 2: larger than 64 MB')
  expect(sent).toBe(64)
})
