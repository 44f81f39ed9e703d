/**
 * Proof on files nobody here wrote: downloads the changelogs of well-known npm packages, takes each through
 * import and export of the built binary, and compares what came out with counts made by other means.
 *
 *   bun test/corpus/run.ts              the pinned packages below, from the npm registry
 *   bun test/corpus/run.ts --dir DIR    every file of a directory instead
 *
 * Prints a markdown table and exits 1 when a target is missed. Nothing downloaded is kept.
 */
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PACKAGES } from './packages.ts'

const TARGETS = { packages: 60, versions: 0.99, items: 0.99, wordsLost: 0 }

interface Imported {
  versions: number
  /** Titles of the changes, in order. */
  titles: string[]
  warnings: number
  markdown: string
  /** Whether importing the exported file changes nothing, and exporting once more gives the same bytes. */
  stable: boolean
  milliseconds: number
}

const BINARY = join(import.meta.dir, '../../dist/changelogd')

/** Takes a file through the program as a user would: import, export, and the export imported again. */
async function importAndExport({ name, text }: File): Promise<Imported> {
  const directory = await mkdtemp(join(tmpdir(), 'changelogd-corpus-'))
  const run = async (...args: string[]): Promise<string> => {
    const env = { DATABASE_URL: join(directory, 'corpus.db') }
    const child = Bun.spawn([BINARY, ...args], { env, stdout: 'pipe', stderr: 'pipe' })
    const [stdout, stderr] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
    ])
    if ((await child.exited) !== 0) throw new Error(`${name}: ${args.join(' ')}: ${stderr}`)
    return stdout
  }
  try {
    const [original, exported] = [join(directory, 'CHANGELOG.md'), join(directory, 'EXPORT.md')]
    await Bun.write(original, text)
    const begin = performance.now()
    const summary = JSON.parse(await run('import', 'corpus/file', original, '--create', '--json')) as Summary
    const milliseconds = performance.now() - begin
    const markdown = await run('export', 'corpus/file')
    await Bun.write(exported, markdown)
    const complete = JSON.parse(await run('export', 'corpus/file', '--format', 'json')) as Complete
    const again = JSON.parse(await run('import', 'corpus/file', exported, '--json')) as Summary
    const versions = complete.teams[0]?.products[0]?.versions ?? []
    return {
      versions: versions.length,
      titles: versions.flatMap(({ changes }) => changes.map(({ title }) => title)),
      warnings: summary.warnings.length,
      markdown,
      stable:
        again.added + again.updated + again.skipped === 0 &&
        markdown === (await run('export', 'corpus/file')),
      milliseconds,
    }
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}

interface Summary {
  added: number
  updated: number
  skipped: number
  warnings: unknown[]
}

interface Complete {
  teams: { products: { versions: { changes: { title: string }[] }[] }[] }[]
}

await main()

async function main(): Promise<void> {
  const directory = process.argv[2] === '--dir' ? process.argv[3] : undefined
  const verbose = process.argv.includes('--verbose')
  const files = directory === undefined ? await download() : await readAll(directory)
  const rows: Row[] = []
  for (const file of files) rows.push(await measure(file, verbose))
  printTable(rows)
  const failures = missedTargets(rows, directory === undefined)
  for (const failure of failures) console.error(failure)
  process.exitCode = failures.length === 0 ? 0 : 1
}

interface File {
  name: string
  text: string
}

interface Row {
  name: string
  bytes: number
  versions: [found: number, expected: number]
  items: [found: number, expected: number]
  lost: string[]
  warnings: number
  stable: boolean
  milliseconds: number
}

async function measure({ name, text }: File, verbose: boolean): Promise<Row> {
  const imported = await importAndExport({ name, text })
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n?|\n/)
  const expected = countByLines(lines)
  const missing = itemsMissing(expected.items, imported.titles)
  const lost = wordsMissing(lines, expected.headingLines, imported.markdown)
  if (verbose) {
    if (imported.versions !== expected.versions.length) {
      const headings = imported.markdown.split('\n').filter((line) => line.startsWith('## ['))
      console.error(`${name}: ${imported.versions} versions, expected ${expected.versions.length}`)
      const labels = new Set(headings.flatMap((line) => words(line)))
      for (const line of expected.versions)
        if (!words(line).some((word) => labels.has(word))) console.error(`  not found: ${line}`)
    }
    for (const item of missing.slice(0, 8)) console.error(`${name}: item missing: ${item}`)
    if (lost.length > 0) console.error(`${name}: words lost: ${lost.slice(0, 30).join(' ')}`)
    if (!imported.stable) console.error(`${name}: not stable`)
  }
  return {
    name,
    bytes: Buffer.byteLength(text),
    versions: [imported.versions, expected.versions.length],
    items: [expected.items.length - missing.length, expected.items.length],
    lost,
    warnings: imported.warnings,
    stable: imported.stable,
    milliseconds: imported.milliseconds,
  }
}

