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

type Update = Parameters<typeof publicationOnUpdate>[1]

const draft: Publication = {
  status: 'draft',
  scheduled: false,
  publishedAt: 100,
  dated: false,
  dateKnown: false,
}
const scheduled = { ...draft, scheduled: true, publishedAt: 1_000, dated: true, dateKnown: true }

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

describe('a version', () => {
  const published = { ...draft, status: 'published', dateKnown: true } as const
  const unknown = { ...published, dateKnown: false } as const
  /** As on the day it was created. */
  const undated = {
    status: 'draft',
    scheduled: false,
    publishedAt: 50,
    dated: false,
    dateKnown: false,
  } as const

  test.each<[string, Publication, Update, Partial<Publication>]>([
    ['that is published is dated now', draft, { status: 'published' }, { ...published, publishedAt: 200 }],
    [
      'keeps the date of its author then',
      { ...draft, dated: true },
      { status: 'published' },
      { publishedAt: 100 },
    ],
    [
      ...(['takes a new date of its author', draft, { status: 'published', date: 5 }] as const),
      { ...published, publishedAt: 5, dated: true },
    ],
    ['keeps its date when it is published again', published, { status: 'published' }, published],
    ['keeps it when it is not published', draft, {}, draft],
    [
      'keeps it as a draft',
      { ...published, dated: true },
      { status: 'draft' },
      { publishedAt: 100, dated: true },
    ],
    [
      'has a known date as a draft if its author gave it',
      published,
      { status: 'draft' },
      { dateKnown: false },
    ],
    ['has no known date by another update', unknown, {}, { dateKnown: false, publishedAt: 100 }],
    ['has no known date by being published again', unknown, { status: 'published' }, { dateKnown: false }],
    ['has a known date once its author gives one', unknown, { date: 5 }, { dateKnown: true, publishedAt: 5 }],
    ['stays scheduled', scheduled, {}, scheduled],
    ['moves with its date', scheduled, { date: 2_000 }, { scheduled: true, publishedAt: 2_000 }],
    ['can be scheduled', draft, { scheduled: true, date: 1_000 }, scheduled],
    [
      ...([
        'that was scheduled is dated now if published earlier',
        scheduled,
        { status: 'published' },
      ] as const),
      { ...published, publishedAt: 200, dated: false },
    ],
    ['that is scheduled no longer has no date', scheduled, { scheduled: false }, undated],
    ['that was scheduled has no date as a draft', scheduled, { status: 'draft' }, undated],
  ])('%s', (_, before, update, expected) => {
    expect(publicationOnUpdate({ ...before, createdAt: 50 }, update, 200)).toMatchObject(expected)
  })

  test('that is scheduled is a draft before its moment, and published from then on', () => {
    expect(publicationAt(scheduled, 999)).toEqual(scheduled)
    for (const now of [1_000, 1_001])
      expect(publicationAt(scheduled, now)).toEqual({ ...scheduled, status: 'published', scheduled: false })
    expect(publicationAt(draft, 5_000)).toEqual(draft)
  })
})

describe('scheduling', () => {
  const product = { slug: 'app', team: { slug: 'acme' } } as Product
  const before = { label: '1.2.0', status: 'draft' } as const
  const after = { ...scheduled, label: '1.2.0' }

  test('refuses a moment that is not in the future, and names how to publish now', () => {
    for (const now of [1_000, 1_001]) {
      const { message, hint } = refusal(() => checkSchedule(product, before, after, now))
      expect(message).toBe('1970-01-01 00:00:01 UTC is in the past.')
      expect(hint).toContain('changelogd version publish acme/app 1.2.0')
    }
    checkSchedule(product, before, after, 999)
  })

  test('refuses the draft that has no version, and names how to give it one', () => {
    const { message, hint } = refusal(() =>
      checkSchedule(product, before, { ...after, label: 'Unreleased' }, 0),
    )
    expect(message).toBe('The draft Unreleased of acme/app has no version to be published under.')
    expect(hint).toContain('changelogd release acme/app VERSION --at 1970-01-01T00:00:01.000Z')
  })

  test('refuses what is published', () => {
    const published = { ...before, status: 'published' } as const
    const { message, hint } = refusal(() => checkSchedule(product, published, after, 0))
    expect(message).toBe('Version 1.2.0 of acme/app is already published.')
    expect(hint).toContain('changelogd version draft acme/app 1.2.0')
  })
})
