import { removeLeftovers } from '../../test/support/leftovers.ts'
import { type Proof, REMOVING_LEFTOVERS } from '../proof.ts'
import type { Cell } from '../table.ts'
import { CASES, NODE_CASES } from './cases.ts'
import type { Case, Effort, Row } from './support/case.ts'

/** A row as it is stored: without what the failures looked like. */
type StoredRow = Omit<Row, 'failures'>

/** Every case has a server and a database of its own, on loopback and in a temporary directory. */
export const battery = ofCases({
  name: 'battery',
  proves: 'attacks the binary from outside and counts broken promises',
  takes: 'half an hour',
  cases: CASES,
  sample: ['signals', 'random-paths'],
  timeoutMinutes: 30,
  options: {
    minutes: { type: 'string', says: 'lets `agents` go on for so long: `--only agents --minutes 60`' },
  },
})

export const nodes = ofCases({
  name: 'nodes',
  proves:
    'runs three nodes on one PostgreSQL, and kills, stops, cuts off and replaces that and Redis while clients read and a program writes',
  takes: '25 minutes',
  cases: NODE_CASES,
  sample: ['shared-limit'],
  timeoutMinutes: 20,
  needs: { 'redis-server': 'redis-server' },
})

interface Options extends Pick<Proof, 'name' | 'proves' | 'takes' | 'sample' | 'options' | 'needs'> {
  cases: readonly Case[]
  /** A case that takes longer is ended, and has failed. */
  timeoutMinutes: number
}

function ofCases({ cases, timeoutMinutes, ...about }: Options): Proof<StoredRow> {
  return {
    ...about,
    isOnBinary: true,
    parts: cases.map(({ name }) => name),
    tables: (parts) => [
      {
        columns: ['case', 'tried', 'failed', 'figure', 'promise'],
        lines: parts.flatMap(({ name, rows }) => rows.map((row) => [name, ...cellsOf(row)])),
      },
    ],
    notes: () => cases.map(({ name, how }) => `- **${name}**: ${how}`).join('\n'),
    open({ quick, values }) {
      const minutes = Number(values.minutes ?? 0)
      if (!(minutes >= 0)) throw new Error(`--minutes takes a number, not ${values.minutes}.`)
      const effort: Effort = { of: (whole, short) => (quick ? short : whole), minutes }
      return {
        ...REMOVING_LEFTOVERS,
        async measure(name) {
          const { promise: tooLong, reject } = Promise.withResolvers<never>()
          const late = () => reject(new Error('it took too long'))
          const timer = setTimeout(late, (timeoutMinutes + minutes) * 60_000)
          try {
            const one = cases.find((each) => each.name === name)
            const rows = (await Promise.race([one?.run(effort), tooLong])) ?? []
            return {
              rows: rows.map(({ failures: _, ...row }) => row),
              failures: rows
                .filter(({ failed }) => failed > 0)
                .map(({ promise, failures }) => [promise, ...failures].join('\n  ')),
            }
          } finally {
            clearTimeout(timer)
            removeLeftovers()
          }
        },
      }
    },
  }
}

const cellsOf = ({ promise, tried, failed, figure, leftOut }: StoredRow): Cell[] =>
  leftOut === undefined
    ? [tried, failed === 0 ? 0 : `**${failed}**`, figure, promise]
    : ['', '', `left out: ${leftOut}`, promise]
