import { picturesIn } from '../../domain/pictures.ts'
import type { Instant } from '../../domain/records.ts'
import { typeFromHeading } from '../../domain/slug.ts'
import { cut } from '../../domain/text/cut.ts'
import { isAhead } from '../../domain/time/schedule.ts'
import { parseInstant } from '../../domain/time/time.ts'
import { kindOf } from '../../domain/versions/kinds.ts'
import { normalise } from '../../formats/markdown/lines.ts'
import { blocksOfType, isText, type Node, textOf } from '../../formats/markdown/nodes.ts'
import { withAddresses } from '../../formats/markdown/pictures.ts'
import { MarkdownDocument, MarkdownSource } from '../../formats/markdown/source.ts'
import type { WrittenText } from './text.ts'

/** Something odd about a text: it never keeps anybody from saving. */
export interface Oddity {
  code: 'repeated' | 'otherKind' | 'dateAhead' | 'openCode' | 'emptyLink' | 'noPicture'
  /** From 1; null for the date. */
  line: number | null
  /** The other line, or the words or the address meant. */
  about: string
}

/** More are named once some of these are gone. */
const MOST = 8

/** Longer texts are not checked: that would hold up others at each pause in typing. */
const LONGEST = 200_000

interface Known {
  now: Instant
  isPublished: boolean
  /** The ids of the product's pictures. */
  pictures: ReadonlySet<string>
}

export function oddities({ text, day }: WrittenText, { now, isPublished, pictures }: Known): Oddity[] {
  const given = normalise(text.length > LONGEST ? '' : text)
  const { nodes } = new MarkdownSource(new MarkdownDocument(given))
  const lineOf = lineFinder(given)
  const date = parseInstant(day)
  const isDateAhead = !isPublished && date !== null && isAhead(date, now)
  const found = [
    ...repeated(nodes, lineOf),
    ...otherKinds(nodes, lineOf),
    ...openCode(nodes, lineOf),
    ...emptyLinks(nodes, lineOf),
    ...missingPictures(nodes, lineOf, pictures),
  ]
  found.sort((one, other) => (one.line ?? 0) - (other.line ?? 0))
  return [
    ...found.slice(0, MOST),
    ...(isDateAhead ? [{ code: 'dateAhead', line: null, about: day } as const] : []),
  ]
}

type LineOf = (at: number) => number

/** From 1. A search, as long texts have many places to name. */
function lineFinder(text: string): LineOf {
  const ends: number[] = []
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) ends.push(at)
  return (at) => {
    let [low, high] = [0, ends.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((ends[middle] as number) < at) low = middle + 1
      else high = middle
    }
    return low + 1
  }
}

/** The same change twice. */
function repeated(nodes: readonly Node[], lineOf: LineOf): Oddity[] {
  const first = new Map<string, number>()
  return blocksOfType(nodes, ({ type }) => type === 'listItem').flatMap((item) => {
    const [words] = blocksOfType(item.children, isText)
    const key = words ? textOf(words).trim().toLowerCase() : ''
    const line = lineOf(item.start)
    const before = first.get(key)
    if (key === '') return []
    if (before === undefined) first.set(key, line)
    return before === undefined ? [] : [{ code: 'repeated', line, about: String(before) } as const]
  })
}

/** Headings of changes that are no kind. */
const otherKinds = (nodes: readonly Node[], lineOf: LineOf): Oddity[] =>
  nodes.flatMap((node, at) => {
    if (node.type !== 'heading' || nodes[at + 1]?.type !== 'list') return []
    const words = textOf(node).trim()
    const type = typeFromHeading(words)
    const isOdd = type !== null && type !== 'other' && kindOf(type, words) === 'other'
    return isOdd ? [{ code: 'otherKind', line: lineOf(node.start), about: words } as const] : []
  })

/** Code that nothing ends takes in the rest of the text. */
const openCode = (nodes: readonly Node[], lineOf: LineOf): Oddity[] =>
  blocksOfType(nodes, ({ openFence }) => openFence !== '').map(
    ({ start }) => ({ code: 'openCode', line: lineOf(start), about: '' }) as const,
  )

const emptyLinks = (nodes: readonly Node[], lineOf: LineOf): Oddity[] =>
  linksIn(nodes)
    .filter(({ value }) => EMPTY_TARGETS.has(value.slice(value.lastIndexOf('](')).replaceAll(' ', '')))
    .map((link) => ({ code: 'emptyLink', line: lineOf(link.start), about: textOf(link) }) as const)

/** Without blanks. */
const EMPTY_TARGETS = new Set([']()', '](<>)', '](#)'])

const linksIn = (nodes: readonly Node[]): Node[] =>
  nodes.flatMap((node) => (node.type === 'link' || node.type === 'image' ? [node] : linksIn(node.children)))

/** Pictures that no page can show: the product does not have them, or they are files beside some text. */
const missingPictures = (nodes: readonly Node[], lineOf: LineOf, known: ReadonlySet<string>): Oddity[] =>
  picturesOf(nodes)
    .slice(0, MOST_PICTURES)
    .flatMap(({ start, value }) => {
      const missing: Oddity[] = []
      withAddresses(value, (address) => {
        const [own = ''] = picturesIn(address)
        if (!ELSEWHERE.test(address) && !known.has(own))
          missing.push({ code: 'noPicture', line: lineOf(start), about: cut(address, 80) })
        return undefined
      })
      return missing
    })

const picturesOf = (nodes: readonly Node[]): Node[] =>
  nodes.flatMap((node) =>
    node.type === 'image' || node.type === 'html' ? [node] : picturesOf(node.children),
  )

/** Each is read again for its address. */
const MOST_PICTURES = 500

/** An address with its scheme or its whole path, or none. */
const ELSEWHERE = /^(?:[a-z][a-z\d+.-]*:|[/#]|$)/i
