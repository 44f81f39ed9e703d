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

const MEGABYTE = 1024 * 1024
const part = new Uint8Array(MEGABYTE).fill(0x61)

test.each(['', 'short\n'])(
  'after %p, a line larger than 64 MB is refused before it is all in memory',
  async (first) => {
    let sent = 0
    async function* endless() {
      yield bytesOf(first)
      for (; ; sent++) yield part
    }
    const place = first === '' ? 'line 1' : 'line 2'
    await expect(Array.fromAsync(textLines(endless()))).rejects.toThrow(`${place}: larger than 64 MB`)
    expect(sent).toBe(64)
  },
)

test('a line of 64 MB is read, and so are lines that are larger together', async () => {
  async function* lines() {
    for (let at = 0; at < 64; at++) yield part
    const end = bytesOf('\nb')
    yield Buffer.concat([end, part.subarray(1)])
    for (let at = 0; at < 63; at++) yield part
  }
  const lengths: number[] = []
  for await (const line of textLines(lines())) lengths.push(line.length)
  expect(lengths).toEqual([64 * MEGABYTE, 64 * MEGABYTE])
})

test('a line that is not UTF-8 is named', async () => {
  const bytes = Buffer.concat([bytesOf('a\n'), new Uint8Array([0xff]), bytesOf('\n')])
  await expect(Array.fromAsync(textLines(chunks(bytes, 1)))).rejects.toThrow('line 2: not UTF-8')
})
