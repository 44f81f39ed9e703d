import { expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { startProcess } from '../servers/process.ts'
import { until } from '../until.ts'
import { pidOf, type Running } from './cluster.ts'

/** A test run that starts a cluster, names it and goes on. */
const RUN = `
  const { startCluster } = await import('${join(import.meta.dir, 'cluster.ts')}')
  console.log(JSON.stringify(await startCluster()))
  await new Promise(() => setInterval(() => {}, 1_000))
`

test('a test run that is killed leaves no PostgreSQL behind, and none of its files', async () => {
  const env = { PATH: process.env.PATH ?? '' }
  const run = startProcess([process.execPath, '-e', RUN], { cwd: process.cwd(), env })
  const { value } = await run.stdout.getReader().read()
  const running = JSON.parse(new TextDecoder().decode(value)) as Running
  const place = dirname(running.logFile)
  const pid = pidOf(running)
  expect(process.kill(pid, 0)).toBe(true)
  run.kill('SIGKILL')
  await until(() => !existsSync(`/proc/${pid}`) && !existsSync(place))
}, 60_000)
