import { expect, test } from 'bun:test'
import type { ParsedVersion } from '../../../../../src/formats/parsed.ts'
import { createWaiting } from '../../../../../src/store/engines/wait.ts'
import { open } from '../../../../../src/store/open.ts'
import { updateVersion } from '../../../../../src/transfer/save-version.ts'
import { readSection, sectionOf } from '../../../../../src/transfer/section.ts'
import fc from '../../../../support/fast-check.ts'
import { scratch } from '../../../../support/scratch.ts'

const NOW = Date.UTC(2026, 0, 2)
const TITLES = ['Search in all documents', 'Dark mode for everyone', 'A faster start', 'x', 'y', 'Search']

const change = fc.record({
  type: fc.constantFrom('added', 'fixed', 'bug-fixes'),
  title: fc.constantFrom(...TITLES),
  description: fc.constantFrom(null, 'More of it.', '- a\n- list'),
})
const changes = fc.array(change, { maxLength: 7 })

test('whatever is edited, the version is then what the text says, and what stays in it keeps its id', async () => {
  using place = scratch()
  const store = await open(
    `${place.path}/x.db`,
    'create',
    createWaiting(undefined, async () => {}),
  )
  await fc.assert(
    fc.asyncProperty(changes, changes, (before, after) =>
      store.transaction(
        async (records) => {
          const plan = { slug: 'acme', name: 'Acme', visibility: 'public', plan: 'paid' } as const
          const team = await records.teams.create(plan, NOW)
          const named = { slug: 'app', name: 'App', status: 'draft' } as const
          const product = await records.products.create(team, named, NOW)
          const bare = { label: '1', title: '1', status: 'draft', date: null, description: null } as const
          const version = await records.versions.create(product, bare, NOW)
          for (const each of before) await records.changes.add(product, version, each, null)
          const stored = await records.changes.list(version)
          const section = read(sectionOf(version, stored))
          const edited = { ...section, title: 'New', description: 'Text', changes: after }
          await updateVersion(records, product, { version, changes: stored, section }, edited, NOW)

          const saved = await records.changes.list(version)
          expect(saved.map(({ type, title, description }) => ({ type, title, description }))).toEqual(after)
          expect(saved.map(({ position }) => position)).toEqual(after.map((_, at) => at + 1))
          expect(await records.versions.find(product, '1')).toMatchObject({
            ...{ title: 'New', description: 'Text', status: 'draft', dated: false },
          })
          const text = ({ type, title, description }: (typeof stored)[number]) =>
            JSON.stringify([type, title, description])
          const ids = (list: typeof stored) => Map.groupBy(list, text)
          for (const [key, same] of ids(stored)) {
            const now = ids(saved).get(key) ?? []
            const kept = now.filter(({ id }) => same.some((one) => one.id === id))
            expect(kept).toHaveLength(Math.min(same.length, now.length))
          }
        },
        { commit: false },
      ),
    ),
    { numRuns: 60 },
  )
  store.close()
})

test('an author is not told that a text they edit has no date, only what is odd below its heading', () => {
  const warnings = (text: string) => {
    const found = readSection(text)
    return 'problem' in found ? found.problem.message : found.warnings
  }
  expect(warnings('## [1.0.0]\n\n- A\n')).toEqual([])
  expect(warnings('## [1.0.0] - 2026-02-31\n\n- A\n')).toEqual([])
})

function read(text: string): ParsedVersion {
  const section = readSection(text)
  if ('problem' in section) throw section.problem
  return section.version
}
