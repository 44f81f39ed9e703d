import { typeFromHeading } from '../../../domain/slug.ts'
import { isAside } from '../../../domain/versions/kinds.ts'
import { isList, type Node, textOf } from '../../markdown/nodes.ts'
import type { MarkdownSource } from '../../markdown/source.ts'
import { readTypeComment } from '../comments.ts'

/** Types of sections that list no changes, whatever is in them. */
const NO_CHANGES =
  /^(?:full-changelog|(?:sha-?\d+-)?(?:checksums?|sums|hashes)|sha-?\d+(?:sums?)?|signatures)$/
/** Types of sections that may list none. */
const FOR_USERS =
  /^(?:downloads?|assets|artifacts|binaries|docker(?:-images?)?|(?:how-to-)?install(?:ation)?|how-to-upgrade|verif(?:y|ying|ication)|sponsors|links|resources)$/

/**
 * Takes the sections at the end that list no changes: checksums, downloads and, in a release, contributors. In a file those who
 * contributed are changes of a kind of their own, as an author may have listed them for years.
 */
export function splitAfterword(
  nodes: readonly Node[],
  source: MarkdownSource,
  isRelease: boolean,
): { kept: Node[]; afterword: Node[] } {
  let end = nodes.length
  for (let at = nodes.length - 1; at >= 0; at--) {
    const node = nodes[at] as Node
    if (node.type !== 'heading') continue
    const type = typeFromHeading(textOf(node).trim()) ?? ''
    const hasList = nodes.slice(at, end).some(isList)
    // With a comment, it is a section.
    const isTaken =
      readTypeComment(source.inside(node)) === null &&
      (NO_CHANGES.test(type) ||
        (FOR_USERS.test(type) && (isRelease || !hasList)) ||
        (isRelease && isPeople(type)))
    if (!isTaken) break
    end = at
  }
  return { kept: nodes.slice(0, end), afterword: nodes.slice(end) }
}

/** True if a section of this type may list no changes. */
export const isAfterword = (type: string): boolean => NO_CHANGES.test(type) || FOR_USERS.test(type)

const isPeople = (type: string): boolean => isAside(type) && !/dependenc|deps/.test(type)
