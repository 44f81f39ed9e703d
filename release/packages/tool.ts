import { Refusal } from '../../src/domain/refusal.ts'

/** Runs a program of the system and returns its output. Refuses if it is missing or fails, with what it said. */
export function runTool(command: [string, ...string[]], env: Record<string, string> = {}): string {
  requireTool(command[0])
  const { success, stdout, stderr } = Bun.spawnSync(command, { env: { ...process.env, ...env } })
  if (!success) throw new Refusal(`${command.join(' ')} failed: ${stdout}${stderr}`)
  return stdout.toString()
}

/** The Debian package that has each program. */
const PACKAGES: Record<string, string> = { 'dpkg-deb': 'dpkg', rpmbuild: 'rpm', gpg: 'gnupg' }

export function requireTool(program: string): void {
  if (Bun.which(program)) return
  const hint = `To install it on Debian: apt-get install ${PACKAGES[program] ?? program}`
  throw new Refusal(`A release needs ${program}, which is not installed.`, { hint })
}
