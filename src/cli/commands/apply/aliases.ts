import { type Alias, type Document, type Node, visit } from 'yaml'

/**
 * What each alias of a document refers to. `refuse` gets every alias without a target, and every one that is inside
 * its own target. So a target is complete before its alias begins, and following aliases comes to an end.
 */
export function aliasTargets(
  document: Document,
  refuse: (alias: Alias, reason: string) => void,
): ReadonlyMap<Alias, Node> {
  const anchored = new Map<string, Node>()
  const targets = new Map<Alias, Node>()
  visit(document, {
    Value: (_, node) => {
      if (node.anchor !== undefined) anchored.set(node.anchor, node)
    },
    Alias: (_, alias, path) => {
      const target = anchored.get(alias.source)
      if (!target)
        refuse(alias, `*${alias.source} has no anchor before it: mark a value with &${alias.source}`)
      else if (path.includes(target)) refuse(alias, `*${alias.source} is a part of itself: repeat the value`)
      else targets.set(alias, target)
    },
  })
  return targets
}
