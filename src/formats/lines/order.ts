import { compareNumbers } from '../../domain/versions/number.ts'
import { turnsOf } from '../../domain/versions/order.ts'
import type { Candidate } from './candidates.ts'

/** True if the numbers rise or fall from line to line, with one exception in ten. */
export function isInOrder(versions: readonly Candidate[]): boolean {
  const [rises, falls] = stepsOf(versions)
  return Math.max(rises, falls) * 10 >= (rises + falls) * 9 && (rises + falls) * 2 >= versions.length - 1
}

export const stepsOf = (versions: readonly Candidate[]) =>
  turnsOf(
    versions.flatMap(({ number }) => number || []),
    compareNumbers,
  )
