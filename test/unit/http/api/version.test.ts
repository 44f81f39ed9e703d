import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import { createReads } from '../../../../src/http/answers/reads.ts'
import type { RequestedPage, Source } from '../../../../src/http/api/json.ts'
import { changelogEnvelope, readInSlices, versionEnvelope } from '../../../../src/http/api/json.ts'
import { readVersion, writeInParts } from '../../../../src/http/api/version.ts'
import { isPartial } from '../../../../src/http/reading/slices.ts'
import { asStored } from '../../../../src/notes/pictures.ts'
import { withReads } from '../../../../src/store/queries/reads.ts'
import type { ChangelogRead, Page, VersionContent } from '../../../../src/store/store.ts'
import { openStore } from '../../../support/servers/handler.ts'

/** How many changes the versions have, the newest first. */
const COUNTS = [3, 249, 250, 251, 2, 0, 603, 500, 1]
/** The last change of the longest version is the only one of its type. */
const typeOf = (n: number): string => (n === 602 ? 'security' : n % 3 === 0 ? 'added' : 'fixed')
const PAGE: Page = { limit: 20, after: null, since: null, withChanges: true }

describe('a version with any number of changes', () => {
  let ids: string[] = []
  /** How many changes each read of the store returned. */
  let reads: number[] = []
  /** Runs after each read of the store. */
  let afterRead = () => {}

  const opened = openStore()
  const { seed, store } = opened
  const { changelogId } = seed.product(seed.team('acme'), 'app')
  seed.db.transaction(() => {
    ids = COUNTS.map((count, at) =>
      seed.version(changelogId, `${at}`, {
        publishedAt: Date.UTC(2026, 0, 1) - at,
        changes: Array.from({ length: count }, (_, n) => ({ type: typeOf(n), title: `“${n}”` })),
      }),
    )
  })()
  const noted = <T extends ChangelogRead['versions']>(versions: T) => {
    const changes = versions.reduce((sum, each) => sum + ('changes' in each ? each.changes.length : 0), 0)
    reads.push(changes)
    afterRead()
  }
  const recording = withReads(store, (own) => ({
    readChangelog: async (...request) => {
      const result = await own.readChangelog(...request)
      noted(result.value?.versions ?? [])
      return result
    },
    readVersion: async (...request) => {
      const result = await own.readVersion(...request)
      noted(result.value ? [result.value.version] : [])
      return result
    },
  }))
  beforeEach(() => {
    reads = []
    afterRead = () => {}
  })
  afterAll(() => opened[Symbol.dispose]())

  const of = { team: 'acme', product: 'app', pictures: asStored }
  const source = { ...of, reads: createReads(recording), audience: 'public' } as const
  /** From one state of the data. */
  const inTurn = async <T>(read: (source: Source) => Promise<T>): Promise<T> =>
    (await recording.snapshot((reads) => read({ ...source, reads: createReads(reads) }))).value
  const versionJson = async (name: string) => {
    const soon = await readVersion(source, name)
    if (!soon || soon.isMoved) return null
    if (!isPartial(soon.version)) return JSON.stringify(versionEnvelope(soon))
    return inTurn(async (source) => {
      const read = await readVersion(source, name)
      return read && writeInParts(source, read)
    })
  }
  const listOf = (page: RequestedPage) => inTurn((source) => readInSlices(source, page))

  test('is the same as if it was read at once, alone and in a list', async () => {
    for (const id of ids) {
      const { value: whole } = await opened.store.readVersion('public', 'acme', 'app', id)
      expect((await versionJson(id)) ?? '').toBe(whole ? JSON.stringify(versionEnvelope(whole)) : '')
    }
    for (const limit of [1, 4, 7, 20]) {
      const page = { ...PAGE, limit }
      const { value: whole } = await opened.store.readChangelog('public', 'acme', 'app', page)
      const value = await listOf(page)
      expect(value?.json).toBe(whole ? JSON.stringify(changelogEnvelope(whole)) : '')
      expect(value?.next ?? null).toEqual(whole?.next ?? null)
    }
  })

  test('is read 250 changes at a time', async () => {
    await versionJson(ids[6] as string)
    expect(reads).toEqual([250, 250, 250, 103])
    await listOf(PAGE)
    expect(Math.max(...reads)).toBeLessThanOrEqual(250)
  })

  test.each([[['added']], [['security']], [['fixed', 'security']], [['nothing']]])(
    'is left with its changes of the types %j, read 250 changes at a time',
    async (types) => {
      const { value: whole } = await opened.store.readChangelog('public', 'acme', 'app', PAGE)
      const versions = ((whole?.versions ?? []) as VersionContent[])
        .map((version) => ({
          ...version,
          changes: version.changes.filter(({ type }) => types.includes(type)),
        }))
        .filter(({ changes }) => changes.length > 0)
      const expected = JSON.stringify(changelogEnvelope({ ...(whole as ChangelogRead), versions }))
      const value = await listOf({ ...PAGE, select: ({ type }) => types.includes(type) })
      expect(value?.json).toBe(expected)
      expect(value?.next).toBeNull()
      expect(Math.max(...reads)).toBeLessThanOrEqual(250)
    },
  )

  test('is read as it was when its turn came, whatever is written while it is read', async () => {
    afterRead = () => {
      if (reads.length > 1) seed.db.run("UPDATE change SET title = 'Renamed'")
    }
    const json = await versionJson(ids[6] as string)
    expect(reads).toHaveLength(1 + 3)
    expect(json).not.toContain('Renamed')
    expect(await versionJson(ids[6] as string)).toContain('Renamed')
  })
})
