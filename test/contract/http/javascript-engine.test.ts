import { describe, expect, test } from 'bun:test'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { scratch } from '../../support/scratch.ts'
import { startServer, THE_BINARY } from '../../support/servers/server.ts'

const HEAP = 'BUN_JSC_forceRAMSize'
const COMPILER = 'BUN_JSC_thresholdForFTLOptimizeAfterWarmUp'

const environmentOf = (pid: number) => entriesOf(`/proc/${pid}/environ`)

const entriesOf = (path: string): Map<string, string> =>
  new Map(
    readFileSync(path, 'utf8')
      .split('\0')
      .map((entry) => [entry.slice(0, entry.indexOf('=')), entry.slice(entry.indexOf('=') + 1)]),
  )

describe.skipIf(!existsSync('/proc/self/environ'))('the JavaScript engine of the binary', () => {
  const settingsOf = async (env: Record<string, string>) => {
    await using server = await startServer({ ...THE_BINARY, env })
    expect((await server.get('/livez')).status).toBe(200)
    const command = readFileSync(`/proc/${server.child.pid}/cmdline`, 'utf8').split('\0')
    expect(command.slice(1, 2)).toEqual(['serve'])
    const environment = environmentOf(server.child.pid)
    return [environment.get(HEAP), environment.get(COMPILER)]
  }

  test('takes every machine for a small one and compiles late, in the process that was started, unless the operator says otherwise', async () => {
    expect(await settingsOf({})).toEqual([String(96 * 2 ** 20), '1000000'])
    const other = String(512 * 2 ** 20)
    expect(await settingsOf({ [HEAP]: other })).toEqual([other, '1000000'])
  })

  test.each([
    ['starts an import of a short file at once', 1, undefined],
    ['compiles late in the import of a file', 100, '1000000'],
  ])('%s', async (_, kilobytes, expected) => {
    using directory = scratch()
    const at = (name: string) => join(directory.path, name)
    // The import asks git for dates, which looks at the import instead.
    writeFileSync(at('git'), `#!/bin/sh\ncat /proc/$PPID/environ > '${at('environment')}'\n`, { mode: 0o755 })
    writeFileSync(at('CHANGELOG.md'), `## 1.0.0\n\n${'words '.repeat((kilobytes * 1000) / 6)}\n`)
    const command = ['import', 'acme/app', at('CHANGELOG.md'), '--create', '--dates-from', directory.path]
    const env = { PATH: `${directory.path}:${process.env.PATH}`, DATABASE_URL: at('changelogd.db') }
    await Bun.spawn([...THE_BINARY.command, ...command], { env, stdio: ['ignore', 'ignore', 'ignore'] })
      .exited
    expect(entriesOf(at('environment')).get(COMPILER)).toBe(expected)
  })
})
