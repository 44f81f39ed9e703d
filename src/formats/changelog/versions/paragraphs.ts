import { type Node, textOf } from '../../markdown/nodes.ts'

export interface ParagraphRun {
  /** The blocks are one change, not the description. */
  isChange: boolean
  run: Node[]
}

/** A text without lists as changes: each paragraph is one, with what is below it up to the next, and with words above code. */
export function paragraphsOf(nodes: readonly Node[]): ParagraphRun[] {
  const runs: ParagraphRun[] = []
  for (const [at, node] of nodes.entries()) {
    const above = runs.at(-1)
    const isLead = node.type === 'paragraph' && !(above?.isChange && nodes[at + 1]?.type === 'code')
    if (above && !isLead) above.run.push(node)
    else runs.push({ isChange: node.type === 'paragraph' && saysMore(node), run: [node] })
  }
  return runs
}

/** More than a link, a picture, a note (`**Note:** Version bump only`) or that there is nothing, and no long text. */
const saysMore = (node: Node): boolean =>
  node.end - node.start <= LONGEST &&
  !SAYS_NOTHING.test(textOf(node)) &&
  node.children.some(
    (child) =>
      child.type === 'strong' ||
      child.type === 'inlineCode' ||
      (child.type === 'text' && /\p{L}/u.test(child.value)),
  )

const LONGEST = 1000
const SAYS_NOTHING =
  /^[^\p{L}]*(?:note|full changelog|no changes?|nothing|skipped|before|see (?:the )?(?:release|commit|git|full))\b|\b(?:version bump only|were no changes)\b|^\s*:[\w+-]+:\s*$/iu
