/**
 * `bun run mutate [--quick] [name]`: makes one small change at a time in the code that decides who may read what, and runs the
 * tests on it, in copies of the project. A change that no test notices has survived. It fails below nine tenths killed, and
 * if it does not finish in time. `--quick` makes one change in each file, to see whether everything works.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { Copy, type Outcome } from './copy.ts'
import { type Mutation, mutationsOf } from './mutations.ts'
import { SUBJECTS, type Subject } from './subjects.ts'

const WORKERS = 2
/** No mutation is begun after this, so that all is over in twenty minutes. */
const DEADLINE_MS = 18 * 60_000
/** How long the unchanged tests may take. */
const UNCHANGED_MS = 120_000

interface Mutant extends Subject {
  original: string
  mutation: Mutation
  outcome?: Outcome
}

const {
  values: { quick },
  positionals: [name = ''],
} = parseArgs({ allowPositionals: true, options: { quick: { type: 'boolean', default: false } } })
/** One change in each file may be one of the few that survive. */
const leastKilled = quick ? 0.5 : 0.9
const started = Date.now()
const subjects = SUBJECTS.filter(({ file }) => file.includes(name))
const mutants = subjects.flatMap(mutantsOf)
if (mutants.length === 0) throw new Error(`no file that is mutated is called ${name}`)
const copies = Array.from({ length: WORKERS }, () => new Copy())
const removeCopies = () => {
  for (const copy of copies) copy.remove()
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => {
    removeCopies()
    process.exit(1)
  })

try {
  const timeouts = await measureTests()
  const queue = mutants.values()
  await inParallel(async (copy) => {
    for (const mutant of queue) {
      if (Date.now() - started > DEADLINE_MS) return
      mutant.outcome = await outcomeOf(copy, mutant, timeouts)
      if (mutant.outcome === 'passed') console.log(`survived  ${describe(mutant)}`)
    }
  })
} finally {
  removeCopies()
}
process.exitCode = report() ? 0 : 1

function mutantsOf(subject: Subject): Mutant[] {
  const original = readFileSync(join(import.meta.dir, '../..', subject.file), 'utf8')
  const mutations = mutationsOf(original).slice(0, quick ? 1 : undefined)
  return mutations.map((mutation) => ({ ...subject, original, mutation }))
}

/** Each worker with a copy of its own. */
async function inParallel(work: (copy: Copy) => Promise<void>): Promise<void> {
  await Promise.all(copies.map(work))
}

/** Runs every test file unchanged, and gives how long it may take with a mutation: a loop without end is killed by that. */
async function measureTests(): Promise<ReadonlyMap<string, number>> {
  const timeouts = new Map<string, number>()
  const queue = new Set(subjects.flatMap(({ tests }) => tests)).values()
  await inParallel(async (copy) => {
    for (const file of queue) {
      const from = Date.now()
      const { outcome, output } = await copy.test(file, UNCHANGED_MS)
      if (outcome !== 'passed') throw new Error(`${file} ${outcome} without any mutation:\n${output}`)
      timeouts.set(file, 10_000 + 5 * (Date.now() - from))
    }
  })
  return timeouts
}

/** The outcome of the first test file that does not pass, or of the last. */
async function outcomeOf(
  copy: Copy,
  { file, original, tests, mutation }: Mutant,
  timeouts: ReadonlyMap<string, number>,
): Promise<Outcome> {
  copy.write(file, mutation.text)
  let outcome: Outcome = 'passed'
  for (const test of tests) {
    ;({ outcome } = await copy.test(test, timeouts.get(test) ?? UNCHANGED_MS))
    if (outcome !== 'passed') break
  }
  copy.write(file, original)
  return outcome
}

/** Prints the figures, and says whether they are good enough. */
function report(): boolean {
  for (const { file } of subjects)
    console.log(`${file}: ${figures(mutants.filter((mutant) => mutant.file === file))}`)
  const minutes = ((Date.now() - started) / 60_000).toFixed(1)
  console.log(`All, in ${minutes} minutes: ${figures(mutants)}`)
  const killed = mutants.filter(isKilled).length
  const survived = mutants.filter(({ outcome }) => outcome === 'passed').length
  const isFinished = killed + survived === mutants.length
  if (!isFinished) console.log(`Not tried in time: ${mutants.length - killed - survived}`)
  return isFinished && killed >= leastKilled * mutants.length
}

function figures(of: readonly Mutant[]): string {
  const killed = of.filter(isKilled)
  const late = killed.filter(({ outcome }) => outcome === 'timed out').length
  const percent = ((100 * killed.length) / of.length).toFixed(1)
  return `${killed.length} of ${of.length} killed (${percent} %), ${late} of them by the timeout`
}

function isKilled({ outcome }: Mutant): boolean {
  return outcome === 'failed' || outcome === 'timed out'
}

function describe({ file, mutation: { line, column, before, after } }: Mutant): string {
  const one = (text: string) => text.replace(/\s+/g, ' ')
  return `${file}:${line}:${column}  ${one(before)} → ${one(after)}`
}
