/**
 * The battery of several nodes: `bun run battery:nodes [--quick] [--only NAME]`.
 *
 * Three nodes of dist/changelogd serve one PostgreSQL, which is killed, stopped, cut off and replaced while clients read and a
 * program writes; Redis is treated likewise. Everything runs on loopback and in temporary directories, and is removed
 * afterwards. A whole run takes about 25 minutes on two cores and writes its figures into docs/scale-out.md; see `battery.ts`
 * for the rest. It needs redis-server.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runBattery } from './battery.ts'
import { cut, promotion } from './cases/nodes/failover.ts'
import { engineKill, engineStop } from './cases/nodes/outages.ts'
import sharedLimit from './cases/nodes/shared-limit.ts'
import steady from './cases/nodes/steady.ts'
import { type Report, summary } from './report.ts'

const CASE_TIMEOUT_MS = 20 * 60_000

await runBattery(
  [steady, engineKill, engineStop, cut, promotion, sharedLimit],
  CASE_TIMEOUT_MS,
  (reports) => {
    const file = join(import.meta.dir, '../../docs/scale-out.md')
    writeFileSync(file, withFigures(readFileSync(file, 'utf8'), reports))
  },
)

/** The page with these figures between its two marks. */
function withFigures(page: string, reports: readonly Report[]): string {
  const [before, , after] = page.split(/(?<=<!-- figures -->\n)([\s\S]*)(?=<!-- end of figures -->)/)
  if (before === undefined || after === undefined) throw new Error('The page has no place for the figures.')
  return `${before}\n${summary(reports, new Date())}\n\n${after}`
}
