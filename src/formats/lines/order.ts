import { compareNumbers } from '../../domain/versions/number.ts'
import type { Candidate } from './candidates.ts'

/** True if the numbers rise or fall from line to line, with one exception in ten. */
export function isInOrder(versions: readonly Candidate[]): boolean {
  const [rises, falls] = stepsOf(versions)
  return Math.max(rises, falls) * 10 >= (rises + falls) * 9 && (rises + falls) * 2 >= versions.length - 1
}

export function stepsOf(versions: readonly Candidate[]): [rises: number, falls: number] {
  const numbers = versions.flatMap(({ number }) => number || [])
  const steps = numbers.slice(1).map((number, at) => compareNumbers(number, numbers[at] as string))
  return [steps.filter((step) => step > 0).length, steps.filter((step) => step < 0).length]
}
