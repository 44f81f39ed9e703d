import type { ChangeDraft } from '../records.ts'
import { isBreaking } from './breaking.ts'
import { type Kind, kindOfChange } from './kinds.ts'
import { isSecurity } from './security.ts'

/** The kinds that a change may be of beside its own, the most urgent first. Versions are marked with them. */
export const MARKS = ['breaking', 'security'] as const
export type MarkName = (typeof MARKS)[number]

const IS_MARKED: Record<MarkName, (change: ChangeDraft) => boolean> = {
  breaking: isBreaking,
  security: isSecurity,
}

export const marksOf = (change: ChangeDraft): MarkName[] => MARKS.filter((mark) => IS_MARKED[mark](change))

/** The kind that a change is shown as where it is shown only once. */
export const urgentKindOf = (change: ChangeDraft): Kind => marksOf(change)[0] ?? kindOfChange(change)

/** Whether a change is of one of these kinds: its own, or that of a mark. */
export const isOfKind = (change: ChangeDraft, kinds: readonly Kind[]): boolean =>
  kinds.includes(kindOfChange(change)) ||
  MARKS.some((mark) => kinds.includes(mark) && IS_MARKED[mark](change))
