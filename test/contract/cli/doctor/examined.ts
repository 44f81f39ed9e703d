import { expect } from 'bun:test'
import type { PrintedFinding } from '../../../../src/domain/finding.ts'
import { sandboxForEach } from '../../../support/sandbox.ts'
import type { Engine } from '../../../support/servers/server.ts'

export interface Report {
  status: number
  stderr: string
  /** What is not as it should be. */
  faults: PrintedFinding[]
  checks: string[]
}

/** A sandbox with the demo for each test of the file, and the doctor run in it. */
export function doctorForEach(engine: Engine = 'SQLite') {
  const box = sandboxForEach((fresh) => fresh.demo(), engine)

  const examined = async (args: string[] = [], env: Record<string, string> = {}): Promise<Report> => {
    const { status, stdout, stderr } = await box.run(['doctor', ...args, '--json'], env)
    const { healthy, findings } = JSON.parse(stdout) as { healthy: boolean; findings: PrintedFinding[] }
    // How much room there is here is nobody's promise.
    const faults = findings.filter(({ state, check }) => state !== 'ok' && check !== 'free space')
    // Its word, its exit status and its lines never differ; and nothing is wrong without a remedy.
    expect(healthy).toBe(!faults.some(({ state }) => state === 'wrong'))
    expect(status).toBe(healthy ? 0 : 1)
    expect(stderr).toMatch(healthy ? /^$/ : /^changelogd: Found \d+ problems?, listed above\.\n$/)
    for (const fault of faults) expect(fault.remedy).toBeString()
    return { status, stderr, faults, checks: findings.map(({ check }) => check) }
  }

  /** The one thing found. */
  const only = async (args: string[] = [], env: Record<string, string> = {}): Promise<PrintedFinding> => {
    const { faults } = await examined(args, env)
    expect(faults).toHaveLength(1)
    return faults[0] as PrintedFinding
  }

  return { box, at: box.at, examined, only }
}
