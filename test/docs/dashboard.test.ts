import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { createMemory } from '../../src/http/metrics/cells.ts'
import { Counters } from '../../src/http/metrics/counters.ts'
import { metricsText } from '../../src/http/metrics/exposition.ts'
import { samplesOf } from '../support/servers/exposition.ts'

const docs = join(import.meta.dir, '../../docs')
const PREFIXES = /\b(?:changelogd|process)_[a-z][a-z_]*/g

/** The names and the labels of everything that is exported, once each thing has happened. */
async function exported() {
  const memory = createMemory(1)
  new Counters(memory, 0).request('', 200, 'hit', 1)
  const text = await metricsText(memory, { version: '1', commit: '', engine: 'sqlite', schema: 1 }, 0)
  const keys = [...samplesOf(text).keys()]
  return {
    names: new Set(keys.map((key) => key.split('{', 1)[0] ?? '')),
    labels: new Set(keys.flatMap((key) => key.match(/\w+(?==")/g) ?? [])),
    families: new Set([...text.matchAll(/^# TYPE (\S+) /gm)].map(([, name]) => name ?? '')),
  }
}

async function queries(): Promise<string[]> {
  const dashboard = await Bun.file(join(docs, 'dashboard.json')).json()
  return dashboard.panels.flatMap((panel: { targets: { expr: string }[] }) =>
    panel.targets.map(({ expr }) => expr),
  )
}

test('the dashboard asks only for metrics and labels that are exported', async () => {
  const { names, labels } = await exported()
  const exprs = await queries()
  expect(exprs.length).toBeGreaterThan(10)
  for (const expr of exprs) {
    const asked = expr.match(PREFIXES) ?? []
    expect(asked).not.toEqual([])
    for (const name of asked) expect(names).toContain(name)
    // Prometheus adds the instance.
    for (const label of expr.match(/\w+(?==~?")/g) ?? [])
      if (label !== 'instance') expect(labels).toContain(label)
  }
})

test('the dashboard shows every metric', async () => {
  const { families } = await exported()
  const asked = (await queries()).join('\n')
  for (const name of families) expect(asked).toContain(name)
})

test('the table of metrics names each that is exported, and no other', async () => {
  const { families } = await exported()
  const operating = await Bun.file(join(docs, 'operating.md')).text()
  const rows = operating.split('\n').filter((line) => line.startsWith('| `'))
  const named = rows.flatMap((row) => (row.split('|')[1] ?? '').match(PREFIXES) ?? [])
  expect(named.sort()).toEqual([...families].sort())
})
