import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type Choice, type Proof, REMOVING_LEFTOVERS } from '../proof.ts'
import type { Cell, Table } from '../table.ts'
import { countChangelog } from './counting/count.ts'
import { download, type File, RUSH_CHANGELOG } from './download.ts'
import { type FileRow, missedTargets, rowOf, type Share, total, wordsLost } from './files.ts'
import { type Growth, measureGrowth } from './growth.ts'
import { PACKAGES, REFUSALS, RUSH, UPGRADES } from './packages.ts'
import { importAndExport } from './program.ts'
import { measureUpgrade, type Upgrade } from './upgrades.ts'
import { cacheOf, DOWNLOADING, inTurn, of } from './work.ts'

const LEAST_IDS = 0.995

/** The first of everything is enough to see whether it works. */
const chosen = <T>({ quick }: Choice, all: readonly T[]): readonly T[] => (quick ? all.slice(0, 1) : all)

const PARTS = {
  // First, because the peak memory of a process is never less than what the one that starts it holds.
  growth: {
    async measure(choice: Choice) {
      const rows: Growth[] = []
      for (const megabytes of chosen(choice, [0.25, 0.5, 1, 2, 4, 8]))
        rows.push(await measureGrowth(megabytes))
      return { rows, failures: [] }
    },
    table: (rows: readonly Growth[]): Table => ({
      title: 'A changelog as generators write it, imported into an empty database',
      columns: ['MB', 'versions', 'processor seconds', 'peak memory, MB'],
      lines: rows.map(({ megabytes, versions, seconds, peakMegabytes }) => [
        ...[megabytes, versions, seconds.toFixed(2), Math.round(peakMegabytes)],
      ]),
    }),
  },
  packages: {
    async measure(choice: Choice) {
      const { dir, verbose } = choice.values
      const files = dir
        ? await readAll(String(dir))
        : await download(chosen(choice, PACKAGES), cacheOf(choice))
      const rows = await inTurn(files, async (file) =>
        rowOf(file, countChangelog(file.text), await importAndExport(file.text), verbose === true),
      )
      return { rows, failures: missedTargets(rows, REFUSALS) }
    },
    table: (rows: readonly FileRow[]): Table =>
      fileTable('Changelogs of npm packages at pinned versions, those that miss something by name', rows),
  },
  rush: {
    async measure(choice: Choice) {
      const packages = chosen(choice, RUSH)
      const markdown = await download(packages, cacheOf(choice))
      const json = await download(packages, cacheOf(choice), RUSH_CHANGELOG)
      const rows = await inTurn(json, async ({ name, text }, at) => {
        const expected = countChangelog(markdown[at]?.text ?? '')
        const imported = await importAndExport(text, 'CHANGELOG.json')
        // Words are not compared: this file has others.
        return { ...rowOf({ name, text }, expected, imported, false), lost: 0 }
      })
      return { rows, failures: missedTargets(rows, {}, 1) }
    },
    table: (rows: readonly FileRow[]): Table =>
      fileTable('CHANGELOG.json of Rush, compared with the count of the CHANGELOG.md beside it', rows),
  },
  upgrades: {
    async measure(choice: Choice) {
      const pairs = chosen(choice, UPGRADES)
      const files = await download(pairs.flat(), cacheOf(choice))
      const rows = await inTurn(pairs, (_, at) =>
        measureUpgrade(files[2 * at] as File, files[2 * at + 1] as File),
      )
      const failures = (['versions', 'changes'] as const).flatMap((field) => {
        const [kept, expected] = total(rows, field)
        return kept < expected * LEAST_IDS ? [`ids of ${field}: ${kept} of ${expected}`] : []
      })
      return { rows, failures }
    },
    table: (rows: readonly Upgrade[]): Table => ({
      title: 'Ids kept when a newer changelog of a package is imported over an older one',
      columns: ['from', 'to', 'ids of versions kept', 'ids of changes kept'],
      lines: [
        ...rows.filter((row) => isMissing(row.versions) || isMissing(row.changes)).map(upgradeCells),
        upgradeCells({
          ...{ from: `**${rows.length} upgrades**`, to: '' },
          ...{ versions: total(rows, 'versions'), changes: total(rows, 'changes') },
        }),
      ],
    }),
  },
}

/** The counts are made by other means: another markdown parser, and rules of its own (`counting/`). */
export const corpus: Proof<Growth | FileRow | Upgrade> = {
  name: 'corpus',
  proves: 'imports and exports real changelogs, and compares with counts made by other means',
  takes: 'ten minutes and the npm registry',
  isOnBinary: true,
  options: {
    ...DOWNLOADING,
    dir: { type: 'string', says: 'with `--only packages`: every file of a directory instead', isTrial: true },
  },
  parts: Object.keys(PARTS),
  sample: Object.keys(PARTS),
  tables: (parts) => parts.map(({ name, rows }) => PARTS[name as keyof typeof PARTS].table(rows as never[])),
  open(choice) {
    if (choice.values.dir !== undefined && choice.parts.join() !== 'packages')
      throw new Error('--dir goes with --only packages.')
    return {
      ...REMOVING_LEFTOVERS,
      measure: (part) => PARTS[part as keyof typeof PARTS].measure(choice),
    }
  },
}

async function readAll(directory: string): Promise<File[]> {
  const names = (await readdir(directory)).sort()
  return Promise.all(
    names.map(async (name) => ({ name, text: await Bun.file(join(directory, name)).text() })),
  )
}

const FIELDS = ['versions', 'dates', 'items', 'headings'] as const

/** Files of which something is missing, and the sum of all. */
function fileTable(title: string, rows: readonly FileRow[]): Table {
  const isWhole = (row: FileRow) =>
    row.refusal === null && row.stable && row.lost === 0 && !FIELDS.some((field) => isMissing(row[field]))
  const sum = (pick: (row: FileRow) => number) => rows.reduce((all, row) => all + pick(row), 0)
  const exact = sum(({ stable, refusal }) => (stable && refusal === null ? 1 : 0))
  return {
    title,
    columns: ['package', 'KB', ...FIELDS, 'words lost', 'round trip', 'warnings'],
    lines: [
      ...rows.filter((row) => !isWhole(row)).map(fileCells),
      [
        ...[`**${rows.length} files**`, sum(({ kilobytes }) => kilobytes)],
        ...FIELDS.map((field) => of(total(rows, field))),
        ...[wordsLost(rows), `${exact} exact`, sum(({ warnings }) => warnings)],
      ],
    ],
  }
}

const fileCells = ({ name, kilobytes, refusal, lost, stable, warnings, ...row }: FileRow): Cell[] =>
  refusal !== null
    ? [name, kilobytes, 'refused', '', '', '', '', REFUSALS[name] ?? refusal, '']
    : [
        name,
        kilobytes,
        ...FIELDS.map((field) => of(row[field])),
        lost,
        stable ? 'exact' : 'differs',
        warnings,
      ]

const upgradeCells = ({ from, to, versions, changes }: Upgrade): Cell[] => [
  from,
  to,
  of(versions),
  of(changes),
]

const isMissing = ([found, expected]: Share): boolean => found < expected
