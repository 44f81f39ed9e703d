import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Finding } from '../../../domain/finding.ts'
import { Refusal } from '../../../domain/refusal.ts'

/** The checks of `doctor` that a database must pass to be served. */
const REQUIRED = ['database', 'integrity', 'foreign keys', 'schema']

/** The executable that is running, whatever has become of its file since: it may have been upgraded or removed. */
const RUNNING = '/proc/self/exe'

/** How long it may take: so long, and a millisecond for each of so many bytes. It takes a tenth of that. */
const LEAST_MS = 30_000
const BYTES_PER_MS = 10_000

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
  const child = Bun.spawn([...program(), 'doctor', '--json', '--db', database], {
    env: {},
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'ignore',
    timeout: LEAST_MS + Math.ceil(statSync(database).size / BYTES_PER_MS),
    killSignal: 'SIGKILL',
  })
  const read = async (): Promise<Finding | null> => {
    const output = await new Response(child.stdout).text()
    await child.exited
    if (child.signalCode !== null)
      throw new Refusal(
        `verifying it was ended by ${child.signalCode}, because it took too long or too much memory.`,
      )
    const { findings } = JSON.parse(output) as { findings: Finding[] }
    return findings.find(({ check, state }) => REQUIRED.includes(check) && state !== 'ok') ?? null
  }
  return { fault: read(), cancel: () => child.kill() }
}

/** This program: one executable, or its source. */
function program(): string[] {
  const executable = existsSync(RUNNING) ? RUNNING : process.execPath
  return Bun.main.startsWith('/$bunfs/')
    ? [executable]
    : [executable, join(import.meta.dir, '../../../main.ts')]
}
