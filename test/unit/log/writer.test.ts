import { expect, test } from 'bun:test'
import { Writable } from 'node:stream'
import { createLogWriter } from '../../../src/log/writer.ts'

/** A stream whose reader takes what is written only when it is told to. */
function slowStream() {
  const taken: string[] = []
  let isReading = false
  let takeNext = () => {}
  const stream = new Writable({
    decodeStrings: false,
    write: (chunk, _, done) => {
      const take = () => {
        taken.push(String(chunk))
        done()
      }
      if (isReading) take()
      else takeNext = take
    },
  })
  const read = async () => {
    isReading = true
    takeNext()
    await new Promise((resolve) => stream.write('', resolve))
    isReading = false
  }
  return { stream, taken, read }
}

test('a reader that takes nothing leaves a bounded number of lines waiting, and learns how many it missed', async () => {
  const { stream, taken, read } = slowStream()
  const dropped: number[] = []
  const write = createLogWriter(stream, (count) => dropped.push(count), 6)
  for (const lines of ['one', 'two', 'three', 'four\nfive']) write(lines)
  await read()
  expect(dropped).toEqual([])
  write('six')
  write('seven')
  await read()
  expect(dropped).toEqual([3])
  expect(taken.join('')).toBe('one\ntwo\nsix\nseven\n')
})

test('a reader that keeps up misses nothing', async () => {
  const { stream, taken, read } = slowStream()
  const write = createLogWriter(stream, () => expect.unreachable(), 6)
  for (let at = 0; at < 20; at++) {
    write('line')
    await read()
  }
  expect(taken.join('')).toBe('line\n'.repeat(20))
})