/**
 * The independent count. It knows nothing of syntax trees and looks at lines:
 * - Fenced code, from a fence to the next one of the same kind, and comments over several lines are skipped.
 * - A version heading is a line of `#` to `######`, or one above a line of `=` or `-`, that begins, once links,
 *   emphasis, tags and symbols are taken off, with a number like 1.2 or 1.2.3-rc.1 (after `v`, `version`,
 *   `release`, `name@` or a date and a comma or colon, if anything) followed by nothing, a date, a bracket or a
 *   separator, or by anything if the number has three parts; or that says `Unreleased` and nothing else.
 * - If there are none, a line at the margin that is such a number, alone or with a date behind or before it.
 * - An item is a line with a bullet (`-`, `*`, `+`, `1.`) after the first version heading. It is nested, and not
 *   counted, when it is indented at least as far as the text of the counted item above it. Headings and rules
 *   less indented than that, and text less indented after an empty line, end the list. Rules of `***` and `---`
 *   are no items.
 */
function countByLines(lines: string[]): { versions: string[]; items: string[]; headingLines: Set<number> } {
  const visible = blankOutCodeAndComments(lines)
  const headingLines = new Set<number>()
  const versionLines = new Set<number>()
  for (const [index, line] of visible.entries()) {
    const underline = visible[index + 1] ?? ''
    const setext =
      /^ {0,3}(=+|-{2,})\s*$/.test(underline) && line.trim() !== '' && !/^\s*([-*+>]|\d+[.)])\s/.test(line)
    if (!/^ {0,3}#{1,6}(\s|$)/.test(line) && !setext) continue
    headingLines.add(index)
    if (looksLikeVersion(line)) versionLines.add(index)
  }
  if (versionLines.size === 0) {
    for (const [index, line] of visible.entries()) {
      if (
        !/^[*_[]*(\d{4}-\d{2}-\d{2}: version )?v?\d+\.\d+\.\d+\S*(\s.*\d{4}\W*)?\W*$|^\*\*\d+\.\d+\.\d+\*\*\s.*\d{4}/i.test(
          line,
        )
      )
        continue
      versionLines.add(index)
      headingLines.add(index)
    }
  }

  const first = Math.min(...versionLines, lines.length)
  const items: string[] = []
  let textColumn: number | null = null
  let blankBefore = true
  for (const [index, line] of visible.entries()) {
    if (index <= first || line.trim() === '') {
      blankBefore = true
      continue
    }
    const bullet = /^([ \t]*)([-*+]|\d{1,9}[.)])([ \t]+)(?=\S)/.exec(line)
    const indent = columns(/^[ \t]*/.exec(line)?.[0] ?? '')
    const isRule = /^\s*([-*_])\s*(\1\s*){2,}$/.test(line)
    if (bullet !== null && !isRule && !headingLines.has(index)) {
      if (textColumn === null ? indent < 4 : indent < textColumn) {
        const gap = columns(bullet[0]) - columns((bullet[1] ?? '') + (bullet[2] ?? ''))
        textColumn = gap > 4 ? columns((bullet[1] ?? '') + (bullet[2] ?? '')) + 1 : columns(bullet[0])
        items.push(line)
      }
    } else if ((headingLines.has(index) || isRule || blankBefore) && indent < (textColumn ?? 0))
      textColumn = null
    blankBefore = false
  }
  return { versions: [...versionLines].map((index) => lines[index] ?? ''), items, headingLines }
}

function blankOutCodeAndComments(lines: string[]): string[] {
  let fence: string | null = null
  let inComment = false
  return lines.map((line) => {
    const mark = /^\s*(?:[-*+]\s+)?(`{3,}|~{3,})/.exec(line)?.[1]
    if (fence !== null) {
      if (mark?.startsWith(fence) && line.trim() === mark) fence = null
      return ''
    }
    if (inComment) {
      if (line.includes('-->')) inComment = false
      return ''
    }
    if (mark !== undefined && !line.slice(line.indexOf(mark) + mark.length).includes('`')) {
      fence = mark
      return /^\s*[-*+]\s/.test(line) ? line : ''
    }
    if (/^\s{0,3}<!--/.test(line) && !line.includes('-->')) {
      inComment = true
      return ''
    }
    return line
  })
}

