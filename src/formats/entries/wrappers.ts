import { endsFence, openingFence } from '../../domain/text/fences.ts'
import { dedentLine, isBlank, width } from '../markdown/lines.ts'

/** Docs tools wrap entries in tags, and put settings above them. */
export interface Unwrapped {
  /** As many lines as before. */
  raws: string[]
  /** Lines that became the heading of an entry, from 0. */
  tags: ReadonlySet<number>
}

const OPENS = /^\s*(?:<Update(?=[\s>]|$)|\{%-?\s*update\s|<details\b[^>]*>\s*(?:<summary>|$))/
const CLOSES = /^\s*(?:<\/Update>|\{%-?\s*endupdate\s*-?%\})\s*$/
const CLOSES_DETAILS = /^\s*<\/details>\s*$/i
const AROUND = /^\s*(?:\{%-?\s*(?:end)?updates\b.*%\}|<\/?(?:Updates|Timeline|div)\b[^>]*>)\s*$/
const IMPORTED = /^(?:import\s[^'"]*\sfrom\s+['"][^'"]*['"]|export\s+(?:const|default)\s.*);?\s*$/
const SUMMARY = /<summary>(.*?)<\/summary>/i
/** The most lines of an opening tag, and its most characters. */
const LONGEST_TAG = 12
const LARGEST_TAG = 4_000

/** The text as markdown: the tag of an entry becomes a heading, and what it holds is at the margin. */
export function unwrapped(written: readonly string[]): Unwrapped {
  const raws = [...written]
  const tags = new Set<number>()
  const settings = raws[0]?.trim() === '---' ? raws.indexOf('---', 1) : -1
  if (settings > 0 && raws.slice(1, settings).every((line) => /^(?:[\w-]+:|[\s#-]|$)/.test(line)))
    raws.fill('', 0, settings + 1)
  let fence = ''
  let open: number | null = null
  let closes = CLOSES
  for (let at = 0; at < raws.length; at++) {
    const raw = raws[at] ?? ''
    const isEnd = fence !== '' && endsFence(raw.trim(), fence)
    if (fence === '') fence = openingFence(raw.trim())
    else if (isEnd) fence = ''
    if (fence !== '' || isEnd) continue
    if (AROUND.test(raw) || (open === null && IMPORTED.test(raw))) raws[at] = ''
    else if (OPENS.test(raw)) {
      const lines = raws.slice(at, at + LONGEST_TAG + 1)
      const end = at + lines.findIndex(endsTag)
      const tag = raws.slice(at, end + 1).join(' ')
      if (end < at || tag.length > LARGEST_TAG) continue
      const words = headingOf(tag)
      if (raw.includes('<details') && (open !== null || !/\d{4}/.test(words))) continue
      closes = raw.includes('<details') ? CLOSES_DETAILS : CLOSES
      raws.fill('', at, end + 1)
      raws[at] = words
      tags.add(at)
      open = end + 1
    } else if (open !== null && closes.test(raw)) {
      raws[at] = ''
      const own = raws.slice(open, at)
      const margin = Math.min(
        ...own.filter((line) => !isBlank(line)).map((line) => width(/^[ \t]*/.exec(line)?.[0] ?? '')),
      )
      raws.splice(open, own.length, ...own.map((line) => dedentLine(line, margin)))
      open = null
    }
  }
  return { raws, tags }
}

/** True for a line that ends with a tag other than `<details>`. */
function endsTag(line: string): boolean {
  const text = line.trimEnd()
  const isDetails = text.lastIndexOf('<details') > text.lastIndexOf('>', text.length - 2)
  return text.endsWith('%}') || (text.endsWith('>') && !isDetails)
}

/** `# October 2026 – Batch endpoints`, of the attributes of a tag. */
function headingOf(tag: string): string {
  const summary = SUMMARY.exec(tag)?.[1]
  if (summary !== undefined) return `# ${summary.trim()}`
  const values = ['date', 'label', 'title', 'description'].flatMap(
    (name) =>
      new RegExp(`\\b${name}=(?:"([^"]*)"|'([^']*)'|\\{["'\`]([^}]*)["'\`]\\})`)
        .exec(tag)
        ?.slice(1)
        .find(Boolean) ?? [],
  )
  return `# ${values.join(' – ').replace(/\s+/g, ' ')}`
}
