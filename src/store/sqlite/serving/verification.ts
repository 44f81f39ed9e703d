import { join } from 'node:path'
import type { Finding } from '../../../domain/finding.ts'

/** The checks of `doctor` that a database must pass to be served. */
const REQUIRED = ['database', 'integrity', 'foreign keys', 'schema']

/** This program: one executable, or its source. */
const PROGRAM = Bun.main.startsWith('/$bunfs/')
  ? [process.execPath]
  : [process.execPath, join(import.meta.dir, '../../../main.ts')]

export interface Verification {
  /** The first thing that keeps the database from being served, or null if it is whole. */
  readonly fault: Promise<Finding | null>
  cancel(): void
}

/**
 * Verifies a database as `changelogd doctor` does, in a process of its own: a million versions take several seconds,
 * and the server has to respond meanwhile.
 */
export function startVerification(database: string): Verification {
  const child = Bun.spawn([...PROGRAM, 'doctor', '--json', '--db', database], {
    env: {},
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'ignore',
  })
  const read = async (): Promise<Finding | null> => {
    const { findings } = (await new Response(child.stdout).json()) as { findings: Finding[] }
    return findings.find(({ check, state }) => REQUIRED.includes(check) && state !== 'ok') ?? null
  }
  return { fault: read(), cancel: () => child.kill() }
}
