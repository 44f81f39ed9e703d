import { writeFileSync } from 'node:fs'
import { type DeskPage, TestDesk } from '../../../../test/support/desk/desk.ts'
import { type Case, type Effort, type Row, Tally } from '../../support/case.ts'
import { Place, PROGRAM } from '../../support/place.ts'

const TABS = 20
/** So many releases are in the followed file. */
const NEWEST = 50

export default {
  name: 'desk',
  how: 'Twenty tabs save at the desk, each to a version of its own, then all to the same one, while `sync` imports new releases of the same product. Where a save meets a conflict, the tab edits both texts together, and saves again.',
  run: async (effort) => [...(await saving('20 versions', effort)), ...(await saving('one version', effort))],
} satisfies Case

async function saving(what: '20 versions' | 'one version', { of }: Effort): Promise<Row[]> {
  const isShared = what === 'one version'
  const saves = of(1_000, 100) / TABS
  const answered = new Tally(`Every save to ${what} succeeds, or says what else was written`)
  const kept = new Tally(
    `Every line that was saved to ${what} is there once, and no other: none lost, none mixed`,
  )
  await using place = new Place()
  const source = place.at('CHANGELOG.md')
  writeFileSync(source, release(0))
  await place.must('follow', 'acme/app', source, '--create', '--publish', '--no-check')
  const desk = await TestDesk.enter(place.start([PROGRAM, 'desk']))
  const paths = await Promise.all(
    Array.from({ length: isShared ? 1 : TABS }, async (_, tab) => {
      const fresh = await desk.get('/acme/app/new')
      return (await desk.send(fresh, { ...FORM, label: `1.${tab}.0`, text: '- Begun' })).path
    }),
  )
  const began = performance.now()
  let [isOver, syncs, conflicts] = [false, 0, 0]
  const syncing = (async () => {
    while (!isOver) {
      const newest = Array.from({ length: Math.min(++syncs, NEWEST) }, (_, n) => release(syncs - n))
      writeFileSync(source, newest.join('\n'))
      const { status, stderr } = await place.run(['sync', 'acme/app'])
      answered.count(status === 0, () => `sync: status ${status}: ${stderr}`)
    }
  })()
  await Promise.all(
    Array.from({ length: TABS }, async (_, tab) => {
      const path = paths[isShared ? 0 : tab] as string
      let page = await desk.get(path)
      for (let at = 0; at < saves; at++) {
        const line = `- Tab ${tab}, save ${at}`
        page = await desk.send(page, { ...fieldsOf(page), text: `${page.field('text')}\n${line}` })
        while (page.status === 409) {
          conflicts++
          const together = await desk.send(page, fieldsOf(page), `${path}/together`)
          page = await desk.send(together, { ...fieldsOf(together), text: together.field('text') }, path)
        }
        answered.count(page.status === 200, () => `status ${page.status}: ${page.text}`)
      }
    }),
  )
  const seconds = (performance.now() - began) / 1000
  isOver = true
  await syncing
  for (const [at, path] of paths.entries()) {
    const lines = (await desk.get(path)).field('text').split('\n')
    const tabs = isShared ? Array.from({ length: TABS }, (_, tab) => tab) : [at]
    for (const tab of tabs)
      for (let save = 0; save < saves; save++) {
        const found = lines.filter((line) => line === `- Tab ${tab}, save ${save}`).length
        kept.count(found === 1, () => `save ${save} of tab ${tab} is there ${found} times`)
      }
    kept.count(lines.length === 1 + tabs.length * saves, () => `${path} has ${lines.length} lines`)
  }
  await desk.stop()
  kept.count(place.isWhole(), () => 'the database is damaged')
  return [
    answered.row(`${TABS * saves} saves, ${conflicts} conflicts, ${syncs} syncs, ${seconds.toFixed(0)} s`),
    kept.row(''),
  ]
}

const FORM = { title: '', date: '', do: 'save' }

const fieldsOf = (page: DeskPage) => ({ ...FORM, label: page.field('label'), text: page.field('text') })

const release = (n: number): string => `## 9.${n}.0 - 2026-01-02\n\n### Added\n\n- Release ${n}\n`
