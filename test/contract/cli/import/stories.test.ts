import { describe, expect, test } from 'bun:test'
import { ENGINES } from '../../../support/servers/server.ts'
import { type Listed, prepared, type Shown } from './prepared.ts'
import { EDITS } from './stories/edits.ts'
import { FILES } from './stories/files.ts'
import { MOVES } from './stories/moves.ts'
import type { Files, Story } from './stories/story.ts'

/** The id of everything, by `1.0.0` or `1.0.0: A title`; without `v`, and without the name of a package. */
type Ids = Map<string, string>

async function played({ before, after, byHand = [] }: Story): Promise<{ first: Ids; second: Ids }> {
  await using at = await prepared()
  const bring = async (files: Files) => {
    for (const [name, text] of Object.entries(
      typeof files === 'string' ? { 'CHANGELOG.md': files } : files,
    )) {
      await Bun.write(at.box.at(name), text)
      await at.box.json('import', 'acme/app', at.box.at(name))
    }
  }
  const idsNow = async (): Promise<Ids> => {
    const ids: Ids = new Map()
    for (const { id, version } of await at.box.json<Listed[]>('version', 'list', 'acme/app')) {
      ids.set(version, id)
      const { changes } = await at.box.json<Shown>('version', 'show', 'acme/app', version)
      for (const change of changes) ids.set(`${version}: ${change.title}`, change.id)
    }
    return ids
  }
  await bring(before)
  for (const args of byHand) await at.box.json(...args)
  const first = await idsNow()
  await bring(after)
  const second = await idsNow()
  const again = (await at.box.words('export --all')).stdout
  for (const [name] of typeof after === 'string' ? [['CHANGELOG.md']] : Object.entries(after))
    await at.box.json('import', 'acme/app', at.box.at(name ?? ''))
  expect((await at.box.words('export --all')).stdout).toBe(again)
  return { first, second }
}

describe('everything that a reader would call the same keeps its id when the author', () => {
  test.each([...EDITS, ...MOVES, ...FILES].map((story) => [story.name, story] as const))(
    '%s',
    async (_, story) => {
      const { first, second } = await played(story)
      const renamed = new Map((story.same ?? []).map((pair) => pair.split(' > ') as [string, string]))
      const fresh = new Set(story.fresh)
      const kept = [...first.keys()].flatMap((name) => {
        const now = renamed.get(name) ?? name
        return second.has(now) && !fresh.has(now) ? [[name, now] as const] : []
      })
      for (const [before, now] of renamed)
        expect([first.has(before), second.has(now), now]).toEqual([true, true, now])
      expect(kept.map(([before, now]) => [now, second.get(now) === first.get(before)])).toEqual(
        kept.map(([, now]) => [now, true]),
      )
      const known = new Set(first.values())
      for (const now of fresh) expect([now, known.has(second.get(now) ?? '')]).toEqual([now, false])
    },
  )
})

describe.each(ENGINES)('on %s', (engine) => {
  test('moved changes are counted where they came from and where they went, in the order of the file', async () => {
    await using at = await prepared(engine)
    await at.bring(
      '## 1.1.0 - 2026-02-03\n\n- Search\n- Log in\n- Dark mode\n\n## 1.0.0 - 2026-01-02\n\n- Everything\n- Export\n',
    )
    const after =
      '## 1.2.0 - 2026-03-04\n\n- Widget\n- Dark mode\n\n## 1.1.0 - 2026-02-03\n\n- Export\n- Search\n\n## 1.0.0 - 2026-01-02\n\n- Everything\n- Log in\n'
    const { versions } = await at.bring(after, '--dry-run')
    expect(versions.map(({ version, outcome, changes }) => [version, outcome, changes])).toEqual([
      ['1.2.0', 'added', { added: 2, changed: 0, removed: 0, moved: false }],
      ['1.1.0', 'updated', { added: 1, changed: 0, removed: 2, moved: false }],
      ['1.0.0', 'updated', { added: 1, changed: 0, removed: 1, moved: false }],
    ])
    expect(await at.bring(after)).toMatchObject({ added: 1, updated: 2 })
    const titles = async (label: string) => (await at.show(label)).changes.map(({ title }) => title)
    expect(await titles('1.2.0')).toEqual(['Widget', 'Dark mode'])
    expect(await titles('1.1.0')).toEqual(['Export', 'Search'])
    expect(await titles('1.0.0')).toEqual(['Everything', 'Log in'])
    expect((await at.list()).map(({ changeCount }) => changeCount)).toEqual([2, 2, 2])
    expect(await at.bring(after)).toMatchObject({ added: 0, updated: 0, unchanged: 3 })
  })
})

test('a version that was hidden by hand stays hidden when the file gives it another number', async () => {
  await using at = await prepared()
  const text = '## 1.1.0 - 2026-02-03\n\n- Search\n\n## 1.0.0 - 2026-01-02\n\n- Everything\n'
  await at.bring(text)
  await at.box.json('version', 'draft', 'acme/app', '1.1.0')
  await at.bring(text.replace('1.1.0', '2.0.0'))
  expect((await at.list()).map(({ version, status }) => [version, status])).toEqual([
    ['2.0.0', 'draft'],
    ['1.0.0', 'published'],
  ])
})
