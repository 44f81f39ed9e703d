import { type Candidate, changelogd, mcpLibrary } from '../candidates.ts'
import type { Ask } from '../client.ts'
import { versionOf } from '../data.ts'
import { atMost, compare } from '../figures.ts'
import { askOnce, throughput } from '../measure.ts'
import { interleave, processorFigures, rateFigures } from '../turns.ts'
import type { Row } from './row.ts'

/** What our server sets when it starts again: see src/run/javascript-engine.ts. */
const SMALL_HEAP = {
  BUN_JSC_forceRAMSize: String(64 * 2 ** 20),
  BUN_JSC_thresholdForFTLOptimizeAfterWarmUp: '1000000',
}

const NEWEST = '2026-07-28'

/** A call of a tool, by the newest protocol or by one of those before it. */
function callOf(name: string, given: object, protocol: string): Ask {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': protocol,
    'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  const isNewest = protocol === NEWEST
  return {
    path: '/mcp',
    headers: {
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      'MCP-Protocol-Version': protocol,
      ...(isNewest && { 'Mcp-Method': 'tools/call', 'Mcp-Name': name }),
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name, arguments: given, ...(isNewest && { _meta: meta }) },
    }),
  }
}

/** What agents cost. A candidate answers with something of its own, so processor time is what is compared. */
export const MCP: Row = {
  name: 'mcp',
  title: 'MCP: a cached range, against a tool of the library that returns the same',
  async measure(bench) {
    const { cores } = bench
    const effort = { ...bench.effort, measure: Math.min(3, bench.effort.measure) }
    const range = { changelog: 'team-0/product-0', from: versionOf(0).label }
    const ours = changelogd(bench.data('small'))
    const contestant = (name: string, server: Candidate, ask: Ask) => ({
      name,
      measure: async () => {
        const answer = await askOnce(server, cores, ask)
        return throughput(server, cores, effort, ask, answer)
      },
    })
    const answer = await askOnce(ours, cores, callOf('compare_versions', range, NEWEST))
    const samples = await interleave(
      bench,
      [NEWEST, '2025-11-25'].flatMap((protocol) => {
        const call = callOf('compare_versions', range, protocol)
        const constant = callOf('constant', {}, protocol)
        return [
          contestant(`changelogd, ${protocol}`, ours, call),
          contestant(`library, ${protocol}`, mcpLibrary(answer), constant),
          contestant(`library with as small a heap, ${protocol}`, mcpLibrary(answer, SMALL_HEAP), constant),
        ]
      }),
    )
    const figures = [...rateFigures(samples), ...processorFigures(samples)]
    const comparisons = [NEWEST, '2025-11-25'].flatMap((protocol) => {
      const processor = (name: string) => `${name}, ${protocol}, CPU of a request`
      return [
        compare(figures, processor('changelogd'), processor('library'), atMost(1.25)),
        compare(figures, processor('changelogd'), processor('library with as small a heap'), null),
      ]
    })
    return {
      figures,
      comparisons,
      note: 'Our answer has the changes of 19 versions, and passes limiter and cache. The library returns the same as a constant, at its usual heap and at the one that our server has.',
    }
  },
}
