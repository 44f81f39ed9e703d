import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { exportedByServer, exportedByWorker, metricsIn } from '../../support/documents/exported-metrics.ts'

const docs = join(import.meta.dir, '../../../docs')

async function queries(): Promise<string[]> {
  const dashboard = await Bun.file(join(docs, 'dashboard.json')).json()
  return dashboard.panels.flatMap((panel: { targets: { expr: string }[] }) =>
    panel.targets.map(({ expr }) => expr),
  )
}

test('the dashboard asks only for metrics and labels that are exported', async () => {
  const { names, labels } = await exportedByServer()
  const exprs = await queries()
  expect(exprs.length).toBeGreaterThan(10)
  for (const expr of exprs) {
    const asked = metricsIn(expr)
    expect(asked).not.toEqual([])
    for (const name of asked) expect(names).toContain(name)
    // Prometheus adds the instance.
    for (const label of expr.match(/\w+(?==~?")/g) ?? [])
      if (label !== 'instance') expect(labels).toContain(label)
  }
})

test('the dashboard shows every metric', async () => {
  const { families } = await exportedByServer()
  const asked = (await queries()).join('\n')
  for (const name of families) expect(asked).toContain(name)
})

test('the tables of metrics name each that a server or a worker exports, and no other', async () => {
  const [server, worker] = [await exportedByServer(), await exportedByWorker()]
  const page = await Bun.file(join(docs, 'reference/metrics.md')).text()
  const rows = page.split('\n').filter((line) => line.startsWith('| `'))
  const named = rows.flatMap((row) => metricsIn(row.split('|')[1] ?? ''))
  expect(named.sort()).toEqual([...server.families.union(worker.families)].sort())
})