function looksLikeVersion(line: string): boolean {
  const text = line
    .replace(/^\s*#+\s*/, '')
    .replace(/\s+#+\s*$/, '')
    .replace(/<[^>]*>/g, '')
    .replace(/\]\([^)]*\)|\]\[[^\]]*\]/g, ']')
    .replace(/^[^\p{L}\p{N}@]+/u, '')
    .replace(/[*_`[\]]/g, '')
    .trim()
  if (/^unreleased\W*$/i.test(text)) return true
  return /^(@?[\w./-]+@|v|version |release |\d{4}-\d{2}-\d{2}[,:] (version )?)?v?(\d+\.\d+\.\d+[\w.+-]*(\s|$|[(,:])|\d+\.\d+[\w.+-]*\s*($|[-–—(/,:|@]|\d{4}|[a-z]+ \d{1,2}(st|nd|rd|th)?,? \d{4}))/i.test(
    text,
  )
}

function columns(blanks: string): number {
  let column = 0
  for (const character of blanks) column += character === '\t' ? 4 - (column % 4) : 1
  return column
}

/** Items no title begins with. Links count by their text; a title may have its section's name in front. */
function itemsMissing(items: string[], titles: string[]): string[] {
  const keys = titles
    .flatMap((title) => [letters(title), letters(title.replace(/^(\*\*)?.{1,200}?:(\*\*)? /, ''))])
    .sort()
  const counts = new Map<string, number>()
  const missing: string[] = []
  for (const item of items) {
    const key = letters(item.replace(/^\s*([-*+]|\d+[.)])\s+/, '')).slice(0, 24)
    let low = 0
    let high = keys.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((keys[middle] ?? '') < key) low = middle + 1
      else high = middle
    }
    const taken = counts.get(key) ?? 0
    if (keys[low + taken]?.startsWith(key)) counts.set(key, taken + 1)
    else missing.push(item)
  }
  return missing
}

function letters(markdown: string): string {
  return markdown
    .replace(/\]\([^)]*\)|\]\[[^\]]*\]/g, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '')
}

/**
 * Words of the file that the export has fewer of. Left out: names of link definitions and references to them
 * (links are inline in the export), definitions that are there twice, anchors and tags of headings, bullets and their numbers. Headings become
 * dates and types, so their words need to be somewhere in the export only once, and months, ordinals and emoji
 * names not at all; the same goes for a line that is nothing but a date.
 */
function wordsMissing(lines: string[], headingLines: Set<number>, markdown: string): string[] {
  const exported = new Map<string, number>()
  for (const word of words(markdown)) exported.set(word, (exported.get(word) ?? 0) + 1)
  const needed = new Map<string, number>()
  const definitions = new Set<string>()
  for (const [index, line] of lines.entries()) {
    if (
      headingLines.has(index) ||
      (words(line).length < 6 &&
        /\d{4}/.test(line) &&
        words(line).every((word) => isDateWord(word) || /^\d+$/.test(word)))
    ) {
      const text = line.replace(/<[^>]*>/g, ' ').replace(/:[a-z0-9_+-]+:/g, ' ')
      for (const word of words(text))
        if (!isDateWord(word)) needed.set(word, Math.max(1, needed.get(word) ?? 0))
      continue
    }
    if (/^\[[^\]]+\]:/.test(line)) {
      if (definitions.has(line.toLowerCase())) continue
      definitions.add(line.toLowerCase())
    }
    const text = line
      .replace(/^\s*\[[^\]]+\]:/, ' ')
      .replace(/\]\[[^\]]*\]/g, '] ')
      .replace(/^\s*\d+[.)]\s/, ' ')
      .replace(/<a (name|id)=[^>]*>/g, ' ')
      .replace(/<\/a>/g, ' ')
    for (const word of words(text)) needed.set(word, (needed.get(word) ?? 0) + 1)
  }
  const lost: string[] = []
  for (const [word, count] of needed) {
    const has = exported.get(word) ?? 0
    if (has < count) lost.push(has === 0 ? word : `${word}(${has}/${count})`)
  }
  return lost
}

function words(text: string): string[] {
  return text
    .normalize('NFC')
    .toLowerCase()
    .replace(/['’]/g, '')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
    .map((word) => word.replace(/^0+(?=\d)/, ''))
}

function isDateWord(word: string): boolean {
  return /^(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*$|^(mon|tue|wed|thu|fri|sat|sun)[a-z]*$|^\d+(st|nd|rd|th)$|^(released?|on|of|utc)$/.test(
    word,
  )
}

function printTable(rows: Row[]): void {
  console.log('| package | KB | versions | items | words lost | round trip | warnings | ms |')
  console.log('|---|---:|---:|---:|---:|---|---:|---:|')
  for (const row of rows) {
    const cells = [
      row.name,
      Math.round(row.bytes / 1024),
      row.versions.join(' / '),
      row.items.join(' / '),
      row.lost.length,
      row.stable ? 'exact' : 'differs',
      row.warnings,
      Math.round(row.milliseconds),
    ]
    console.log(`| ${cells.join(' | ')} |`)
  }
  const { versions, items } = totals(rows)
  const sum = (pick: (row: Row) => number) => rows.reduce((total, row) => total + pick(row), 0)
  console.log(
    `| **${rows.length} files** | ${Math.round(sum((row) => row.bytes) / 1024)} | ${versions.join(' / ')} | ${items.join(' / ')} | ${sum((row) => row.lost.length)} | ${sum((row) => (row.stable ? 1 : 0))} exact | ${sum((row) => row.warnings)} | ${Math.round(sum((row) => row.milliseconds))} |`,
  )
}

/** Found counts at most what was expected, so that a surplus in one file does not hide a lack in another. */
function totals(rows: Row[]): { versions: [number, number]; items: [number, number] } {
  const add = (pick: (row: Row) => [number, number]): [number, number] => {
    let found = 0
    let expected = 0
    for (const row of rows) {
      const [a, b] = pick(row)
      found += Math.min(a, b)
      expected += b
    }
    return [found, expected]
  }
  return { versions: add((row) => row.versions), items: add((row) => row.items) }
}

function missedTargets(rows: Row[], pinned: boolean): string[] {
  const missed: string[] = []
  const { versions, items } = totals(rows)
  if (pinned && rows.length < TARGETS.packages)
    missed.push(`only ${rows.length} of ${TARGETS.packages} files`)
  if (versions[0] < versions[1] * TARGETS.versions) missed.push(`versions: ${versions.join(' of ')}`)
  if (items[0] < items[1] * TARGETS.items) missed.push(`items: ${items.join(' of ')}`)
  for (const row of rows) {
    if (row.versions[0] === 0) missed.push(`${row.name}: no versions found`)
    if (row.lost.length > TARGETS.wordsLost)
      missed.push(`${row.name}: words lost: ${row.lost.slice(0, 20).join(' ')}`)
    if (!row.stable) missed.push(`${row.name}: the exported file reads differently`)
  }
  return missed
}

async function readAll(directory: string): Promise<File[]> {
  const names = (await readdir(directory)).sort()
  return Promise.all(
    names.map(async (name) => ({ name, text: await Bun.file(join(directory, name)).text() })),
  )
}

/** Tarballs, not installs: nothing of a package runs, and only its changelog is unpacked. */
async function download(): Promise<File[]> {
  const directory = await mkdtemp(join(tmpdir(), 'changelogd-corpus-'))
  try {
    const files: File[] = []
    const queue = [...PACKAGES]
    const work = async (): Promise<void> => {
      for (let name = queue.shift(); name !== undefined; name = queue.shift())
        files.push(await changelogOf(name, directory))
    }
    await Promise.all([work(), work(), work(), work()])
    return files.sort((a, b) => PACKAGES.indexOf(a.name) - PACKAGES.indexOf(b.name))
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}

async function changelogOf(name: string, directory: string): Promise<File> {
  const packed = await Bun.$`npm pack ${name} --silent --pack-destination ${directory}`.text()
  const archive = join(directory, packed.trim())
  const entries = (await Bun.$`tar -tzf ${archive}`.text()).split('\n')
  const entry = entries.find((one) =>
    /^[^/]+\/(changelog|changes|history)(\.md|\.markdown|\.txt)?$/i.test(one),
  )
  if (entry === undefined) throw new Error(`${name} ships no changelog`)
  const text = await Bun.$`tar -xzOf ${archive} ${entry}`.text()
  await rm(archive)
  return { name, text }
}
