import { describe, expect, test } from 'bun:test'
import { createCache } from '../../../src/http/cache.ts'

const OUTAGE_MS = 300_000

/** A cache over a revision that the test sets and confirms. */
function setUp(outageMs = OUTAGE_MS) {
  const store = { revision: 1, unconfirmedFor: 0, fails: false, changes: 0 }
  const cache = createCache(
    {
      revision: () => {
        if (store.fails) throw new Error('no answer')
        return store.revision
      },
      unconfirmedFor: () => store.unconfirmedFor,
    },
    outageMs,
    { changed: () => void store.changes++ },
  )
  return { store, cache }
}

describe('the cache', () => {
  test('drops everything at once when the revision changes', () => {
    const { store, cache } = setUp()
    const [one, other] = [cache.map<object>(10, () => 1), cache.map<object>(10, () => 1)]
    one.set('a', { is: 'a' }, cache.revision())
    other.set('b', { is: 'b' }, cache.revision())
    expect([one.get('a'), other.get('b')]).toEqual([{ is: 'a' }, { is: 'b' }])
    store.revision = 2
    expect([one.get('a'), other.get('b')]).toEqual([undefined, undefined])
    store.revision = 1
    expect([one.get('a'), other.get('b')]).toEqual([undefined, undefined])
  })

  test('keeps what has a stamp, and serves it again only after its stamp was found to be the same', () => {
    const { store, cache } = setUp()
    const map = cache.map<object>(100, () => 1)
    const set = () => {
      map.set('a', { is: 'a' }, cache.revision(), 'A')
      map.set('b', { is: 'b' }, cache.revision())
    }
    set()
    store.revision = 2
    expect([map.get('a'), map.getDuringOutage('a'), map.get('b')]).toEqual([undefined, undefined, undefined])
    expect(cache.usage()).toEqual({ bytes: 2, entries: 1 })
    // Renewed at a revision of before: the next request asks again.
    expect(map.renewed('a', 'A', 1)).toEqual({ is: 'a' })
    expect(map.get('a')).toBeUndefined()
    expect(map.renewed('a', 'A', 2)).toEqual({ is: 'a' })
    expect([map.get('a'), map.getDuringOutage('a')]).toEqual([{ is: 'a' }, { is: 'a' }])
    for (const other of ['B', null]) {
      expect(map.renewed('a', other, 2)).toBeUndefined()
      expect(map.renewed('a', 'A', 2)).toBeUndefined()
      set()
    }
    expect(map.renewed('b', null, 2)).toEqual({ is: 'b' })
    // What was read at an earlier revision has the stamp of that one.
    map.set('c', { is: 'c' }, 1, 'C')
    expect(map.get('c')).toBeUndefined()
    expect(map.renewed('c', 'C', 2)).toEqual({ is: 'c' })
  })

  test('does not keep what was read at an earlier revision, or at none', () => {
    const { store, cache } = setUp()
    const map = cache.map<object>(10, () => 1)
    const readAt = cache.revision()
    store.revision = 2
    // Another request sees the change while this one is still reading.
    map.get('a')
    map.set('a', {}, readAt)
    map.set('b', {}, null)
    expect([map.get('a'), map.get('b')]).toEqual([undefined, undefined])
  })

  test('takes no more bytes than it may, and drops the least recently used first', () => {
    const { cache } = setUp()
    const map = cache.map<{ bytes: number }>(100, ({ bytes }) => bytes)
    const kept = () => ['a', 'b', 'c', 'd'].filter((key) => map.get(key) !== undefined)
    for (const key of ['a', 'b', 'c']) map.set(key, { bytes: 33 }, 1)
    expect(map.get('a')).toBeDefined()
    map.set('d', { bytes: 33 }, 1)
    expect(kept()).toEqual(['a', 'c', 'd'])
    map.set('b', { bytes: 101 }, 1)
    expect(kept()).toEqual(['a', 'c', 'd'])
    map.set('b', { bytes: 60 }, 1)
    expect(kept()).toEqual(['b', 'd'])
  })

  test('tells what all maps take together, and of every change that empties them but not of the first revision', () => {
    const { store, cache } = setUp()
    for (const key of ['a', 'b']) cache.map<object>(100, () => 30).set(key, {}, cache.revision())
    expect([cache.usage(), store.changes]).toEqual([{ bytes: 60, entries: 2 }, 0])
    store.revision = 2
    cache.revision()
    expect([cache.usage(), store.changes]).toEqual([{ bytes: 0, entries: 0 }, 1])
  })

  test('keeps nothing with a size of 0, and serves nothing while the store fails', () => {
    const { store, cache } = setUp()
    const none = cache.map<object>(0, () => 1)
    none.set('a', {}, 1)
    expect(none.get('a')).toBeUndefined()
    const map = cache.map<object>(10, () => 1)
    map.set('a', {}, 1)
    expect(map.get('a')).toBeDefined()
    store.fails = true
    expect(map.get('a')).toBeUndefined()
  })

  test('serves nothing that was not confirmed within a second, and all of it once it is confirmed again', () => {
    const { store, cache } = setUp()
    const map = cache.map<object>(10, () => 1)
    map.set('a', { is: 'a' }, 1)
    store.unconfirmedFor = 999
    expect(map.get('a')).toEqual({ is: 'a' })
    store.unconfirmedFor = 1_000
    expect(map.get('a')).toBeUndefined()
    store.unconfirmedFor = 0
    expect(map.get('a')).toEqual({ is: 'a' })
    store.unconfirmedFor = 1_000
    map.get('a')
    Object.assign(store, { unconfirmedFor: 0, revision: 2 })
    expect(map.get('a')).toBeUndefined()
  })

  test('during an outage it serves what was right when the outage began, for so long and no longer', () => {
    const { store, cache } = setUp()
    const map = cache.map<object>(10, () => 1)
    map.set('a', { is: 'a' }, 1)
    store.unconfirmedFor = OUTAGE_MS - 1
    expect(map.getDuringOutage('a')).toEqual({ is: 'a' })
    store.unconfirmedFor = OUTAGE_MS
    expect(map.getDuringOutage('a')).toBeUndefined()
    Object.assign(store, { unconfirmedFor: 1_000, revision: 2 })
    expect(map.getDuringOutage('a')).toBeUndefined()
    store.fails = true
    expect(map.getDuringOutage('a')).toBeUndefined()
  })

  test('with an outage time of 0 it serves nothing during one', () => {
    const { store, cache } = setUp(0)
    const map = cache.map<object>(10, () => 1)
    map.set('a', {}, 1)
    store.unconfirmedFor = 1_000
    expect(map.getDuringOutage('a')).toBeUndefined()
    expect(cache.map<object>(0, () => 1).getDuringOutage('a')).toBeUndefined()
  })
})
