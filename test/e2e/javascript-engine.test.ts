import { describe, expect, test } from 'bun:test'
import { existsSync, readFileSync } from 'node:fs'
import { PROGRAMS, startServer } from '../support/servers/server.ts'

const HEAP = 'BUN_JSC_forceRAMSize'
const COMPILER = 'BUN_JSC_thresholdForFTLOptimizeAfterWarmUp'

const environmentOf = (pid: number): Map<string, string> =>
  new Map(
    readFileSync(`/proc/${pid}/environ`, 'utf8')
      .split('\0')
      .map((entry) => [entry.slice(0, entry.indexOf('=')), entry.slice(entry.indexOf('=') + 1)]),
  )

describe.skipIf(!existsSync('/proc/self/environ'))('the JavaScript engine of the binary', () => {
  const settingsOf = async (subject: (typeof PROGRAMS)[number]) => {
    await using server = await startServer(subject)
    expect((await server.get('/livez')).status).toBe(200)
    const command = readFileSync(`/proc/${server.child.pid}/cmdline`, 'utf8').split('\0')
    expect(command.slice(1, 2)).toEqual(['serve'])
    const environment = environmentOf(server.child.pid)
    return [environment.get(HEAP), environment.get(COMPILER)]
  }

  test.each(PROGRAMS)(
    'takes every machine for a small one and compiles late, in the process that was started',
    async (subject) => {
      expect(await settingsOf(subject)).toEqual([String(64 * 2 ** 20), '1000000'])
    },
  )

  test.each(PROGRAMS)('keeps a setting of the operator', async (subject) => {
    const other = String(512 * 2 ** 20)
    const env = { ...subject.env, [HEAP]: other }
    expect(await settingsOf({ ...subject, env })).toEqual([other, '1000000'])
  })
})
