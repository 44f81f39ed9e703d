import { version } from '../../../package.json'
import { commit } from '../../build-info.ts'
import type { Config } from '../../config/config.ts'
import { CONTENT_TYPE } from '../../log/prometheus.ts'
import { describeEngine } from '../../store/open.ts'
import { cannotListen, toChoosePort } from '../listening/listen-error.ts'
import { pathOf, targetOf } from '../target.ts'
import { createMemory } from './counters.ts'
import { metricsText } from './exposition.ts'

const METRICS_PATH = '/metrics'

export interface MetricsListener {
  readonly url: string
  readonly memory: SharedArrayBuffer
  stop(): Promise<void>
}

/** Serves metrics on their own port. Throws a `Refusal` if it cannot listen; later errors go to `report`. */
export async function startMetrics(
  config: Config,
  port: number,
  report: (error: unknown) => void,
): Promise<MetricsListener> {
  const memory = createMemory(config.threads)
  const build = { version, commit: commit ?? '', ...(await describeEngine(config.database)) }
  const text = () => metricsText(memory, build, config.cacheMaxBytes)
  const listener = listenForMetrics(config.metricsHost, port, 'metrics-port', text, report)
  return { ...listener, memory }
}

/** The same for metrics of another process. */
export function listenForMetrics(
  host: string,
  port: number,
  flag: string,
  text: () => Promise<string>,
  report: (error: unknown) => void,
): Omit<MetricsListener, 'memory'> {
  try {
    const server = Bun.serve({
      hostname: host,
      port,
      reusePort: false,
      development: false,
      fetch: async (request) => {
        if (pathOf(targetOf(request.url)) !== METRICS_PATH)
          return new Response(`The metrics are at ${METRICS_PATH}.\n`, { status: 404 })
        if (request.method !== 'GET' && request.method !== 'HEAD')
          return new Response('Use GET.\n', { status: 405, headers: { allow: 'GET, HEAD' } })
        return new Response(await text(), { headers: { 'content-type': CONTENT_TYPE } })
      },
      // Bun would print source lines into the log.
      error: (error) => {
        report(error)
        return new Response('The metrics cannot be read.\n', { status: 500 })
      },
    })
    // It must not keep a process running whose other port cannot be used.
    server.unref()
    return { url: `${server.url.origin}${METRICS_PATH}`, stop: () => server.stop(true) }
  } catch (error) {
    throw cannotListen(
      { host, port },
      error,
      toChoosePort(port, { [flag]: 'NUMBER', 'metrics-host': 'ADDRESS' }),
    )
  }
}
