import { expect, test } from 'bun:test'
import { Unavailable } from '../../../../../src/domain/refusal.ts'
import { createSharing, followSharing } from '../../../../../src/store/sqlite/serving/sharing.ts'

/** The main thread of two others, and what the first of them has connected to and closed. */
function open() {
  const sharing = createSharing(2)
  const events: string[] = []
  const place = { memory: sharing.memory, thread: 0, threads: 2 }
  const thread = followSharing(place, (generation, index) => {
    events.push(`connect ${generation} ${index}`)
    return { generation, close: () => events.push(`close ${generation}`) }
  })
  return { sharing, thread, events }
}

const lost = (message: string, hint?: string) => new Unavailable(message, { hint })

test('a thread connects once to what the main thread has open, with its handle of the index if there is one', () => {
  const { sharing, thread, events } = open()
  sharing.open(7)
  expect(thread.current()).toBe(thread.current())
  sharing.lose(lost('gone'))
  thread.follow()
  sharing.open(null)
  thread.current()
  expect(events).toEqual(['connect 2 7', 'close 2', 'connect 4 null'])
})

test('what the main thread has lost, a thread refuses at once, with the reason, and then lets go of', () => {
  const { sharing, thread, events } = open()
  sharing.open(7)
  thread.current()
  expect(sharing.isFree()).toBe(false)
  sharing.lose(lost('The file is gone.', 'Put it back.'))
  expect(thread.current).toThrow('The file is gone. Put it back.')
  expect([sharing.isFree(), events.at(-1)]).toEqual([true, 'close 2'])
  sharing.lose(lost('Another file is there.'))
  expect(thread.current).toThrow('Another file is there.')
  expect(events).toHaveLength(2)
})

test('a thread that has ended is not waited for', () => {
  const { sharing, thread } = open()
  sharing.open(7)
  thread.current()
  sharing.forget(1)
  expect(sharing.isFree()).toBe(false)
  sharing.forget(0)
  expect(sharing.isFree()).toBe(true)
})

test('a thread that cannot connect is not waited for either, and tries again', () => {
  const sharing = createSharing(1)
  let attempts = 0
  const thread = followSharing({ memory: sharing.memory, thread: 0, threads: 1 }, () => {
    if (++attempts === 1) throw new Error('no more files')
    return { close: () => {} }
  })
  sharing.open(7)
  expect(thread.current).toThrow('no more files')
  expect(sharing.isFree()).toBe(true)
  expect(thread.current()).toBeDefined()
  expect(sharing.isFree()).toBe(false)
})
