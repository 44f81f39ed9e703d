import { expect, test } from 'bun:test'
import { backupName, parseKeep, readName, superfluous } from '../../../src/domain/backups.ts'

const copyAt = (time: string) => {
  const at = Date.parse(time)
  return { at, name: backupName(at, 8, null), schema: 8, databaseId: null }
}

/** The days that stay, of one copy a day at noon and one at midnight. */
function kept(rule: string, days: readonly string[]): string[] {
  const keep = parseKeep(rule)
  if (!keep) throw new Error(rule)
  const copies = days.flatMap((day) => [copyAt(`${day}T00:00:00Z`), copyAt(`${day}T12:00:00Z`)])
  const gone = new Set(superfluous(copies, keep))
  return copies.filter((copy) => !gone.has(copy)).map(({ at }) => new Date(at).toISOString().slice(0, 13))
}

test('of each day, week and month the newest copy is kept, as many of them as asked for', () => {
  const days = [
    '2026-09-30',
    '2026-10-01',
    '2026-10-30',
    '2026-11-01',
    '2026-11-02',
    '2026-11-08',
    '2026-11-09',
  ]
  expect(kept('2d', days)).toEqual(['2026-11-08T12', '2026-11-09T12'])
  expect(kept('2w', days)).toEqual(['2026-11-08T12', '2026-11-09T12'])
  expect(kept('3w', days)).toEqual(['2026-11-01T12', '2026-11-08T12', '2026-11-09T12'])
  expect(kept('2m', days)).toEqual(['2026-10-30T12', '2026-11-09T12'])
  expect(kept('1d,9m', days)).toEqual(['2026-09-30T12', '2026-10-30T12', '2026-11-09T12'])
})

test('days without a copy do not count, so that a pause deletes nothing', () => {
  expect(kept('2d', ['2026-01-01', '2026-11-09'])).toEqual(['2026-01-01T12', '2026-11-09T12'])
})

test.each(['', '7', '7y', '0d', '7d,', '-1d', '7d 4w'])('%p is no rule', (text) => {
  expect(parseKeep(text)).toBeNull()
})

test('a name tells time, schema and database, and other files are none of ours', () => {
  const copy = copyAt('2026-11-16T11:50:00.123Z')
  expect(copy.name).toBe('changelogd-20261116T115000123Z-schema8.db.zst')
  expect(readName(copy.name)).toEqual(copy)
  const named = { ...copy, name: backupName(copy.at, 8, '0123456789ab'), databaseId: '0123456789ab' }
  expect(named.name).toBe('changelogd-20261116T115000123Z-schema8-0123456789ab.db.zst')
  expect(readName(named.name)).toEqual(named)
  for (const other of [`${copy.name}.json`, 'changelogd.db', copy.name.replace('1116', '1399')])
    expect(readName(other)).toBeNull()
})
