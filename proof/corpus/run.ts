/**
 * Proof on files nobody here wrote: takes the changelogs of npm packages through import and export of the built binary,
 * and compares what came out with counts made by other means (count.ts, with another markdown parser).
 *
 *   bun test/corpus/run.ts               the pinned packages, from the npm registry
 *   bun test/corpus/run.ts --dir DIR     every file of a directory instead
 *   bun test/corpus/run.ts --cache DIR   keep what is downloaded, and use it the next time
 *   bun test/corpus/run.ts --draws       the draws by a rule (draw.ts) instead, which need apt for Debian's packages
 *   bun test/corpus/run.ts --draw C      one of the draws
 *   bun test/corpus/run.ts --quick       the first of everything, to see whether it works
 *   bun test/corpus/run.ts --verbose     say what is missing
 *
 * Prints markdown tables and exits 1 when a target is missed.
 */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { compare } from './compare.ts'
import { countChangelog, type Expected } from './counting/count.ts'
import { wordsMissing } from './counting/words.ts'
import { download, type File, RUSH_CHANGELOG } from './download.ts'
import { countDrawn, DRAWS, drawnFiles } from './drawn.ts'
import { type Growth, measureGrowth } from './growth.ts'
import { PACKAGES, REFUSALS, RUSH, UPGRADES } from './packages.ts'
import { type Imported, importAndExport, type Refused } from './program.ts'
import { measureRush, type RushPackage } from './rush.ts'
import { measureUpgrade, type Upgrade } from './upgrades.ts'

const TARGETS = { packages: 200, versions: 0.998, items: 0.998, dates: 0.995, headings: 1, ids: 0.995 }

/** What was found, of what was expected. */
type Share = [found: number, expected: number]

interface Row {
  name: string
  bytes: number
  refusal: string | null
  versions: Share
  dates: Share
  items: Share
  headings: Share
  lost: string[]
  warnings: number
  stable: boolean
}

const { values: options } = parseArgs({
  options: {
    dir: { type: 'string' },
    cache: { type: 'string' },
    draws: { type: 'boolean' },
    draw: { type: 'string' },
    quick: { type: 'boolean' },
    verbose: { type: 'boolean' },
  },
})
const chosen = <T>(all: readonly T[]): readonly T[] => (options.quick ? all.slice(0, 1) : all)

async function main(): Promise<void> {
  if (options.draws || options.draw !== undefined) {
    await measureDraws()
    return
  }
  // first, because the peak memory of a process is never less than what the one that starts it holds
  const growths: Growth[] = []
  if (options.dir === undefined)
    for (const megabytes of chosen([0.25, 0.5, 1, 2, 4, 8])) growths.push(await measureGrowth(megabytes))
  const files =
    options.dir === undefined ? await download(chosen(PACKAGES), options.cache) : await readAll(options.dir)
  const rows = await inTurn(files, 'files', measure)
  printFiles(rows)
  const rush = options.dir === undefined ? await measureRushPackages() : []
  if (rush.length > 0) printRush(rush)
  const upgrades = options.dir === undefined ? await measureUpgrades() : []
  if (upgrades.length > 0) printUpgrades(upgrades)
  if (growths.length > 0) printGrowth(growths)
  const failures = missedTargets(rows, rush, upgrades)
  for (const failure of failures) console.error(failure)
  process.exitCode = failures.length === 0 ? 0 : 1
}

async function measure(file: File): Promise<Row> {
  return rowOf(file, countChangelog(file.text), await importAndExport(file.text))
}

/** Each draw with its count as it is, and as corrected by eye. They have no targets: what was drawn is told, not tuned. */
async function measureDraws(): Promise<void> {
  const sums: (string | number)[][] = []
  for (const draw of DRAWS.filter((one) => one === (options.draw ?? one))) {
    const files = await drawnFiles(draw, options.cache, options.quick === true)
    const both = await inTurn(files, `files of draw ${draw}`, async (file) => {
      const imported = await importAndExport(file.text, file.fileName)
      return [false, true].map((isCorrected) => rowOf(file, countDrawn(file, isCorrected), imported))
    })
    for (const at of [0, 1]) {
      const rows = both.flatMap((pair) => pair[at] ?? [])
      if (at === 1) printFiles(rows)
      const shares = (['versions', 'dates', 'items'] as const).map((field) => percent(total(rows, field)))
      const refused = rows.filter(({ refusal }) => refusal !== null).length
      const lost = rows.reduce((sum, row) => sum + row.lost.length, 0)
      const unstable = rows.filter(({ stable }) => !stable).length
      sums.push([
        at === 0 ? draw : `${draw}, count corrected by eye`,
        rows.length,
        ...shares,
        refused,
        lost,
        unstable,
      ])
    }
  }
  console.log('')
  printRow('draw', 'files', 'versions', 'dates', 'items', 'refused', 'words lost', 'round trip differs')
  printRow('---', ...Array.from({ length: 7 }, () => '---:'))
  for (const sum of sums) printRow(...sum)
}

