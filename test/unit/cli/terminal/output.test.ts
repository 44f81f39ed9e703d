import { expect, test } from 'bun:test'
import { Writable } from 'node:stream'
import { writerTo } from '../../../../src/cli/terminal/output.ts'

test('a write is done when the stream has passed the text on, and not before', async () => {
  const taken: string[] = []
  const release: (() => void)[] = []
  const slow = new Writable({
    decodeStrings: false,
    write: (text, _, done) => {
      taken.push(text)
      release.push(done)
    },
  })
  const write = writerTo(() => slow)
  const first = write('one')
  const second = write('two')
  await turn()
  expect([taken, Bun.peek.status(first)]).toEqual([['one'], 'pending'])
  release[0]?.()
  await first
  await turn()
  expect([taken, Bun.peek.status(second)]).toEqual([['one', 'two'], 'pending'])
  release[1]?.()
  await second
})

test('a failed write ends the wait: the stream itself says what went wrong', async () => {
  const broken = new Writable({ write: (_, __, done) => done(new Error('no space left')) })
  const reported = new Promise<Error>((resolve) => broken.on('error', resolve))
  await writerTo(() => broken)('text')
  expect((await reported).message).toBe('no space left')
})

/** One turn of the event loop: time enough for everything that is not waiting for the stream. */
const turn = () => new Promise((resolve) => setImmediate(resolve))
