import { describe, expect, test } from 'bun:test'
import { counts, prepared, type Shown } from '../prepared.ts'

const ids = ({ id, changes }: Shown) => ({ id, changes: changes.map((change) => change.id) })

describe('on release day', () => {
  const BEFORE = '## [Unreleased]\n\n- Login\n- Logout\n\n## [1.0.0] - 2026-01-02\n\n- Everything\n'
  const RELEASED = '## [1.1.0] - 2026-02-03\n\n- Login\n- Logout\n\n## [1.0.0] - 2026-01-02\n\n- Everything\n'

  test('the unreleased section becomes the version: it and its changes keep their ids, and no draft stays', async () => {
    await using at = await prepared()
    await at.bring(BEFORE)
    const before = await at.show('Unreleased')
    expect(counts(await at.bring(RELEASED))).toMatchObject({ added: 0, updated: 1, unchanged: 1, skipped: 0 })
    const after = await at.show('1.1.0')
    expect(ids(after)).toEqual(ids(before))
    expect(after).toMatchObject({
      title: '1.1.0',
      status: 'published',
      publishedAt: '2026-02-03T00:00:00.000Z',
    })
    expect((await at.list()).map(({ version }) => version)).toEqual(['1.1.0', '1.0.0'])
    expect(counts(await at.bring(RELEASED))).toMatchObject({ updated: 0, unchanged: 2 })
  })

  test('a fresh unreleased section inherits nothing', async () => {
    await using at = await prepared()
    await at.bring(BEFORE)
    const before = await at.show('Unreleased')
    await at.bring(`## [Unreleased]\n\n- Search\n\n${RELEASED}`)
    expect(ids(await at.show('1.1.0'))).toEqual(ids(before))
    const fresh = await at.show('Unreleased')
    expect(fresh.id).not.toBe(before.id)
    expect(fresh.changes).toHaveLength(1)
    expect(ids(before).changes).not.toContain(fresh.changes[0]?.id as string)
  })

  test('a file without dates publishes the version too', async () => {
    await using at = await prepared()
    await at.bring('## Unreleased\n\n- Login\n\n## 1.0.0\n\n- Everything\n')
    const before = await at.show('Unreleased')
    await at.bring('## 1.1.0\n\n- Login\n\n## 1.0.0\n\n- Everything\n')
    expect(await at.show('1.1.0')).toMatchObject({ id: before.id, status: 'published' })
    expect((await at.list()).map(({ version }) => version)).toEqual(['1.1.0', '1.0.0'])
  })

  test('a section that was published by hand becomes the version too, and is not hidden again', async () => {
    await using at = await prepared()
    await at.bring(BEFORE)
    const before = await at.show('Unreleased')
    await at.box.json('version', 'publish', 'acme/app', 'Unreleased')
    await at.bring(RELEASED, '--status', 'draft')
    expect(await at.show('1.1.0')).toMatchObject({ id: before.id, status: 'published' })
    expect((await at.list()).map(({ version }) => version).toSorted()).toEqual(['1.0.0', '1.1.0'])
  })

  test('--status draft keeps it hidden', async () => {
    await using at = await prepared()
    await at.bring(BEFORE)
    await at.bring(RELEASED, '--status', 'draft')
    expect((await at.show('1.1.0')).status).toBe('draft')
  })
})

describe('another source of the same product', () => {
  const FILE = '## [1.1.0] - 2026-02-03\n\n- Login\n\n## [1.0.0] - 2026-01-02\n\n- Everything\n'

  test('has the same versions under the labels of its tags, which keep their ids and labels', async () => {
    await using at = await prepared()
    await at.bring(FILE)
    const before = await at.show('1.1.0')
    const tags = FILE.replaceAll(/\[(1\..\.0)\]/g, '[v$1]')
    expect(counts(await at.bring(tags, '--prune', '--yes'))).toMatchObject({
      added: 0,
      unchanged: 2,
      pruned: 0,
    })
    expect(counts(await at.bring(FILE.replaceAll(/\[(1\..\.0)\]/g, '[app@$1]')))).toMatchObject({
      unchanged: 2,
    })
    expect(await at.show('1.1.0')).toEqual(before)
  })
})
