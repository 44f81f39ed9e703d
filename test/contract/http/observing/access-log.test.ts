import { describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { newToken } from '../../../../src/domain/token.ts'
import { scratch } from '../../../support/scratch.ts'
import { freePort } from '../../../support/servers/free-port.ts'
import { listening, outputOf, startProcess } from '../../../support/servers/process.ts'
import { PLENTY, startServer, THE_BINARY, TWO_THREADS } from '../../../support/servers/server.ts'
import { listenersOn } from '../../../support/threads/listeners.ts'
import { until } from '../../../support/until.ts'

describe('the access log', () => {
  test('LOG_REQUESTS prints one JSON line a request, without keys and the password of the site', async () => {
    await using server = await startServer(THE_BINARY, {
      LOG_REQUESTS: 'true',
      PASSWORD_PROTECTION: 'true',
      PASSWORD_PROTECTION_USER: 'vera',
      PASSWORD_PROTECTION_PASSWORD: 'secret-horse',
    })
    const token = newToken()
    await server.get(`/api/v1/teams/fast-uri/products/b/changelog?access_token=${token}`, {
      authorization: `Bearer ${token}`,
      'user-agent': `agent ${token} (compatible; Googlebot/2.1; +http://www.google.com/bot.html)`,
    })
    await server.get(`/${token}`)
    await server.get(`/x/${token.replace('clk_', '%63lk%5F')}`)
    const twice = encodeURIComponent(token.replace('clk_', '%63lk%5F'))
    const basic = Buffer.from('vera:secret-horse').toString('base64')
    await server.get(`/x/${twice}/secret-horse`, {
      'user-agent': `Basic ${basic}`,
      'x-forwarded-for': `192.0.2.1, ${basic}`,
    })
    await server.get('/healthz')
    await server.stop()
    const entries = server.lines.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line))
    expect(entries.map(({ method, path, status }) => [method, path, status])).toEqual([
      ['GET', '/api/v1/teams/fast-uri/products/b/changelog', 401],
      ['GET', '/…', 401],
      ['GET', '/x/…', 401],
      ['GET', '/x/…/…', 401],
      ['GET', '/healthz', 200],
    ])
    expect(entries[0].userAgent).toBe('agent … (compatible; Googlebot/2.1; +http://www.google.com/bot.html)')
    expect(entries[3]).toMatchObject({ userAgent: 'Basic …', forwardedFor: '192.0.2.1, …' })
    for (const secret of [token.slice(4), twice, basic, 'secret-horse'])
      expect(server.lines.join('\n')).not.toContain(secret)
    expect(entries[0].time).toMatch(/^\d{4}-.*Z$/)
  })

  test('it goes on serving when nobody reads its log any more', async () => {
    // The test's own end of the pipe cannot be closed alone, so `head` is put at the other one.
    using directory = scratch()
    const command = ['bash', '-c', 'exec > >(head -n 1); exec "$@"', 'sh', ...THE_BINARY.command, 'serve']
    const env = { PATH: process.env.PATH ?? '', PORT: '0', LOG_REQUESTS: 'true' }
    const DATABASE_URL = join(directory.path, 'x.db')
    const child = startProcess(command, { cwd: directory.path, env: { ...env, DATABASE_URL } })
    const output = outputOf(child)
    const url = await listening(child, output)
    // `head` has gone: it had the only other end of the pipe.
    await output.ended
    for (let time = 0; time < 20; time++) expect((await fetch(`${url}/healthz`)).status).toBe(200)
    child.kill('SIGTERM')
    expect(await child.exited).toBe(0)
  })

  test('what a slow reader has not taken yet when a server with two threads stops is not lost', async () => {
    using directory = scratch()
    const port = await freePort()
    const signal = join(directory.path, 'read')
    const slowly = 'exec > >(until [ -e "$0" ]; do sleep 0.01; done; exec cat); exec "$@"'
    const child = startProcess(['bash', '-c', slowly, signal, ...TWO_THREADS.command, 'serve'], {
      cwd: directory.path,
      env: {
        PATH: process.env.PATH ?? '',
        ...TWO_THREADS.env,
        ...PLENTY,
        PORT: String(port),
        DATABASE_URL: join(directory.path, 'x.db'),
        LOG_REQUESTS: 'true',
      },
    })
    await until(() => listenersOn(port) === 2)
    // Together more than a pipe holds.
    const paths = Array.from({ length: 400 }, (_, at) => `/number-${at}`)
    for (const path of paths) await fetch(`http://127.0.0.1:${port}${path}`)
    child.kill('SIGTERM')
    await until(() => listenersOn(port) === 0)
    writeFileSync(signal, '')
    const lines = (await new Response(child.stdout).text()).trim().split('\n')
    const entries = lines.filter((line) => line.startsWith('{'))
    expect(entries.map((line) => JSON.parse(line).path).sort()).toEqual(paths.sort())
    expect(await child.exited).toBe(0)
  })
})
