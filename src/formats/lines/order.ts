import { NUMERIC } from '../changelog/vocabulary.ts'
import type { Candidate } from './candidates.ts'

/** The order of the numbers of candidates. */

/** `1.2-rc` is older than `1.2`. */
const STAGE = /[-._]?(?:alpha|beta|gamma|delta|epsilon|rc|pre|dev).*$/i

export function compare({ number: one }: Candidate, { number: other }: Candidate): number {
  const [older, newer] = [one.replace(STAGE, ''), other.replace(STAGE, '')]
  const isStage = Number(newer !== other) - Number(older !== one)
  return NUMERIC.compare(older, newer) || isStage || NUMERIC.compare(one, other)
}

/** True if the numbers rise or fall from line to line, with one exception in ten. */
export function isInOrder(versions: readonly Candidate[]): boolean {
  const [rises, falls] = stepsOf(versions)
  return Math.max(rises, falls) * 10 >= (rises + falls) * 9 && (rises + falls) * 2 >= versions.length - 1
}

export function stepsOf(versions: readonly Candidate[]): [rises: number, falls: number] {
  const numbered = versions.filter(({ number }) => number !== '')
  const steps = numbered.slice(1).map((version, at) => compare(version, numbered[at] as Candidate))
  return [steps.filter((step) => step > 0).length, steps.filter((step) => step < 0).length]
}
