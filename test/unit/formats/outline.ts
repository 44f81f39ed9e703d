import { onePerCause, type ParsedChangelog, type ParsedVersion } from '../../../src/formats/parsed.ts'

/**
 * What was read from a file, for people to review: a line for each version, change and warning, with texts behind bars.
 *
 *     | the preamble
 *     1.2.0 · 2026-01-02 · published · line 3
 *       title: if it is not the label
 *       | the description
 *       added: a change
 *         | its description
 *       bug-fixes (Bug Fixes): a change whose type has a heading of its own
 *       closing:
 *       | the text below the changes
 *     ! 3: a warning about line 3
 */
export function outlineOf({ versions, warnings, preamble, repository }: ParsedChangelog): string {
  const lines = [
    ...(repository === undefined ? [] : [`repository: ${repository}`]),
    ...quoted('', preamble),
    ...versions.flatMap(versionLines),
    ...onePerCause(warnings).map(({ line, message }) => `! ${line}: ${message}`),
  ]
  return lines.map((line) => `${line.replace(UNSEEN, (one) => JSON.stringify(one).slice(1, -1))}\n`).join('')
}

const UNSEEN = /\p{Cc}/gu

function versionLines(version: ParsedVersion): string[] {
  const { label, title, date, status, scheduled, falseDate, isSummary, line } = version
  const facts = [
    ...[label, falseDate === undefined ? dayOf(date) : `${dayOf(date)} (${falseDate})`],
    ...[scheduled ? `scheduled ${status}` : status, `line ${line}`],
    ...(isSummary ? ['only named'] : []),
    ...(version.prerelease ? ['pre-release'] : []),
    ...(version.yanked === '' ? ['yanked'] : []),
  ]
  return [
    facts.join(' · '),
    ...(title === label ? [] : [`  title: ${title}`]),
    ...quoted('  ', version.description),
    ...version.changes.flatMap(({ type, typeLabel, title, description }) => [
      `  ${type}${typeLabel === undefined ? '' : ` (${typeLabel})`}: ${title}`,
      ...quoted('    ', description),
    ]),
    ...(version.closing ? ['  closing:', ...quoted('  ', version.closing)] : []),
  ]
}

const dayOf = (date: number | null): string =>
  date === null ? 'no date' : new Date(date).toISOString().replace(/T00:00:00\.000Z$|\.000(?=Z$)/, '')

const quoted = (indent: string, text: string | null | undefined): string[] =>
  (text ?? '') === '' ? [] : (text as string).split('\n').map((line) => `${indent}| ${line}`.trimEnd())

/** What an export keeps of a version. */
export function contentOf(version: Omit<ParsedVersion, 'line'>): Omit<ParsedVersion, 'line'> {
  const read: Omit<ParsedVersion, 'line'> & { line?: number; numericDate?: unknown } = version
  const { line: _, source: __, numericDate: ___, closing, ...content } = read
  return { ...content, ...(closing && { closing }) }
}
