import type { ChangeDraft } from '../../domain/records.ts'
import { typeFromHeading } from '../../domain/slug.ts'
import { namesKind } from '../../domain/versions/kinds.ts'
import { saysBreaking } from '../../domain/versions/marks/breaking.ts'
import { readPrefix } from '../../domain/versions/prefix.ts'
import { readVersionBody } from '../changelog/versions/body.ts'
import { readHeading, versionHeading } from '../changelog/versions/heading.ts'
import { KNOWN_TYPES } from '../changelog/vocabulary.ts'
import { CONVENTIONAL } from '../commits/types.ts'
import { linkOf } from '../markdown/definitions.ts'
import { normalise, oneLine } from '../markdown/lines.ts'
import { isAnchor, Node, textOf, withoutAnchors, wordsOf } from '../markdown/nodes.ts'
import { MarkdownDocument, MarkdownSource } from '../markdown/source.ts'
import { DEFAULT_TYPE, paragraphs } from '../parsed.ts'

/**
 * Reads the text of one release as that of a version, and like the notes that GitHub generates:
 * - A heading at the top that repeats the label or the title is not a section; its link is kept after the changes. Nor is
 *   `What's Changed` or, above other headings, `Changelog` and the like: a change has the type of its category.
 * - A change without a category has the type of its label or conventional prefix (`[bugfix]`, `fix(core)!:`).
 * - New contributors at the end are not changes, but part of the closing text.
 */
export function readReleaseBody(text: string, label: string, title = label) {
  const source = new MarkdownSource(new MarkdownDocument(normalise(text)))
  const all = withoutAnchors(source.nodes)
  const nodes = all.slice(all.findIndex((node) => !isAnchor(node)))
  const [first, ...others] = nodes
  const { definitions } = source
  const read =
    first?.type === 'heading'
      ? readHeading(oneLine(source.text.slice(...wordsOf(first))), definitions.labels)
      : null
  const heading = read && versionHeading(read, definitions)
  const repeats =
    first?.type === 'heading' &&
    ((heading?.title.includes(heading.label) &&
      heading.label.replace(/^v/, '') === label.replace(/^v/, '')) ||
      (textOf(first).trim() === title && !namesKind(typeOf(first))))
  const below = repeats ? others : nodes
  const kept = withoutCovers(below, source)
  const { description, closing, changes, warnings } = readVersionBody(kept, source, { isRelease: true })
  const hasDefault = kept.some((node) => typeOf(node) === DEFAULT_TYPE)
  if (!hasDefault) for (const change of changes) change.type = ownType(change) ?? change.type
  const link = repeats && heading ? heading.link : null
  const end = paragraphs(closing, link, ...definitions.unused().map(linkOf))
  const whole = paragraphs(source.blocks(below), link)
  return {
    texts: { description, ...(end && { closing: end }), changes, ...(whole && { source: whole }) },
    warnings,
  }
}

/** The heading above all changes, and others that say no more if one of a category follows. */
const WHATS_CHANGED = 'whats-changed'
const COVERS = new Set(['changelog', 'changes', 'changes-by-kind', 'release-notes', 'whats-new'])

/** Headings that only cover others end the sections above; the headings below one take its place. */
const withoutCovers = (nodes: readonly Node[], { text }: MarkdownSource): Node[] =>
  nodes.map((node, at) => {
    const type = typeOf(node)
    const isCover = type === WHATS_CHANGED || (COVERS.has(type) && nodes[at + 1]?.type === 'heading')
    return isCover ? new Node('HorizontalRule', text, node.start, node.end) : node
  })

/** The type of a heading; empty for other blocks. */
const typeOf = (node: Node): string => (node.type === 'heading' ? (typeFromHeading(textOf(node)) ?? '') : '')

/** The type that the prefix of a change in no section names, or null. */
function ownType(change: ChangeDraft): string | null {
  const word = change.type === DEFAULT_TYPE ? readPrefix(change.title).word : null
  if (word === null) return null
  if (saysBreaking(change)) return 'breaking-changes'
  return CONVENTIONAL[word] ?? (KNOWN_TYPES.has(word) ? word : null)
}
