import { reasonOf } from './errors.ts'
import type { Hint } from './refusal.ts'

/** All is well, worth knowing, or wrong, and then what to do about it. */
export interface Result {
  state: 'ok' | 'warn' | 'wrong'
  message: string
  remedy?: string | Hint
}

export interface Finding extends Result {
  check: string
}

/** As `doctor` prints it: the remedy is a line, with its command complete. */
export type PrintedFinding = Omit<Finding, 'remedy'> & { remedy: string | null }

export type Results = Result | Result[]

/** Finds one line of `doctor`, several, or none. */
export interface Check<On> {
  name: string
  run: (on: On) => Results | Promise<Results>
  /** Set if later checks make no sense unless all results are ok. */
  stopsOthers?: true
}

export const ok = (message: string): Result => ({ state: 'ok', message })
export const warn = (message: string, remedy: string | Hint): Result => ({ state: 'warn', message, remedy })
export const wrong = (message: string, remedy: string | Hint): Result => ({ state: 'wrong', message, remedy })

/** Runs the checks one after the other. One that throws is wrong, as `failed` says, and does not hide the others. */
export async function runChecks<On>(
  checks: readonly Check<On>[],
  on: On,
  failed: (error: unknown) => Result = cannotBeChecked,
): Promise<Finding[]> {
  const findings: Finding[] = []
  for (const { name, run, stopsOthers } of checks) {
    const found = await Promise.try(run, on).catch(failed)
    const results = Array.isArray(found) ? found : [found]
    findings.push(...results.map(({ state, ...rest }) => ({ state, check: name, ...rest })))
    if (stopsOthers && results.some(({ state }) => state !== 'ok')) break
  }
  return findings
}

const cannotBeChecked = (error: unknown): Result =>
  wrong(`cannot be checked: ${reasonOf(error)}`, 'Run this as the user of the server.')
