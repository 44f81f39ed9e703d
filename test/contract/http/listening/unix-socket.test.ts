import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { existsSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { refused } from '../../../support/commands/refused.ts'
import { type Result, Sandbox } from '../../../support/sandbox.ts'
import { type Child, killProcess, listening, outputOf } from '../../../support/servers/process.ts'
import { publicPath } from '../../../support/servers/server.ts'

const NOTHING = publicPath('no', 'such')

let box: Sandbox
let path: string
beforeEach(async () => {
  box = await Sandbox.on('SQLite')
  path = box.at('x.sock')
})
afterEach(() => box.close())

const start = (env: Record<string, string> = {}): Child =>
  box.start(['serve'], { HOST: `unix:${path}`, ...env })

async function started(env: Record<string, string> = {}): Promise<Child> {
  const child = start(env)
  expect(await listening(child)).toBe(`unix:${path}`)
  return child
}

async function refusal(env: Record<string, string> = {}): Promise<string> {
  const child = start(env)
  const [status, stderr] = [await child.exited, await new Response(child.stderr).text()]
  return refused({ status, stderr, stdout: '' } satisfies Result)
}

const get = (target: string, headers: Record<string, string> = {}) =>
  fetch(`http://localhost${target}`, { unix: path, headers })

/** How many requests of its bucket a client has left, after one more. */
async function left(forwarded?: string): Promise<number> {
  const response = await get(NOTHING, forwarded === undefined ? {} : { 'x-forwarded-for': forwarded })
  return Number(/r=(\d+)/.exec(response.headers.get('ratelimit') ?? '')?.[1])
}

/** More than a test takes to be refilled. */
const LIMITED = { RATE_LIMIT_BURST: '10', RATE_LIMIT_PER_MINUTE: '1' }

describe('a server on a unix socket', () => {
  test('serves, says where, lets its owner and group connect, and removes the socket when it stops', async () => {
    const child = await started()
    expect((await get('/healthz')).status).toBe(200)
    expect((await get(NOTHING)).status).toBe(404)
    expect(statSync(path).mode & 0o777).toBe(0o660)
    child.kill('SIGTERM')
    expect(await child.exited).toBe(0)
    expect(existsSync(path)).toBe(false)
  })

  test('is found by healthcheck', async () => {
    const env = { HOST: `unix:${path}` }
    expect(refused(await box.run(['healthcheck'], env))).toContain(`No server responds at unix:${path}`)
    await started()
    expect(await box.run(['healthcheck'], env)).toMatchObject({
      status: 0,
      stdout: `Healthy: unix:${path}\n`,
    })
  })

  test('takes the place of one that was killed', async () => {
    await killProcess(await started())
    expect(existsSync(path)).toBe(true)
    await started()
    expect((await get('/healthz')).status).toBe(200)
  })

  test('of two that start at once over a socket that was left, one serves and the other is refused', async () => {
    await killProcess(await started())
    const children = [start(), start()]
    const addresses = await Promise.all(children.map((child) => outputOf(child).address))
    expect(addresses.toSorted()).toEqual([null, `unix:${path}`].toSorted())
    const loser = children[addresses.indexOf(null)]
    expect(await new Response(loser?.stderr).text()).toContain('another server is listening on it')
    expect((await get('/healthz')).status).toBe(200)
  })

  test('touches nothing that is not a socket', async () => {
    writeFileSync(path, 'precious')
    expect(await refusal()).toContain('it exists and is not a socket.')
    expect(await Bun.file(path).text()).toBe('precious')
    path = box.at('link.sock')
    symlinkSync(box.at('x.sock'), path)
    expect(await refusal()).toContain('it exists and is not a socket.')
  })

  test('names a path that it cannot use', async () => {
    path = join(box.directory, 'missing', 'x.sock')
    expect(await refusal()).toMatch(
      /Cannot listen on unix:.*ENOENT.* Use a path in an existing directory that this user can write to\./,
    )
  })

  test('has one thread: more are refused with the reason', async () => {
    expect(await refusal({ THREADS: '2' })).toContain(
      'THREADS is more than 1, but only one thread can listen on a unix socket (HOST).',
    )
  })

  test('believes its peers with TRUSTED_PROXIES=unix, from the right', async () => {
    await started({ ...LIMITED, TRUSTED_PROXIES: 'unix,10.0.0.0/8' })
    expect(await left('192.0.2.1')).toBe(9)
    expect(await left('192.0.2.2')).toBe(9)
    expect(await left('192.0.2.9, 192.0.2.1, 10.1.1.1')).toBe(8)
    expect(await left()).toBe(9)
    expect(await left('nonsense')).toBe(8)
  })
})
