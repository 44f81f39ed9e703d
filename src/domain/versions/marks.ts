import type { ChangeDraft } from '../records.ts'
import { isListedAside, type Kind, kindOfChange } from './kinds.ts'
import { readPrefix } from './prefix.ts'
import { CHANGE_MARKS, CHANGE_SIGNS, MARKS, type MarkName, SIGNS, type SignName } from './properties.ts'

export const marksOf = (change: ChangeDraft): MarkName[] =>
  MARKS.filter((mark) => CHANGE_MARKS[mark].of(change))

export const signsOf = (change: ChangeDraft): SignName[] =>
  SIGNS.filter((sign) => CHANGE_SIGNS[sign].of(change))

/** The kind that a change is shown as where it is shown only once. */
export const urgentKindOf = (change: ChangeDraft): Kind => marksOf(change)[0] ?? kindOfChange(change)

/** True if a change is of one of these kinds: its own, or that of a mark. */
export const isOfKind = (change: ChangeDraft, kinds: readonly Kind[]): boolean =>
  kinds.includes(kindOfChange(change)) ||
  MARKS.some((mark) => kinds.includes(mark) && CHANGE_MARKS[mark].of(change))

/** The link of a generated heading, which imports keep in the introduction. */
const COMPARISON = /(?:^|\n\n)\[[^[\]\n]+\]\([^\s()]*\/compare\/[^\s()]*\)$/
/** `**Note:** Version bump only for package x`. */
const BUMP = /^\W*note:\W*version bump only\b/i
const NAME = '[`[]*[@\\w./-]+[`\\]]*(?:\\([^()]*\\))?'
/** A word that only packages look like. Others, such as a protocol, are updated too. */
const PACKAGE = `(?=\\S*[\`[@/-])${NAME}`
/** `Bump x from 1.2 to 1.3`, `Update dependency x to v2`, `Updated dependencies [a1b2c3d]`. */
const UPDATE = new RegExp(
  [
    '^(?:bump|updat|upgrad)\\w* (?:',
    `(?:the )?${NAME} from \`?v?\\d+\\.\\d\\S* to \`?v?\\d+\\.\\d`,
    `|${PACKAGE} (?:from \`?v?\\d\\S* |docker tag )?to \`?v?\\d`,
    '|(?:all |the |dev |npm |go |non-major |[a-z]+ )?(?:dependenc(?:y|ies)|deps)\\b',
    `|(?:module|github action|docker tag) ${NAME} to \`?v?\\d)`,
  ].join(''),
  'i',
)
/** `chore(deps): …`, `build(deps-dev): …`. */
const SCOPE = /^\W*(?:chore|build|fix|ci)\(deps(?:-dev)?\)!?:|^\W*deps(?:-dev)?:/i

/**
 * True if a release lists only updates of dependencies, with people beside it. One that says something else, breaks something or is about
 * security does not.
 */
export function onlyUpdatesDependencies(
  changes: readonly ChangeDraft[],
  introduction: string | null,
): boolean {
  const isUpdate = ({ type, title }: ChangeDraft) =>
    /depend/.test(type) || SCOPE.test(title) || BUMP.test(title) || UPDATE.test(readPrefix(title).title)
  const said = introduction?.replace(COMPARISON, '') ?? ''
  return (
    (said === '' ? changes.some(isUpdate) : !said.includes('\n') && BUMP.test(said)) &&
    changes.every((change) => (isUpdate(change) || isListedAside(change)) && signsOf(change).length === 0)
  )
}
