import { anyOf, CHANGES } from '../keepachangelog/vocabulary.ts'

const SINCE = new RegExp(
  `^(?<front>[ \\t#*=-]{0,6})(?<title>(?:[\\w'’-]+[ \\t]+){0,3}${anyOf(CHANGES)}[ \\t]+(?:since|after)[ \\t]+(?:the[ \\t]+)?(?:[A-Za-z][\\w+]*[ \\t-]){0,2}v?(?<number>\\d+\\.\\d[\\w.-]*?))[ \\t]*[.:]?(?<behind>[ \\t]*\\([^()\\n]{0,40}\\)[:]?)?[ \\t]*$`,
  'i',
)
const LEAST = 3

/**
 * A text with the number of a version in front of lines that only name the one before it, `Changes since 1.1`: it is the one
 * that the next newer of them names. The newest has none, and gets `1.2+next`. `lines` are those, from 1; null if there are
 * few.
 */
export function numberedSince(text: string): { text: string; lines: ReadonlySet<number> } | null {
  if (!/\b(?:since|after)[ \t]/i.test(text)) return null
  const lines = text.split('\n')
  const found = lines.flatMap((line, at) => {
    const { front = '', title = '', number, behind = '' } = SINCE.exec(line)?.groups ?? {}
    return number === undefined ? [] : { at, front, number, title: title + behind }
  })
  const numbers = new Set(found.map(({ number }) => number))
  if (numbers.size < LEAST || numbers.size < found.length) return null
  const [first, last] = [found[0]?.number ?? '', found.at(-1)?.number ?? '']
  const isRising = first.localeCompare(last, 'en', { numeric: true }) < 0
  for (const [index, { at, front, number, title }] of found.entries()) {
    const newer = found[index + (isRising ? 1 : -1)]?.number ?? `${number}+next`
    lines[at] = `${front}${newer} - ${title}`
  }
  return { text: lines.join('\n'), lines: new Set(found.map(({ at }) => at + 1)) }
}
