import { existsSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import type { ChangeDraft } from '../src/domain/records.ts'
import { mayBreak, saysBreaking } from '../src/domain/versions/marks/breaking.ts'
import { isSecurity } from '../src/domain/versions/marks/security.ts'
import { parseChangelog } from '../src/transfer/parse-changelog.ts'
import { type Proof, REMOVING_LEFTOVERS } from './proof.ts'

/** Of the changes of a language, a kind of project or a set, those that have a mark and those that are given it. */
interface Row {
  of: string
  judged: number
  marked: number
  found: number
  false: number
}

/** What is said to break is right, and finds what it finds. With what only may break, it finds most. */
const MARKS = {
  security: { column: 'security', is: isSecurity, leastPrecision: 0.95, leastRecall: 0.88 },
  breaking: { column: 'breaking', is: saysBreaking, leastPrecision: 0.98, leastRecall: 0 },
  'breaking or may break': {
    column: 'breaking',
    is: (change: ChangeDraft) => saysBreaking(change) || mayBreak(change),
    leastPrecision: 0.9,
    leastRecall: 0.7,
  },
}
type Mark = keyof typeof MARKS

/** The columns by which changes are told apart. */
const BY = ['set', 'lang', 'eco']

/** Rows of tab-separated values by the names in the first line. The rows stay where they are: the project has none of them. */
function readRows(path: string): Record<string, string>[] {
  const [first = '', ...lines] = readFileSync(path, 'utf8').trimEnd().split('\n')
  const names = first.split('\t')
  const missing = ['heading', 'text', 'security', 'breaking'].filter((name) => !names.includes(name))
  if (missing.length > 0) throw new Error(`${basename(path)} has no column ${missing.join(', ')}.`)
  return lines.map((line) => Object.fromEntries(line.split('\t').map((value, at) => [names[at], value])))
}

/** True if a change is marked when it is imported below its heading. */
function isGiven({ heading, text }: Record<string, string>, mark: Mark): boolean {
  const changelog = `# Changelog\n\n## [1.0.0] - 2026-01-01\n\n### ${heading || 'Changed'}\n\n- ${text}\n`
  const { parsed } = parseChangelog('CHANGELOG.md', changelog, 'keepachangelog')
  return parsed.versions.some(({ changes }) => changes.some(MARKS[mark].is))
}

function tally(
  of: string,
  rows: readonly Record<string, string>[],
  given: ReadonlySet<object>,
  mark: Mark,
): Row {
  const { column } = MARKS[mark]
  const judged = rows.filter((row) => row[column] === 'yes' || row[column] === 'no')
  const marked = judged.filter((row) => row[column] === 'yes')
  const found = marked.filter((row) => given.has(row))
  const wrong = judged.filter((row) => row[column] === 'no' && given.has(row))
  return { of, judged: judged.length, marked: marked.length, found: found.length, false: wrong.length }
}

const precision = (row: Row): number => row.found / (row.found + row.false)
const recall = (row: Row): number => row.found / row.marked
const percent = (share: number): string => (Number.isNaN(share) ? '–' : `${(100 * share).toFixed(1)} %`)

export const marks: Proof<Row> = {
  name: 'marks',
  proves: 'compares the marks of changes with those that were judged by hand',
  takes: 'a few seconds',
  isOnBinary: false,
  file: 'tab-separated values with the columns heading, text, security and breaking (yes, no or unsure), set, lang and eco',
  parts: Object.keys(MARKS),
  sample: Object.keys(MARKS),
  tables: (parts) =>
    parts.map(({ name, rows }) => ({
      title: name,
      columns: ['of', 'judged', 'marked', 'found', 'false', 'precision', 'recall'],
      lines: rows.map((row) => [
        ...[
          row.of,
          row.judged,
          row.marked,
          row.found,
          row.false,
          percent(precision(row)),
          percent(recall(row)),
        ],
      ]),
    })),
  open({ values }) {
    const path = String(values.file)
    if (!existsSync(path)) throw new Error(`There is no file ${path}.`)
    const rows = readRows(path)
    return {
      ...REMOVING_LEFTOVERS,
      async measure(part) {
        const mark = part as Mark
        const given = new Set(rows.filter((row) => isGiven(row, mark)))
        const all = tally('all', rows, given, mark)
        const others = BY.flatMap((name) =>
          [...Map.groupBy(rows, (row) => row[name] ?? '')]
            .sort(([one], [other]) => (one < other ? -1 : 1))
            .map(([value, own]) => tally(`${name} ${value}`, own, given, mark)),
        )
        const { leastPrecision, leastRecall } = MARKS[mark]
        const failures = [
          ...(precision(all) < leastPrecision ? [`precision ${percent(precision(all))}`] : []),
          ...(recall(all) < leastRecall ? [`recall ${percent(recall(all))}`] : []),
        ]
        return { rows: [all, ...others], failures }
      },
    }
  },
}
