import { describe, expect, test } from 'bun:test'
import type { Context } from '../../../src/cli/context.ts'
import { servePlain } from '../../../src/cli/plain-serve.ts'
import { run } from '../../../src/cli/program.ts'
import { readConfig } from '../../../src/config/config.ts'
import { Refusal } from '../../../src/domain/refusal.ts'
import { contextWith } from '../../support/commands/context.ts'

const refused: Context['serve'] = () =>
  Promise.reject(new Refusal('Port 3000 is in use.', { hint: 'To see: changelogd status' }))

describe('serve without arguments', () => {
  test.each<[string, Partial<Context>]>([
    ['a wrong setting', { env: { PORT: 'none', LOG_FORMAT: 'json' } }],
    ['a missing configuration file', { env: { CHANGELOGD_CONFIG: 'missing.env' } }],
    ['a server that cannot start', { serve: refused }],
    ['the same in a log of JSON', { serve: refused, env: { LOG_FORMAT: 'json' } }],
    ['a wait for another command', { serve: (_, { announce }) => announce('another command') }],
  ])('tells of %s as the command line does', async (_, parts) => {
    const told = async (serve: (context: Context) => Promise<number>) => {
      let stderr = ''
      const write = async (text: string) => {
        stderr += text
      }
      return { status: await serve(contextWith({ ...parts, stderr: write })), stderr }
    }
    const plain = await told(servePlain)
    expect(plain).toEqual(await told((context) => run(context, ['serve'])))
    expect(plain.stderr).not.toBe('')
  })

  test('serves with the settings of the environment', async () => {
    const env = { PORT: '8080', DATABASE_URL: '/srv/changelogd.db' }
    const served: unknown[] = []
    const serve: Context['serve'] = async (config, _, file) => void served.push(config, file)
    expect(await servePlain(contextWith({ env, serve }))).toBe(0)
    expect(served).toEqual([readConfig({}, env), null])
  })
})
