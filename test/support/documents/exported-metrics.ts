import { Counters, createMemory } from '../../../src/http/metrics/counters.ts'
import { metricsText } from '../../../src/http/metrics/exposition.ts'
import { workerMetricsText } from '../../../src/worker/metrics.ts'
import { samplesOf } from '../servers/exposition.ts'

/** The names of metrics in a query. */
export const metricsIn = (query: string): string[] =>
  query.match(/\b(?:changelogd|process)_[a-z][a-z_]*/g) ?? []

/** What a server exports once each thing has happened. */
export async function exportedByServer() {
  const memory = createMemory(1)
  new Counters(memory, 0).request('other', 200, 'hit', 1)
  return described(await metricsText(memory, { version: '1', commit: '', engine: 'sqlite', schema: 1 }, 0))
}

/** The same of a worker. */
export const exportedByWorker = async () =>
  described(
    await workerMetricsText({
      checks: { failed: 1 },
      changes: 1,
      sources: { ok: 1 },
      failing: new Map([['acme/app', 1]]),
      deliveries: { done: 1 },
      hooks: { stopped: 1 },
      givenUp: 1,
      copies: { results: { made: 1, failed: 0 }, every: 1, newestAt: 1, verifiedAt: 1, isFaulty: false },
    }),
  )

/** The names and the labels of all metrics in a text. */
function described(text: string) {
  const keys = [...samplesOf(text).keys()]
  return {
    names: new Set(keys.map((key) => key.split('{', 1)[0] ?? '')),
    labels: new Set(keys.flatMap((key) => key.match(/\w+(?==")/g) ?? [])),
    families: new Set([...text.matchAll(/^# TYPE (\S+) /gm)].map(([, name]) => name ?? '')),
  }
}
