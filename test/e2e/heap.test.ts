import { describe, expect, test } from 'bun:test'
import { existsSync, readFileSync } from 'node:fs'
import { BINARIES, type Settings, startServer } from '../support/servers/server.ts'

const SETTING = 'BUN_JSC_forceRAMSize'

const environmentOf = (pid: number): Map<string, string> =>
  new Map(
    readFileSync(`/proc/${pid}/environ`, 'utf8')
      .split('\0')
      .map((entry) => [entry.slice(0, entry.indexOf('=')), entry.slice(entry.indexOf('=') + 1)]),
  )

describe.skipIf(!existsSync('/proc/self/environ'))('the heap of the binary', () => {
  const settingOf = async (subject: (typeof BINARIES)[number], settings: Settings = {}) => {
    await using server = await startServer(subject, settings)
    expect((await server.get('/livez')).status).toBe(200)
    const command = readFileSync(`/proc/${server.child.pid}/cmdline`, 'utf8').split('\0')
    expect(command.slice(1, 2)).toEqual(['serve'])
    return environmentOf(server.child.pid).get(SETTING)
  }

  test.each(BINARIES)(
    'a server takes every machine for a small one, in the process that was started',
    async (subject) => {
      expect(await settingOf(subject)).toBe(String(64 * 2 ** 20))
    },
  )

  test.each(BINARIES)('the operator can set another size', async (subject) => {
    const other = String(512 * 2 ** 20)
    expect(await settingOf({ ...subject, env: { ...subject.env, [SETTING]: other } })).toBe(other)
  })
})
