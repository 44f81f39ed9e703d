import type { ChangeDraft } from '../records.ts'
import { isListedAside } from './kinds.ts'
import { marksOf } from './marks.ts'
import { readPrefix } from './prefix.ts'

/** `Bump x from 1.2 to 1.3`, `Update dependency x to v2`, `Updated dependencies [a1b2c3d]`, `Version bump only for package x`. */
const UPDATE =
  /^(?:\W*note:\W*version bump only\b|(?:bump|updat|upgrad)\w* (?:.{0,80} from v?\d\S* to v?\d|(?:all |the |dev |npm |go |non-major |[a-z]+ )?(?:dependenc(?:y|ies)|deps)\b|(?:module |github action |docker tag )?[`[]?[@\w./-]+[`\]]?(?:\([^()]*\))? (?:docker tag )?to v?\d))/i
/** `chore(deps): …`, `build(deps-dev): …`. */
const SCOPE = /^\W*(?:chore|build|fix|ci)\(deps(?:-dev)?\)!?:|^\W*deps(?:-dev)?:/i

/**
 * Whether a release only updates dependencies, of what it lists and with people beside it. One that says something else, breaks something
 * or is about security does not.
 */
export function onlyUpdatesDependencies(
  changes: readonly ChangeDraft[],
  introduction: string | null,
): boolean {
  const isUpdate = ({ type, title }: ChangeDraft) =>
    /depend/.test(type) || SCOPE.test(title) || UPDATE.test(readPrefix(title).title)
  return (
    introduction === null &&
    changes.some(isUpdate) &&
    changes.every((change) => (isUpdate(change) || isListedAside(change)) && marksOf(change).length === 0)
  )
}
