import { describe, expect, test } from 'bun:test'
import type { Product } from '../../../../src/domain/records.ts'
import { Refusal } from '../../../../src/domain/refusal.ts'
import {
  checkSchedule,
  isAhead,
  type Publication,
  publicationAt,
  publicationOnUpdate,
} from '../../../../src/domain/time/schedule.ts'

const HOUR = 3_600_000
const NOW = Date.UTC(2026, 10, 15, 12)

const draft: Parameters<typeof publicationOnUpdate>[0] = {
  status: 'draft',
  scheduled: false,
  publishedAt: 100,
  dated: false,
  dateKnown: false,
  createdAt: 50,
}
const scheduled = { ...draft, scheduled: true, publishedAt: 1_000, dated: true, dateKnown: true }
const updated = (...[before, update, now]: Parameters<typeof publicationOnUpdate>) =>
  publicationOnUpdate(before, update, now)

const refusal = (work: () => void): Refusal => {
  try {
    work()
  } catch (error) {
    if (error instanceof Refusal) return error
  }
  throw new Error('it was not refused')
}

describe('a date is ahead', () => {
  test('to the millisecond if it has a time', () => {
    expect(isAhead(NOW + 1, NOW)).toBe(true)
    expect(isAhead(NOW, NOW)).toBe(false)
    expect(isAhead(NOW - 1, NOW)).toBe(false)
  })

  test('only once its day has begun nowhere, if it is a date alone', () => {
    const day = Date.UTC(2026, 10, 16)
    expect(isAhead(day, day - 14 * HOUR)).toBe(false)
    expect(isAhead(day, day - 14 * HOUR - 1)).toBe(true)
    expect(isAhead(day, day)).toBe(false)
  })
})

describe('publishedAt', () => {
  test('is stamped by publishing, unless the author gave a date', () => {
    expect(updated(draft, { status: 'published' }, 200).publishedAt).toBe(200)
    expect(updated({ ...draft, dated: true }, { status: 'published' }, 200).publishedAt).toBe(100)
    expect(updated(draft, { status: 'published', date: 5 }, 200)).toEqual({
      status: 'published',
      scheduled: false,
      publishedAt: 5,
      dated: true,
      dateKnown: true,
    })
  })

  test('stays otherwise, and so does whether the author gave it', () => {
    for (const dated of [true, false]) {
      const kept = { publishedAt: 100, dated }
      const dates = (before: Publication['status'], update: { status?: Publication['status'] }) => {
        const { publishedAt, dated } = updated({ ...draft, ...kept, status: before }, update, 200)
        return { publishedAt, dated }
      }
      expect(dates('published', { status: 'published' })).toEqual(kept)
      expect(dates('published', { status: 'draft' })).toEqual(kept)
      expect(dates('draft', { status: 'draft' })).toEqual(kept)
      expect(dates('draft', {})).toEqual(kept)
    }
  })
})

describe('whether a date is known', () => {
  const unknown = { ...draft, status: 'published' } as const
  test('is decided by publishing, which sets it, and by a date of the author', () => {
    expect(updated(draft, { status: 'published' }, 200).dateKnown).toBe(true)
    for (const version of [draft, unknown]) expect(updated(version, { date: 5 }, 200).dateKnown).toBe(true)
  })

  test('stays as it is otherwise, and of a draft its author must have given it', () => {
    for (const update of [{}, { status: 'published' }] as const)
      for (const dateKnown of [true, false])
        expect(updated({ ...unknown, dateKnown }, update, 200)).toMatchObject({ dateKnown, publishedAt: 100 })
    for (const dated of [true, false])
      expect(updated({ ...unknown, dated, dateKnown: true }, { status: 'draft' }, 200).dateKnown).toBe(dated)
  })
})

describe('a scheduled version', () => {
  test('is a draft before its moment, and published from then on', () => {
    expect(publicationAt(scheduled, 999)).toEqual(scheduled)
    for (const now of [1_000, 1_001])
      expect(publicationAt(scheduled, now)).toEqual({ ...scheduled, status: 'published', scheduled: false })
    expect(publicationAt(draft, 5_000)).toEqual(draft)
  })

  test('stays scheduled when something else is updated, and moves with its date', () => {
    expect(updated(scheduled, {}, 200)).toMatchObject({ scheduled: true, publishedAt: 1_000 })
    expect(updated(scheduled, { date: 2_000 }, 200)).toMatchObject({ scheduled: true, publishedAt: 2_000 })
    expect(updated(draft, { scheduled: true, date: 2_000 }, 200)).toEqual({
      status: 'draft',
      scheduled: true,
      publishedAt: 2_000,
      dated: true,
      dateKnown: true,
    })
  })

  test('that is published earlier is dated now', () => {
    expect(updated(scheduled, { status: 'published' }, 200)).toEqual({
      status: 'published',
      scheduled: false,
      publishedAt: 200,
      dated: false,
      dateKnown: true,
    })
  })

  test('that is scheduled no longer has no date: it is a draft as on the day it was created', () => {
    for (const update of [{ scheduled: false }, { status: 'draft' }] as const)
      expect(updated(scheduled, update, 200)).toEqual({
        status: 'draft',
        scheduled: false,
        publishedAt: 50,
        dated: false,
        dateKnown: false,
      })
  })
})

describe('scheduling', () => {
  const product = { slug: 'app', team: { slug: 'acme' } } as Product
  const before = { label: '1.2.0', status: 'draft' } as const

  test('refuses a moment that is not in the future, and names how to publish now', () => {
    for (const now of [1_000, 1_001]) {
      const { message, hint } = refusal(() => checkSchedule(product, before, scheduled, now))
      expect(message).toBe('1970-01-01 00:00:01 UTC is in the past.')
      expect(hint).toContain('changelogd version publish acme/app 1.2.0')
    }
    checkSchedule(product, before, scheduled, 999)
  })

  test('refuses what is published', () => {
    const published = { ...before, status: 'published' } as const
    const { message, hint } = refusal(() => checkSchedule(product, published, scheduled, 0))
    expect(message).toBe('Version 1.2.0 of acme/app is already published.')
    expect(hint).toContain('changelogd version draft acme/app 1.2.0')
  })
})
