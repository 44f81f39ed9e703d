import { describe, expect, test } from 'bun:test'
import { createFresh } from '../../../src/http/pipeline/cache.ts'

describe('what is remembered', () => {
  test('is forgotten when the revision changes, all of it at once', () => {
    let revision = 1
    const fresh = createFresh(() => revision)
    const [one, other] = [fresh.map<object>(10, () => 1), fresh.map<object>(10, () => 1)]
    one.set('a', { is: 'a' }, fresh.revision())
    other.set('b', { is: 'b' }, fresh.revision())
    expect([one.get('a'), other.get('b')]).toEqual([{ is: 'a' }, { is: 'b' }])
    revision = 2
    expect([one.get('a'), other.get('b')]).toEqual([undefined, undefined])
    revision = 1
    expect([one.get('a'), other.get('b')]).toEqual([undefined, undefined])
  })

  test('is not what was read at a revision that has passed', () => {
    let revision = 1
    const fresh = createFresh(() => revision)
    const map = fresh.map<object>(10, () => 1)
    const readAt = fresh.revision()
    revision = 2
    map.set('a', {}, readAt)
    expect(map.get('a')).toBeUndefined()
  })

  test('takes no more bytes than it may, and the least recently used leaves first', () => {
    const fresh = createFresh(() => 1)
    const map = fresh.map<{ bytes: number }>(100, ({ bytes }) => bytes)
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

  test('is nothing where nothing may be, or while the store does not answer', () => {
    let fails = false
    const fresh = createFresh(() => {
      if (fails) throw new Error('no answer')
      return 1
    })
    const none = fresh.map<object>(0, () => 1)
    none.set('a', {}, 1)
    expect(none.get('a')).toBeUndefined()
    const map = fresh.map<object>(10, () => 1)
    map.set('a', {}, 1)
    fails = true
    expect(map.get('a')).toBeUndefined()
  })

  test('is collected soon after it was let go, though nothing else asks for the memory', async () => {
    const fresh = createFresh(() => 1)
    const map = fresh.map<{ text: string }>(10_000, () => 10_000)
    const seen: WeakRef<object>[] = []
    const put = (count: number) => {
      for (let at = 0; at < count; at++) {
        const value = { text: `${at}` }
        seen.push(new WeakRef(value))
        map.set(`${at}`, value, 1)
      }
    }
    put(200)
    await Bun.sleep(600)
    const left = seen.filter((each) => each.deref() !== undefined).length
    // The one that is kept; and the engine may take a stray number on its stack for one of the others.
    expect(left).toBeLessThan(20)
    expect(left).toBeGreaterThan(0)
  })
})
