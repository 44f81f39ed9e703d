import { outputOf } from '../../../../test/support/servers/process.ts'
import { until } from '../../../../test/support/until.ts'
import { mebibytes, processorSeconds } from '../../../bench/usage.ts'
import { type Case, Tally } from '../../support/case.ts'
import { Place, PROGRAM } from '../../support/place.ts'

const EVERY_MS = 900_000

export default {
  name: 'following',
  how: 'A worker follows 1,000 files on the web beside a server. After the first round nothing changes any more: a round then must ask once for each file, get 304 for all, and leave the cache of the server as it is.',
  async run({ of }) {
    const sources = of(1_000, 50)
    const idle = new Tally('A round without news asks each source once, and changes nothing')
    let [asked, news] = [0, 0]
    using host = Bun.serve({
      ...{ port: 0, hostname: '127.0.0.1', development: false },
      fetch: (request) => {
        asked++
        if (request.headers.get('if-none-match') === '"1"') return new Response(null, { status: 304 })
        news++
        return new Response('## 1.0.0 - 2026-01-02\n\n- A change\n', { headers: { etag: '"1"' } })
      },
    })
    await using place = new Place()
    place.fill((seed) => {
      const team = seed.team('acme')
      for (let n = 0; n < sources; n++) {
        const { id } = seed.product(team, `p${n}`)
        seed.db.run(
          `INSERT INTO source (id, product_id, url, kind, tag_dates, every, prune, paused, created_at)
            VALUES (?, ?, ?, 'auto', 0, ?, 0, 0, 0)`,
          [`src_${n}`, id, `http://127.0.0.1:${host.port}/${n}/CHANGELOG.md`, EVERY_MS],
        )
      }
    })
    const server = await place.serve({ METRICS_PORT: '0' })
    await until(() => server.lines.length >= 2)
    const metricsOf = (line: string | undefined) => /http:\S+metrics/.exec(line ?? '')?.[0] ?? ''
    const worker = place.start([PROGRAM, 'worker'], { FOLLOW_PRIVATE: 'true', WORKER_METRICS_PORT: '0' })
    const { lines } = outputOf(worker)
    await until(() => lines.length >= 2)
    const count = async (url: string, metric: string) => {
      const line = (await (await fetch(url)).text()).split('\n').find((each) => each.startsWith(`${metric} `))
      return Number(line?.slice(metric.length + 1) ?? 0)
    }
    const own = metricsOf(lines[1])
    const began = performance.now()
    await until(async () => (await count(own, 'changelogd_sources{state="ok"}')) === sources)
    const first = performance.now() - began
    const page = `http://127.0.0.1:${server.port}/changelog/acme/p1`
    const changes = () => count(metricsOf(server.lines[1]), 'changelogd_revision_changes_total')
    await (await fetch(page)).text()
    const before = { changes: await changes(), cpu: processorSeconds(worker.pid), asked, news }
    worker.kill('SIGUSR2')
    const unchanged = 'changelogd_source_checks_total{result="unchanged"}'
    await until(async () => (await count(own, unchanged)) >= sources)
    const cpu = processorSeconds(worker.pid) - before.cpu
    await (await fetch(page)).text()
    idle.count(asked - before.asked === sources, () => `${asked - before.asked} requests`)
    idle.count(news === before.news, () => `${news - before.news} answers with content`)
    idle.count((await changes()) === before.changes, () => 'the server dropped its cache')
    const memory = mebibytes(worker.pid)
    await server.stop()
    return [
      idle.row(
        `${sources} sources: first round ${(first / 1_000).toFixed(1)} s; idle round ${sources} requests, ${cpu.toFixed(1)} s of processor time, ${memory} MiB`,
      ),
    ]
  },
} satisfies Case