function rowOf({ name, text }: File, expected: Expected, imported: Imported | Refused): Row {
  const row = { name, bytes: Buffer.byteLength(text) }
  const dated = expected.versions.filter(({ day }) => day !== null).length
  const headings = expected.versions.reduce((sum, version) => sum + version.headings.length, 0)
  if ('refusal' in imported) {
    const { versions, items } = expected
    return {
      ...row,
      ...{ versions: none(versions.length), dates: none(dated), items: none(items.length) },
      headings: none(headings),
      refusal: imported.refusal,
      lost: [],
      warnings: 0,
      stable: true,
    }
  }
  const missing = compare(expected, imported.versions)
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n?|\n/)
  const lost = wordsMissing(lines, expected.headingLines, imported.markdown)
  if (options.verbose) {
    for (const { line, text } of missing.versions) console.error(`${name}:${line + 1}: no version: ${text}`)
    for (const { expected: version, found } of missing.days)
      console.error(
        `${name}:${version.line + 1}: ${found ?? 'no date'} instead of ${version.day}: ${version.text}`,
      )
    for (const item of missing.items.slice(0, 8)) console.error(`${name}: item missing: ${item}`)
    for (const heading of missing.headings.slice(0, 8)) console.error(`${name}: heading missing: ${heading}`)
    for (const label of missing.surplus) console.error(`${name}: not expected: ${label}`)
    if (lost.length > 0) console.error(`${name}: words lost: ${lost.slice(0, 30).join(' ')}`)
    if (!imported.stable) console.error(`${name}: the exported file reads differently`)
  }
  const undated = missing.versions.filter(({ day }) => day !== null).length
  const { warnings, stable } = imported
  return {
    ...row,
    refusal: null,
    versions: [expected.versions.length - missing.versions.length, expected.versions.length],
    dates: [dated - missing.days.length - undated, dated],
    items: [expected.items.length - missing.items.length, expected.items.length],
    headings: [headings - missing.headings.length, headings],
    ...{ lost, warnings, stable },
  }
}

const none = (expected: number): Share => [0, expected]

async function measureRushPackages(): Promise<RushPackage[]> {
  const packages = chosen(RUSH)
  const markdown = await download(packages, options.cache)
  const json = await download(packages, options.cache, RUSH_CHANGELOG)
  return inTurn(packages, 'packages of Rush', (_, at) => measureRush(markdown[at] as File, json[at] as File))
}

async function measureUpgrades(): Promise<Upgrade[]> {
  const pairs = chosen(UPGRADES)
  const files = await download(pairs.flat(), options.cache)
  return inTurn(pairs, 'upgrades', (_, at) =>
    measureUpgrade(files[2 * at] as File, files[2 * at + 1] as File),
  )
}

/** Does the work for each, as many at a time as there are processors, and returns the results in their order. */
async function inTurn<T, R>(
  all: readonly T[],
  what: string,
  work: (one: T, at: number) => Promise<R>,
): Promise<R[]> {
  const results: R[] = []
  const queue = [...all.entries()]
  const worker = async (): Promise<void> => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      results[next[0]] = await work(next[1], next[0])
      done++
      if (done % 50 === 0) console.error(`${done} of ${all.length} ${what}`)
    }
  }
  let done = 0
  await Promise.all(Array.from({ length: navigator.hardwareConcurrency }, worker))
  return results
}

