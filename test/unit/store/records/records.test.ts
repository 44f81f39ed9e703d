import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { DraftedVersion } from '../../../../src/domain/importing/merge.ts'
import {
  type Change,
  type ChangeDraft,
  STATUSES,
  VERSION_STATUSES,
  type Version,
  VISIBILITIES,
} from '../../../../src/domain/records.ts'
import { Refusal } from '../../../../src/domain/refusal.ts'
import { hiddenChangelog, hiddenVersion } from '../../../../src/domain/versions/hidden.ts'
import { createWaiting } from '../../../../src/store/engines/wait.ts'
import { open, openForServing } from '../../../../src/store/open.ts'
import type { Records } from '../../../../src/store/records/records.ts'
import type { Page, WritableStore } from '../../../../src/store/store.ts'
import { scratch } from '../../../support/scratch.ts'
import type { Seeder } from '../../../support/seed.ts'
import { ENGINES, newDatabase } from '../../../support/servers/server.ts'

const NOW = Date.UTC(2026, 0, 2)
const ALL: Page = { limit: null, after: null, since: null, withChanges: false }
/** What a newer program writes that this one is too old for. */
const NEWER = {
  SQLite: 'PRAGMA user_version = 99',
  PostgreSQL: 'UPDATE changelogd SET schema = 99, oldest_program = 99',
}

const newTeam = (records: Records, slug = 'acme') =>
  records.teams.create({ slug, name: 'Acme', visibility: 'public', plan: 'paid' }, NOW)

async function newProduct(records: Records) {
  return records.products.create(
    await newTeam(records),
    { slug: 'app', name: 'App', status: 'published' },
    NOW,
  )
}

const draft = (label: string, changes: ChangeDraft[] = []): DraftedVersion['version'] => ({
  label,
  title: `Version ${label}`,
  status: 'published',
  date: null,
  description: null,
  changes,
})

const incoming = (version: DraftedVersion['version']): DraftedVersion => ({
  from: 'changelog',
  version,
  newStatus: null,
  rank: 1,
  undatedAt: 0,
})

