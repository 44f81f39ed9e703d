/**
 * `bun run proof` lists the proofs, `bun run proof NAME` runs one, `bun run proof --quick` the short form of some
 * parts of each.
 *
 * A whole run stores its results in `results/` and writes RESULTS.md. A run of some parts stores them with `--update`, and a
 * short form never. It ends with 1 if something failed, and with 2 if it could not begin.
 */
import { parseArgs } from 'node:util'
import { measuredOn, verdictOf, writePage } from './page.ts'
import type { Choice, Part, Proof } from './proof.ts'
import { PROOFS } from './proofs.ts'
import { measuredNow, ROOT, storedParts, storeParts } from './results.ts'
import { tableText } from './table.ts'

const COMMON = {
  quick: { type: 'boolean', says: 'a short form, to see whether everything works; the figures mean little' },
  only: { type: 'string', multiple: true, says: 'one part; may be given more than once' },
  update: { type: 'boolean', says: 'stores the results of these parts' },
  'no-build': { type: 'boolean', says: 'takes dist/changelogd as it is' },
} as const

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

const [first = '', ...rest] = process.argv.slice(2)
process.exit(await main().catch(refuse))

async function main(): Promise<number> {
  if (first === '' || first === '--help') {
    console.log(list())
    return 0
  }
  if (first === '--quick' && rest.length === 0) return runAll()
  const proof = PROOFS.find(({ name }) => name === first)
  if (!proof) throw new Error(`There is no proof ${first}: there are ${names(PROOFS)}.`)
  return runProof(proof, rest)
}

function list(): string {
  const options = (all: object) =>
    Object.entries(all as Record<string, { type: string; says: string }>).map(
      ([name, { type, says }]) => `  --${`${name}${type === 'string' ? ' …' : ''}`.padEnd(12)} ${says}`,
    )
  const proofs = PROOFS.map((proof) => {
    const parts = storedParts(proof)
    const count = (of: readonly Part[]) => (of.length === 1 ? '1 part' : `${of.length} parts`)
    const last =
      parts.length === 0 ? ['No results are stored.'] : [...measuredOn(parts, count), verdictOf(proof, parts)]
    return [
      `${proof.name}: ${proof.proves} (${proof.takes})`,
      ...(proof.file === undefined ? [] : [`  FILE         ${proof.file}`]),
      ...options(proof.options ?? {}),
      `  parts: ${proof.parts.join(', ')}`,
      ...last.map((line) => `  ${line}`),
    ].join('\n')
  })
  const usage = ['bun run proof NAME [options], or bun run proof --quick to see whether all of them work']
  return [[...usage, ...options(COMMON)].join('\n'), ...proofs].join('\n\n')
}

/** Each in a process of its own, so that none disturbs the next. */
async function runAll(): Promise<number> {
  await build()
  const failed: string[] = []
  for (const { name, sample } of PROOFS) {
    console.log(`\n${name}`)
    const only = sample.flatMap((part) => ['--only', part])
    const command = [process.execPath, import.meta.path, name, '--quick', '--no-build', ...only]
    const child = Bun.spawn(command, { cwd: ROOT, stdio: ['ignore', 'inherit', 'inherit'] })
    const end = async () => {
      child.kill()
      await child.exited
      process.exit(1)
    }
    for (const signal of SIGNALS) process.once(signal, end)
    if ((await child.exited) !== 0) failed.push(name)
    for (const signal of SIGNALS) process.off(signal, end)
  }
  console.log(failed.length === 0 ? '\nNothing failed.' : `\nFailed: ${failed.join(', ')}`)
  return failed.length === 0 ? 0 : 1
}

async function runProof(proof: Proof, args: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    ...{ args, options: { ...COMMON, ...proof.options } },
    allowPositionals: proof.file !== undefined,
  })
  const [file] = positionals
  if (proof.file !== undefined && file === undefined) {
    console.log(`${proof.name} was left out: it takes a file, ${proof.file}.`)
    return 0
  }
  const { quick = false, only = [], update = false, 'no-build': isBuilt = false, ...own } = values
  const unknown = only.filter((name) => !proof.parts.includes(name))
  if (unknown.length > 0)
    throw new Error(`${proof.name} has no part ${unknown.join(', ')}: it has ${proof.parts.join(', ')}.`)
  requirePrograms(proof)
  if (proof.isOnBinary && !isBuilt) await build()

  const chosen = proof.parts.filter((name) => only.length === 0 || only.includes(name))
  const isTrial = Object.keys(own).some((name) => proof.options?.[name]?.isTrial)
  const isStored = !quick && !isTrial && (only.length === 0 || update)
  const parts: Part[] = []
  for await (const part of measure(proof, { quick, parts: chosen, values: { ...own, file } })) {
    parts.push(part)
    // Each at once: a run of an hour may be interrupted.
    if (isStored) storeParts(proof, [part])
  }
  for (const table of proof.tables(parts)) console.log(`\n${tableText(table, true)}`)
  if (isStored) {
    writePage()
    console.log(`\nStored in proof/results/${proof.name}.json and proof/RESULTS.md.`)
  }
  return parts.some(({ failed }) => failed > 0) ? 1 : 0
}

async function* measure(proof: Proof, choice: Choice): AsyncGenerator<Part> {
  const measured = measuredNow()
  await using run = proof.open(choice)
  for (const signal of SIGNALS)
    process.once(signal, async () => {
      await run[Symbol.asyncDispose]()
      process.exit(1)
    })
  await run.prepare?.()
  for (const name of choice.parts) {
    process.stdout.write(`${name} …`)
    const began = performance.now()
    const { rows, failures } = await run.measure(name).catch((error: Error) => ({
      rows: [],
      failures: [error.stack ?? error.message],
    }))
    const seconds = Math.round((performance.now() - began) / 1000)
    console.log(` ${seconds} s`)
    for (const failure of failures) console.log(`  failed: ${failure.replaceAll('\n', '\n    ')}`)
    yield { name, measured, seconds, failed: failures.length, rows }
  }
}

async function build(): Promise<void> {
  const child = Bun.spawn([process.execPath, 'build.ts'], {
    cwd: ROOT,
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  if ((await child.exited) !== 0) throw new Error('The binary could not be built.')
}

/** Names everything that is missing at once, and what to type to have it. */
function requirePrograms({ name, needs = {} }: Proof): void {
  // Debian puts nginx where only root looks.
  const PATH = `${process.env.PATH}:/usr/sbin:/usr/local/sbin`
  const missing = Object.keys(needs).filter((program) => Bun.which(program, { PATH }) === null)
  if (missing.length > 0) {
    const packages = missing.map((program) => needs[program]).join(' ')
    throw new Error(`${name} needs ${missing.join(', ')}: apt-get install ${packages}`)
  }
}

function names(proofs: readonly Proof[]): string {
  return proofs.map(({ name }) => name).join(', ')
}

function refuse(error: Error): number {
  console.error(error.message)
  return 2
}
