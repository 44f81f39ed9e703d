import { type Choice, type Measurement, type Part, type Proof, REMOVING_LEFTOVERS } from '../proof.ts'
import type { Table } from '../table.ts'
import { countDrawn, DRAWS, drawnFiles, TEXTS, UNOPENED } from './drawn.ts'
import { type FileRow, rowOf, type Share, total, wordsLost } from './files.ts'
import { dryRun, importAndExport } from './program.ts'
import { releasedVersions } from './releases.ts'
import { cacheOf, DOWNLOADING, inTurn, of } from './work.ts'

/** What a whole draw has, by the program's count or by that corrected by eye. What is null was not counted then. */
interface DrawRow {
  count: string
  files: number
  versions: Share
  dates: Share
  items: Share
  refused: number
  lost: number | null
  /** Of how many files the export reads differently. */
  unstable: number | null
  invented?: FileRow['invented']
}

/** What happened to texts that are no changelogs. */
interface TextsRow {
  texts: number
  /** Those in which versions were found. */
  taken: string[]
  /** Of these, those without a warning. */
  silent: string[]
}

/** They have no targets: what was drawn is told, not tuned. */
export const draws: Proof<DrawRow | TextsRow> = {
  name: 'draws',
  proves: 'imports changelogs that were drawn by a rule, and tells how much of them is found',
  takes: 'half an hour, the npm registry and apt',
  isOnBinary: true,
  options: DOWNLOADING,
  parts: [...DRAWS, ...TEXTS].filter((name) => !UNOPENED.includes(name)),
  sample: ['G'],
  tables: (parts) => [
    drawsTable(parts.filter(({ name }) => !isTexts(name)) as Part<DrawRow>[]),
    textsTable(parts.filter(({ name }) => isTexts(name)) as Part<TextsRow>[]),
  ],
  open: (choice) => ({
    ...REMOVING_LEFTOVERS,
    measure: (name) => (isTexts(name) ? measureTexts(name, choice) : measureDraw(name, choice)),
  }),
}

const isTexts = (name: string): boolean => (TEXTS as readonly string[]).includes(name)

async function measureDraw(draw: string, choice: Choice): Promise<Measurement<DrawRow>> {
  const isVerbose = choice.values.verbose === true
  const files = await drawnFiles(draw, cacheOf(choice), choice.quick)
  const both = await inTurn(files, async (file) => {
    const imported = await importAndExport(file.text, file.fileName)
    const released = await releasedVersions(file.name, cacheOf(choice))
    return [false, true].map((isCorrected) =>
      rowOf(file, countDrawn(file, isCorrected), imported, isCorrected && isVerbose, released),
    )
  })
  const [asItIs, corrected] = [0, 1].map((at) => both.flatMap((pair) => pair[at] ?? []))
  const rows = [drawRow('as it is', asItIs ?? [])]
  // Of a draw that nobody has looked at, nothing is corrected.
  if (!Bun.deepEquals(asItIs, corrected)) rows.push(drawRow('corrected by eye', corrected ?? []))
  return { rows, failures: [] }
}

async function measureTexts(set: string, choice: Choice): Promise<Measurement<TextsRow>> {
  const files = await drawnFiles(set, cacheOf(choice), choice.quick)
  const read = await inTurn(files, async ({ name, text, fileName = '' }) => ({
    name: `${name} ${fileName}`,
    result: await dryRun(text, fileName),
  }))
  const taken = read.flatMap(({ name, result }) => ('refusal' in result ? [] : [{ name, ...result }]))
  if (choice.values.verbose)
    for (const { name, versions, warnings } of taken)
      console.error(`${name}: ${versions} versions, ${warnings} warnings`)
  const silent = taken.filter(({ warnings }) => warnings === 0)
  const row = { texts: read.length, taken: taken.map(nameOf), silent: silent.map(nameOf) }
  return { rows: [row], failures: [] }
}

const nameOf = ({ name }: { name: string }): string => name

const drawRow = (count: string, rows: readonly FileRow[]): DrawRow => {
  const sum = (pick: (row: FileRow) => number) => rows.reduce((all, row) => all + pick(row), 0)
  return {
    ...{ count, files: rows.length },
    ...{ versions: total(rows, 'versions'), dates: total(rows, 'dates'), items: total(rows, 'items') },
    refused: rows.filter(({ refusal }) => refusal !== null).length,
    lost: wordsLost(rows),
    unstable: rows.filter(({ stable }) => !stable).length,
    invented: {
      versions: sum(({ invented }) => invented.versions),
      dates: sum(({ invented }) => invented.dates),
      hidden: sum(({ invented }) => invented.hidden),
    },
  }
}

const drawsTable = (parts: readonly Part<DrawRow>[]): Table => ({
  columns: [
    ...[
      'draw',
      'count',
      'files',
      'versions',
      'dates',
      'items',
      'refused',
      'words lost',
      'round trip differs',
    ],
    ...['false versions', 'wrong dates', 'releases hidden as drafts'],
  ],
  lines: parts.flatMap(({ name, rows }) =>
    rows.map(({ count, files, versions, dates, items, refused, lost, unstable, invented }) => [
      ...[name, count, files, percent(versions), percent(dates), percent(items)],
      ...[refused, lost ?? '', unstable ?? ''],
      ...[invented?.versions ?? '', invented?.dates ?? '', invented?.hidden ?? ''],
    ]),
  ),
})

const textsTable = (parts: readonly Part<TextsRow>[]): Table => ({
  title: 'Texts that are no changelogs',
  columns: ['set', 'texts', 'imported', 'of these without a warning'],
  lines: parts.flatMap(({ name, rows }) =>
    rows.map(({ texts, taken, silent }) => [name, texts, taken.length, silent.length]),
  ),
})

const percent = (share: Share): string =>
  `${of(share)} (${((100 * share[0]) / Math.max(1, share[1])).toFixed(2)} %)`