describe.each(ENGINES)('on %s', (engine) => {
  let directory: ReturnType<typeof scratch>
  let address: string
  let seed: Seeder
  let store: WritableStore

  beforeEach(async () => {
    directory = scratch()
    const created = await newDatabase(engine, directory.path)
    address = created.database
    seed = created.seed
    store = await open(address, 'create', createWaiting())
  })
  afterEach(() => {
    store.close()
    seed.db.close()
    directory[Symbol.dispose]()
  })

  describe('a transaction', () => {
    test('keeps everything when its work is done', async () => {
      const made = await store.transaction((records) => newTeam(records))
      expect(await store.snapshot((records) => records.teams.find('acme'))).toEqual(made)
    })

    test('keeps nothing when its work fails, however late', async () => {
      const failing = store.transaction(async (records) => {
        await newProduct(records)
        await new Promise(setImmediate)
        throw new Error('late')
      })
      expect(await failing.catch((error) => error)).toMatchObject({ message: 'late' })
      expect(await store.snapshot((records) => records.teams.list())).toEqual([])
      await store.transaction((records) => newTeam(records))
    })

    test('that does not commit is done whole, rules included, and keeps nothing', async () => {
      const planned = await store.transaction((records) => newProduct(records), { commit: false })
      expect(planned).toMatchObject({ slug: 'app', team: { slug: 'acme' } })
      expect(await store.snapshot((records) => records.teams.list())).toEqual([])
      const refused = store.transaction((records) => newTeam(records, 'not a slug'), { commit: false })
      expect(await refused.catch((error) => error)).toBeInstanceOf(Refusal)
      // It has let go of the lock.
      await store.transaction((records) => newTeam(records))
    })

    test('is the only one of its connection', async () => {
      const nested = store.transaction(() => store.transaction(async () => {}))
      expect(nested).rejects.toThrow('one transaction at a time')
      await nested.catch(() => {})
    })
  })

  test('a store that a newer program has migrated since it was opened is left alone', async () => {
    seed.db.run(NEWER[engine])
    for (const attempt of [store.transaction, store.snapshot]) {
      const refused = await attempt((records) => records.teams.list()).catch((error) => error)
      expect(refused).toBeInstanceOf(Refusal)
      expect(refused.message).toContain('newer changelogd')
    }
  })

  test('a snapshot reads one state of the data, whatever another process commits meanwhile', async () => {
    await store.transaction((records) => newTeam(records))
    const other = await open(address, 'write', createWaiting())
    const counts = await store.snapshot(async (records) => {
      const before = (await records.teams.list()).length
      await other.transaction((theirs) => newTeam(theirs, 'other'))
      return [before, (await records.teams.list()).length]
    })
    expect(counts).toEqual([1, 1])
    expect(await store.snapshot(async (records) => (await records.teams.list()).length)).toBe(2)
    other.close()
  })

  test('nothing is written within a snapshot', async () => {
    const writing = store.snapshot((records) => newTeam(records))
    expect(writing).rejects.toBeInstanceOf(Refusal)
    await writing.catch(() => {})
    await store.transaction((records) => newTeam(records))
  })

  /** Puts the drafts into a new product, as an import does. */
  const putAll = async (records: Records, drafts: readonly DraftedVersion['version'][]) => {
    const product = await newProduct(records)
    const versions = await records.transfer.importVersions(product, { now: NOW, overwrite: false })
    for (const version of drafts) await versions.put(incoming(version))
    await versions.end()
    return product
  }

  describe('bringing in many versions', () => {
    test('keeps their order, their changes and the rules', async () => {
      const change = (title: string): ChangeDraft => ({ type: 'added', title, description: null })
      const drafts = [draft('1', [change('a'), change('b')]), draft('2'), draft('3', [change('c')])]
      const product = await store.transaction((records) => putAll(records, drafts))
      await store.snapshot(async (records) => {
        const versions = await records.versions.list(product)
        expect(versions.map((each) => [each.label, each.changeCount])).toEqual([
          ['3', 1],
          ['2', 0],
          ['1', 2],
        ])
        const first = await records.versions.find(product, '1')
        const changes = first ? await records.changes.list(first) : []
        expect(changes.map((each) => [each.position, each.title])).toEqual([
          [1, 'a'],
          [2, 'b'],
        ])
      })
    })

    test('follows a further import, a deletion and what brings it back, and counts the changes', async () => {
      const change = (title: string): ChangeDraft => ({ type: 'added', title, description: null })
      const draftOf = (...titles: string[]) => draft('1', titles.map(change))
      const product = await store.transaction((records) => putAll(records, [draftOf('One', 'Two')]))
      const after = (work: (records: Records, version: Version) => Promise<unknown>) =>
        store.transaction(async (records) => {
          await work(records, (await records.versions.find(product, '1')) as Version)
          const version = (await records.versions.find(product, '1')) as Version
          return [version.changeCount, ...(await records.changes.list(version)).map(({ title }) => title)]
        })
      const imported = await after(async ({ transfer }) => {
        const versions = await transfer.importVersions(product, { now: NOW, overwrite: false })
        await versions.put(incoming({ ...draftOf('Three', 'One', 'Another'), title: 'Renamed' }))
        await versions.end()
      })
      expect(imported).toEqual([3, 'Three', 'One', 'Another'])
      let first: Change | undefined
      const deleted = await after(async ({ changes }, version) => {
        ;[first] = await changes.list(version)
        if (first) await changes.delete({ change: { ...first, position: 1 }, version, product })
      })
      expect(deleted).toEqual([2, 'One', 'Another'])
      const restored = await after(async ({ changes }, version) => {
        if (first) await changes.restore(product, version, first, 1)
      })
      expect(restored).toEqual(imported)
    })

    for (const [why, drafts] of [
      ['a label that is there already', [draft('1'), draft('1')]],
      [
        'a type that is none',
        [draft('1'), draft('2', [{ type: 'New Things', title: 'x', description: null }])],
      ],
      ['a title that is empty', [draft('1'), { ...draft('2'), title: ' ' }]],
    ] as const)
      test(`refuses them all for ${why}`, async () => {
        const adding = store.transaction((records) => putAll(records, drafts))
        expect(adding).rejects.toBeInstanceOf(Refusal)
        await adding.catch(() => {})
        expect(await store.snapshot((records) => records.teams.list())).toEqual([])
      })
  })

  test('what status calls public is what the public reads, in every combination of states', async () => {
    const serving = await openForServing(address, { waiting: createWaiting(), report: () => {} })
    for (const visibility of VISIBILITIES)
      for (const productStatus of STATUSES)
        for (const changelogStatus of STATUSES)
          for (const publication of [
            ...VERSION_STATUSES.map((status) => ({ status })),
            // By the time it is read, the moment has come.
            { status: 'draft', scheduled: true, date: NOW + 1 } as const,
            { status: 'draft', scheduled: true, date: Date.UTC(2099, 0) } as const,
          ]) {
            const { product, version } = await store.transaction(async (records) => {
              const existing = await records.teams.find('acme')
              if (existing) await records.teams.delete(existing)
              const team = await records.teams.create(
                { slug: 'acme', name: 'A', visibility, plan: 'free' },
                NOW,
              )
              const made = await records.products.create(
                team,
                { slug: 'app', name: 'App', status: 'draft' },
                NOW,
              )
              await records.versions.create(made, { ...draft('1'), ...publication }, NOW)
              const named = await records.products.updateChangelog(made, { status: changelogStatus })
              const product = await records.products.update(named, { status: productStatus })
              const [version] = await records.versions.list(product)
              return { product, version: version as Version }
            })
            const { value: changelog } = await serving.readChangelog('public', 'acme', 'app', ALL)
            const { value: read } = await serving.readVersion('public', 'acme', 'app', version.id)
            expect(changelog === null).toBe(hiddenChangelog(product).length > 0)
            expect(read === null).toBe(hiddenVersion(product, version).length > 0)
            expect(changelog?.versions.length ?? 0).toBe(read === null ? 0 : 1)
            await store.transaction(async (records) => {
              const open = await records.products.update(product, { status: 'draft' })
              await records.products.updateChangelog(open, { status: 'draft' })
            })
          }
    serving.close()
  })
})
