import { expect, test } from 'bun:test'
import { textLines } from '../../../src/formats/text-lines.ts'
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