function printFiles(rows: Row[]): void {
  printRow('package', 'KB', 'versions', 'dates', 'items', 'headings', 'words lost', 'round trip', 'warnings')
  printRow('---', ...['---:', '---:', '---:', '---:', '---:', '---:', '---', '---:'])
  for (const { name, bytes, refusal, versions, dates, items, headings, lost, warnings, stable } of rows) {
    const kilobytes = Math.round(bytes / 1024)
    if (refusal !== null) printRow(name, kilobytes, 'refused', '', '', '', '', REFUSALS[name] ?? refusal, '')
    else
      printRow(
        ...[name, kilobytes, of(versions), of(dates), of(items), of(headings), lost.length],
        ...[stable ? 'exact' : 'differs', warnings],
      )
  }
  const sum = (pick: (row: Row) => number) => rows.reduce((total, row) => total + pick(row), 0)
  printRow(
    `**${rows.length} files**`,
    Math.round(sum((row) => row.bytes) / 1024),
    ...[
      of(total(rows, 'versions')),
      of(total(rows, 'dates')),
      of(total(rows, 'items')),
      of(total(rows, 'headings')),
    ],
    sum((row) => row.lost.length),
    `${sum((row) => (row.stable && row.refusal === null ? 1 : 0))} exact`,
    sum((row) => row.warnings),
  )
}

function printRush(packages: RushPackage[]): void {
  console.log('')
  printRow('CHANGELOG.json of', 'versions', 'dates', 'items', 'headings', 'round trip')
  printRow('---', '---:', '---:', '---:', '---:', '---')
  for (const { name, versions, dates, items, headings, stable } of packages)
    printRow(name, of(versions), of(dates), of(items), of(headings), stable ? 'exact' : 'differs')
}

function printUpgrades(upgrades: Upgrade[]): void {
  console.log('')
  printRow('from', 'to', 'ids of versions kept', 'ids of changes kept')
  printRow('---', '---', '---:', '---:')
  for (const { from, to, versions, changes } of upgrades) printRow(from, to, of(versions), of(changes))
  printRow(
    `**${upgrades.length} upgrades**`,
    '',
    of(total(upgrades, 'versions')),
    of(total(upgrades, 'changes')),
  )
}

function printGrowth(growths: Growth[]): void {
  console.log('')
  printRow('MB', 'versions', 'processor seconds', 'peak memory, MB')
  printRow('---:', '---:', '---:', '---:')
  for (const { megabytes, versions, seconds, peakMegabytes } of growths)
    printRow(megabytes, versions, seconds.toFixed(2), Math.round(peakMegabytes))
}

const printRow = (...cells: (string | number)[]): void => console.log(`| ${cells.join(' | ')} |`)
const of = ([found, expected]: Share): string => `${found} / ${expected}`
const percent = ([found, expected]: Share): string =>
  `${of([found, expected])} (${((100 * found) / Math.max(1, expected)).toFixed(2)} %)`

function total<K extends string>(rows: Record<K, Share>[], field: K): Share {
  return rows.reduce<Share>(([a, b], row) => [a + row[field][0], b + row[field][1]], [0, 0])
}

function missedTargets(rows: Row[], rush: RushPackage[], upgrades: Upgrade[]): string[] {
  const missed: string[] = []
  const check = (what: string, [found, expected]: Share, target: number): void => {
    if (found < expected * target) missed.push(`${what}: ${found} of ${expected}`)
  }
  if (options.dir === undefined && !options.quick && rows.length < TARGETS.packages)
    missed.push(`only ${rows.length} of ${TARGETS.packages} files`)
  for (const field of ['versions', 'dates', 'items', 'headings'] as const)
    check(field, total(rows, field), TARGETS[field])
  for (const field of ['versions', 'dates', 'items', 'headings'] as const)
    check(`${field} of CHANGELOG.json`, total(rush, field), 1)
  for (const { name, stable } of rush)
    if (!stable) missed.push(`${name}: the exported file reads differently`)
  check('ids of versions', total(upgrades, 'versions'), TARGETS.ids)
  check('ids of changes', total(upgrades, 'changes'), TARGETS.ids)
  for (const { name, refusal, lost, stable } of rows) {
    if (refusal !== null && REFUSALS[name] === undefined) missed.push(`${name}: ${refusal}`)
    if (lost.length > 0) missed.push(`${name}: words lost: ${lost.slice(0, 20).join(' ')}`)
    if (!stable) missed.push(`${name}: the exported file reads differently`)
  }
  return missed
}

async function readAll(directory: string): Promise<File[]> {
  const names = (await readdir(directory)).sort()
  return Promise.all(
    names.map(async (name) => ({ name, text: await Bun.file(join(directory, name)).text() })),
  )
}

await main()
