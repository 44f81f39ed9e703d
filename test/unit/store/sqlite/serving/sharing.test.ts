import { expect, test } from 'bun:test'
import { createSharing, followSharing } from '../../../../../src/store/sqlite/serving/sharing.ts'

/** The main thread of two others, and what the first of them has connected to and closed. */
function open() {
  const sharing = createSharing(2)
  const events: string[] = []
  const thread = followSharing(sharing.memory, 0, () => {
    events.push('connect')
    return { close: () => events.push('close') }
  })
  return { sharing, thread, events }
}

test('a thread connects once to each database that the main thread has open', () => {
  const { sharing, thread, events } = open()
  expect(thread.current).toThrow('The database is not available.')
  sharing.open()
  expect(thread.current()).toBe(thread.current())
  sharing.lose()
  thread.follow()
  sharing.open()
  thread.current()
  expect(events).toEqual(['connect', 'close', 'connect'])
})

test('what the main thread has lost, a thread refuses at once, and lets go of', () => {
  const { sharing, thread, events } = open()
  sharing.open()
  thread.current()
  expect(sharing.isFree()).toBe(false)
  sharing.lose()
  expect(thread.current).toThrow('The database is not available.')
  expect([sharing.isFree(), events.at(-1)]).toEqual([true, 'close'])
  sharing.lose()
  expect(thread.current).toThrow()
  expect(events).toHaveLength(2)
})

test('a thread that has ended is not waited for', () => {
  const { sharing, thread } = open()
  sharing.open()
  thread.current()
  sharing.forget(1)
  expect(sharing.isFree()).toBe(false)
  sharing.forget(0)
  expect(sharing.isFree()).toBe(true)
})

test('a thread that cannot connect is not waited for either, and tries again', () => {
  const sharing = createSharing(1)
  let attempts = 0
  const thread = followSharing(sharing.memory, 0, () => {
    if (++attempts === 1) throw new Error('no more files')
    return { close: () => {} }
  })
  sharing.open()
  expect(thread.current).toThrow('no more files')
  expect(sharing.isFree()).toBe(true)
  expect(thread.current()).toBeDefined()
  expect(sharing.isFree()).toBe(false)
})
