import type { Source } from '../../src/domain/records.ts'
import type { Checked } from '../../src/sources/check.ts'
import type { CheckContext } from '../../src/sources/check-context.ts'
import { Quotas } from '../../src/sources/quotas.ts'

export const NOW = Date.parse('2026-11-16T12:00:00Z')
export const DAY = 86_400_000

let count = 0

/** A source with what `follow` fills in. */
export const sourceOf = (url: string, fields: Partial<Source> = {}): Source => ({
  ...{ id: `src_${++count}`, url, kind: 'auto', hostKind: null, file: null, ref: null, tagDates: false },
  ...{
    tagPrefix: null,
    stable: false,
    pictures: true,
    every: 900_000,
    prune: false,
    paused: false,
    tokenFile: null,
    createdAt: NOW,
  },
  ...fields,
})

export const givenOf = (fields: Partial<CheckContext> = {}): CheckContext => ({
  ...{ env: { PATH: process.env.PATH }, allowPrivate: true, gitDirectory: '/nonexistent', knownHosts: null },
  database: '/nonexistent',
  ...{ now: NOW, signal: new AbortController().signal, quotas: new Quotas() },
  ...fields,
})

/** The labels of what was fetched; or how the check ended instead. */
export const labels = (checked: Checked): readonly string[] | string => {
  if (checked.state === 'fetched') return checked.input.parsed.versions.map(({ label }) => label)
  return 'reason' in checked ? `${checked.state}: ${checked.reason}` : checked.state
}
