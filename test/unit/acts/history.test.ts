import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { ALL_RIGHTS } from '../../../src/acts/acting.ts'
import { ACTS } from '../../../src/acts/acts.ts'
import type { Records } from '../../../src/store/records/records.ts'
import { openNow } from '../../../src/store/sqlite/commands.ts'
import { importChangelog } from '../../../src/transfer/import-changelog.ts'
import { parseChangelog } from '../../../src/transfer/parse-changelog.ts'
import { keptStates, recordsIn } from '../../../src/transfer/undo/keep.ts'
import { scratch } from '../../support/scratch.ts'

const OF = { team: 'acme', product: 'app' }
const SEEN = { of: OF, version: '1.0.0' }
const MINUTE = 60_000
const DAY = 1_440 * MINUTE
const START = Date.UTC(2026, 0, 2)

/** A version of a real database, to which somebody does something at a time. */
async function written() {
  const place = scratch()
  const store = openNow(join(place.path, 'x.db'), 'create')
  const as = (who: string | null, now: number) => (records: Records) => ({
    records,
    now,
    who,
    rights: ALL_RIGHTS,
  })
  const id = await store.transaction(async (records) => {
    const by = as(null, START)(records)
    await ACTS.findOrCreate.run(by, OF, true)
    const draft = { label: '1.0.0', title: 'First', status: 'draft', date: null, description: null } as const
    return (await ACTS.create.run(by, OF, draft)).version.id
  })
  const title = (records: Records, who: string | null, now: number, text: string) =>
    ACTS.update.run(as(who, now)(records), SEEN, { title: text })
  return {
    ...{ as, id, title, store },
    run: <T>(work: (records: Records) => Promise<T>) => store.transaction(work),
    /** What was done, by whom, and the title before it, newest first. */
    history: () =>
      store.snapshot(async (records) => {
        const states = await records.kept.history(id)
        return Promise.all(
          states.map(async (state) => {
            const lines = await Array.fromAsync((await recordsIn(records, state)).records())
            const version = lines.flatMap((line) =>
              'version' in line.record ? [line.record.version] : [],
            )[0]
            return [state.act, state.who, version?.title]
          }),
        )
      }),
    [Symbol.dispose]: () => {
      store.close()
      place[Symbol.dispose]()
    },
  }
}

test('each act keeps the text before it; saves of one person within ten minutes are one state', async () => {
  using at = await written()
  await at.run(async (records) => {
    await at.title(records, 'Mira', START + MINUTE, 'Second')
    await at.title(records, 'Mira', START + 9 * MINUTE, 'Third')
    await at.title(records, 'Mira', START + 12 * MINUTE, 'Fourth')
    await at.title(records, 'Tomas', START + 13 * MINUTE, 'Fifth')
    await at.title(records, 'Tomas', START + 14 * MINUTE, 'Fifth')
    await ACTS.publish.run(at.as('Mira', START + 15 * MINUTE)(records), SEEN, 'kept')
    await at.title(records, 'Tomas', START + 16 * MINUTE, 'Sixth')
    const change = { type: 'added', title: 'A change', description: null }
    const found = await records.products.find(OF.team, OF.product)
    const version = found && (await records.versions.find(found, at.id))
    if (!found || !version) throw new Error('It is gone')
    await ACTS.addChange.run(
      at.as(null, START + 17 * MINUTE)(records),
      { product: found, version },
      change,
      null,
    )
    const file = '## 1.0.0 - 2026-01-02 - Seventh\n\n- A change\n- Another one\n'
    const source = parseChangelog('CHANGELOG.md', file, 'keepachangelog')
    await importChangelog(records, OF, source, { now: START + 18 * MINUTE })
  })
  expect(await at.history()).toEqual([
    ['imported', null, 'Sixth'],
    ['saved', null, 'Sixth'],
    ['saved', 'Tomas', 'Fifth'],
    ['published', 'Mira', 'Fifth'],
    ['saved', 'Tomas', 'Fourth'],
    ['saved', 'Mira', 'Third'],
    ['saved', 'Mira', 'First'],
  ])
  expect(await at.store.snapshot((records) => keptStates(records))).toEqual([])
})

test('fifty texts of a version are kept for ninety days, and none that is forgotten', async () => {
  using at = await written()
  const titles = Array.from({ length: 52 }, (_, number) => `Title ${number}`)
  await at.run(async (records) => {
    for (const [number, title] of titles.entries())
      await at.title(records, null, START + number * 11 * MINUTE, title)
  })
  const full = await at.history()
  expect([full.length, full[0]?.[2], full.at(-1)?.[2]]).toEqual([50, 'Title 50', 'Title 1'])
  const last = START + 51 * 11 * MINUTE
  await at.run((records) => at.title(records, null, last + 90 * DAY - MINUTE, 'Later'))
  expect((await at.history()).map(([, , title]) => title)).toEqual(['Title 51', 'Title 50'])
  await at.run(async (records) => {
    const product = await records.products.find(OF.team, OF.product)
    if (!product) throw new Error('It is gone')
    const deletion = { product, versions: new Set([at.id]) }
    await ACTS.delete.run(at.as(null, last + 90 * DAY)(records), { what: 'it', forget: true }, deletion)
  })
  expect(await at.history()).toEqual([])
})
