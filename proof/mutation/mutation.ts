import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Proof } from '../proof.ts'
import { ROOT } from '../results.ts'
import { Copy } from './copy.ts'
import { type Mutation, mutationsOf } from './mutations.ts'
import { GROUPS, SUBJECTS, type Subject } from './subjects.ts'

const WORKERS = 2
/** How long the unchanged tests may take. */
const UNCHANGED_MS = 120_000
/** The share of the changes in a file that tests must notice. */
const LEAST_KILLED = 0.9

interface Row {
  file: string
  changes: number
  killed: number
  /** Of the killed ones, those whose tests did not end. */
  byTimeout: number
  survived: string[]
}

const nameOf = ({ file }: Subject): string => basename(file, '.ts')

/** Each change is made in a copy of the project, in which the tests of the file then run. */
export const mutation: Proof<Row> = {
  name: 'mutation',
  proves: 'changes code for access and content, and names the changes that no test notices',
  takes: '20 minutes',
  isOnBinary: false,
  parts: SUBJECTS.map(nameOf),
  sample: ['gate'],
  tables: (parts) => {
    const rows = parts.flatMap((part) => part.rows)
    const totals = Object.entries(GROUPS).map(([group, subjects]) => {
      const some = rows.filter(({ file }) => subjects.some((subject) => subject.file === file))
      const sum = (field: 'changes' | 'killed' | 'byTimeout') =>
        some.reduce((all, row) => all + row[field], 0)
      const [changes, killed, byTimeout] = [sum('changes'), sum('killed'), sum('byTimeout')]
      return { file: `all of ${group}`, changes, killed, byTimeout, survived: [] }
    })
    return [
      {
        columns: ['file', 'changes', 'killed', '%', 'by the timeout', 'survived'],
        lines: [...rows, ...totals].map(({ file, changes, killed, byTimeout, survived }) => {
          const percent = ((100 * killed) / Math.max(1, changes)).toFixed(1)
          return [file, changes, killed, percent, byTimeout, survived.map((each) => `\`${each}\``).join(', ')]
        }),
      },
    ]
  },
  open({ quick }) {
    const copies = Array.from({ length: WORKERS }, () => new Copy())
    /** One in each file may be one of the few that survive. */
    const [most, least] = quick ? [1, 0] : [undefined, LEAST_KILLED]
    return {
      async measure(name) {
        const subject = SUBJECTS.find((each) => nameOf(each) === name) as Subject
        const original = readFileSync(join(ROOT, subject.file), 'utf8')
        const mutations = mutationsOf(original).slice(0, most)
        // How long the tests may take with a change: a loop without end is killed by that.
        const timeoutMs = mutations.length === 0 ? 0 : await changedMs(copies[0] as Copy, subject)
        const survived: string[] = []
        let byTimeout = 0
        await share(copies, mutations, async (copy, mutation) => {
          copy.write(subject.file, mutation.text)
          const { outcome } = await copy.test(subject.tests, timeoutMs)
          copy.write(subject.file, original)
          if (outcome === 'passed') survived.push(described(mutation))
          if (outcome === 'timed out') byTimeout++
        })
        const [changes, killed] = [mutations.length, mutations.length - survived.length]
        return {
          rows: [{ file: subject.file, changes, killed, byTimeout, survived }],
          failures: killed < least * changes ? [`only ${killed} of ${changes} changes were noticed`] : [],
        }
      },
      async [Symbol.asyncDispose]() {
        for (const copy of copies) copy.remove()
      },
    }
  },
}

/** Does the work for each, one at a time in each copy. */
async function share<T>(copies: Copy[], all: readonly T[], work: (copy: Copy, one: T) => Promise<void>) {
  const queue = all.values()
  const ended = await Promise.allSettled(
    copies.map(async (copy) => {
      for (const one of queue) await work(copy, one)
    }),
  )
  for (const one of ended) if (one.status === 'rejected') throw one.reason
}

async function changedMs(copy: Copy, { tests }: Subject): Promise<number> {
  const from = Date.now()
  const { outcome, output } = await copy.test(tests, UNCHANGED_MS)
  if (outcome !== 'passed') throw new Error(`${tests} ${outcome} without any change:\n${output}`)
  return 5_000 + 4 * (Date.now() - from)
}

function described({ line, column, before, after }: Mutation): string {
  const one = (text: string) => text.replace(/\s+/g, ' ')
  return `${line}:${column} ${one(before)} → ${one(after)}`
}
