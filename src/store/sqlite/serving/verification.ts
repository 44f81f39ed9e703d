import { statSync } from 'node:fs'
import type { Finding } from '../../../domain/finding.ts'
import { Refusal } from '../../../domain/refusal.ts'
import { ownCommand } from '../../../files/own-program.ts'

/** Checks of `doctor` that a database must pass to be served. */
const REQUIRED = ['database', 'integrity', 'foreign keys', 'schema']

/** The timeout: so long, and a millisecond per so many bytes. It takes a tenth of that. */
const LEAST_MS = 30_000
const BYTES_PER_MS = 10_000

/**
 * Verifies a database like `doctor`, in a process of its own, because that takes seconds with a million versions. Throws a
 * `Refusal` with the first fault. The signal ends it.
 */
export async function verifyToServe(database: string, signal: AbortSignal): Promise<void> {
  const child = Bun.spawn([...ownCommand(), 'doctor', '--json', '--db', database], {
    env: {},
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'ignore',
    timeout: LEAST_MS + Math.ceil(statSync(database).size / BYTES_PER_MS),
    killSignal: 'SIGKILL',
    signal,
  })
  const output = await new Response(child.stdout).text()
  await child.exited
  if (child.signalCode !== null)
    throw new Refusal(
      `the check was stopped by ${child.signalCode}, because it took too long or too much memory.`,
    )
  const { findings } = JSON.parse(output) as { findings: Finding[] }
  const fault = findings.find(({ check, state }) => REQUIRED.includes(check) && state !== 'ok')
  if (fault) throw new Refusal(`${fault.check}: ${fault.message}.`, { hint: fault.remedy })
}
