import { beforeEach, describe, expect, test } from 'bun:test'
import { newToken } from '../../../src/domain/token.ts'
import { PROGRAM, sandboxForEach } from '../../support/sandbox.ts'
import { listening } from '../../support/servers/process.ts'
import { GATED } from '../../support/servers/server.ts'

const box = sandboxForEach()

test('the demo prints pages and requests that work, and does not change a database that has teams', async () => {
  type Demo = { page: string; upgrade: string; commands: string[]; token: string }
  const { page, upgrade, commands, token } = await box.json<Demo>('demo')
  expect(page).toBe('http://127.0.0.1:3000/changelog/acme/harbor')
  const url = await box.serve()
  const opened = async (address: string) =>
    (await fetch(address.replace('http://127.0.0.1:3000', url))).text()
  expect(await opened(page)).toContain('<b>Harbor</b> <span>changelog</span></h1>')
  const [picture = ''] = /[^"]+\/pictures\/[^"]+/.exec(await opened(page)) ?? []
  expect((await fetch(new URL(picture, url))).headers.get('content-type')).toBe('image/webp')
  expect(await opened(upgrade)).toContain('<code>health:</code>')
  expect(await box.json('version', 'show', 'acme/harbor', '5.1.0')).toMatchObject({ scheduled: true })
  expect(commands).toHaveLength(3)
  for (const command of commands) {
    const path = /\/api\/v1(\S+)/.exec(command)?.[1] as string
    const keyed = command.includes('Authorization')
    expect((await box.seenByApi(path, keyed ? token : undefined)).status).toBe(200)
    if (keyed) expect((await box.seenByApi(path)).status).toBe(401)
  }
  const before = await box.json('status')
  expect(await box.json('demo')).toEqual({ loaded: false })
  expect(await box.json('status')).toEqual(before)
})

test('under password protection, the demo prints requests that work once the password is in its variable', async () => {
  const gate = {
    PASSWORD_PROTECTION: 'true',
    PASSWORD_PROTECTION_USER: "o'hara & co",
    PASSWORD_PROTECTION_PASSWORD: `p"$w' ${'long'.repeat(30)}`,
  }
  const { stdout } = await box.run(['demo'], gate)
  expect(stdout).not.toContain('longlong')
  expect(stdout).toContain('open, with the password in PASSWORD_PROTECTION_PASSWORD:')
  const commands = stdout.split('\n').flatMap((line) => line.match(/curl .*/) ?? [])
  const url = await listening(box.start(['serve', '--port', '0'], gate))
  expect(commands).toHaveLength(3)
  for (const command of commands) {
    const line = command.replace('http://127.0.0.1:3000', url).replace('curl ', 'curl -fsS ')
    const { status, stdout } = await box.runProgram(['sh', '-c', line], gate)
    expect({ command, status, data: JSON.parse(stdout).data.team.slug }).toEqual({
      command,
      status: 0,
      data: 'acme',
    })
  }
  expect((await fetch(`${url}/api/v1/public/teams/acme/products/app/changelog`)).status).toBe(401)
})

test('the demo prints addresses that can be reached, whatever address the server listens on', async () => {
  const first = async (host: string) => {
    const words = ['demo', '--host', host, '--port', '8080', '--db', `${host.replaceAll(':', '_')}.db`]
    return (await box.json<{ commands: string[] }>(...words)).commands[0]
  }
  expect(await first('0.0.0.0')).toContain('http://127.0.0.1:8080/')
  expect(await first('::')).toContain('http://[::1]:8080/')
  expect(await first('2001:db8::1')).toContain('http://[2001:db8::1]:8080/')
  const behindProxy = await box.run(['demo'], {
    PUBLIC_URL: 'https://changes.example',
    HOST: 'unix:/run/c.sock',
  })
  expect(behindProxy.stdout).toContain('open:\n  https://changes.example/changelog/acme/harbor\n')
})

test('healthcheck exits with 0 for a healthy server, whatever proxy the environment names, and with 1 without one', async () => {
  const server = box.start(['serve', '--port', '0'])
  const { port } = new URL(await listening(server))
  expect((await box.words(`healthcheck --port ${port}`)).status).toBe(0)
  const proxy = 'http://127.0.0.1:1'
  const env = { http_proxy: proxy, HTTP_PROXY: proxy, no_proxy: '', NO_PROXY: '' }
  expect((await box.run(['healthcheck'], { ...env, HOST: '127.0.0.1', PORT: port })).status).toBe(0)
  server.kill('SIGTERM')
  expect(await server.exited).toBe(0)
  expect((await box.words(`healthcheck --port ${port}`)).status).toBe(1)
})

describe('get', () => {
  const path = '/api/v1/teams/acme/products/app/changelog'
  let [id, token] = ['', '']

  beforeEach(async () => {
    await box.demo()
    ;({ id, token } = await box.json<{ id: string; token: string }>('key', 'create', 'acme'))
  })
  const withKey = (key: string, ...more: string[]) => box.run(['get', path, ...more], { CHANGELOGD_KEY: key })

  /** Runs `get --key -` with this standard input. */
  const withInput = (input: string, env: Record<string, string> = {}) =>
    box.runProgram(['sh', '-c', `printf '%s' "$INPUT" | "$0" get ${path} --key -`, ...PROGRAM], {
      INPUT: input,
      ...env,
    })

  test('sends a request to the real application, and exits with 1 unless the response is a success', async () => {
    const plain = await withKey(token)
    expect(plain.status).toBe(0)
    expect(JSON.parse(plain.stdout).data.versions).toHaveLength(2)
    expect(JSON.parse((await withKey(token, '--json')).stdout)).toMatchObject({
      status: 200,
      body: { data: { object: 'changelog' } },
    })
    const refused = await box.run(['get', path])
    expect(refused.status).toBe(1)
    expect(JSON.parse(refused.stdout).error.code).toBe('unauthorized')
    expect((await box.run(['get', path], { ...GATED, CHANGELOGD_KEY: token })).status).toBe(0)
  })

  test('reads a key from standard input, which takes precedence over CHANGELOGD_KEY', async () => {
    expect(await withInput(`${token}\r\n`, { CHANGELOGD_KEY: newToken() })).toMatchObject({
      ...{ status: 0, stderr: '' },
    })
    const rejected =
      'changelogd: The response has status 401. Check that the key is active: changelogd key list TEAM\n'
    expect(await withInput(newToken(), { CHANGELOGD_KEY: token })).toMatchObject({ stderr: rejected })
    await box.words(`key disable ${id}`)
    expect(await withKey(token)).toMatchObject({ status: 1, stderr: rejected })
  })

  test('takes no key as an argument: wrong usage that names what to do instead, and not the token', async () => {
    const { status, stdout, stderr } = await box.run(['get', path, '--key', token])
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' })
    expect(stderr).toContain('CHANGELOGD_KEY')
    expect(stderr).toContain('--key -')
    expect(stderr).not.toContain(token.slice(4))
  })

  test('checks a key for typing errors, and does not print it', async () => {
    const refusal = 'changelogd: The API key is incomplete or has a typo. Copy it again.\n'
    for (const wrong of [token.slice(0, -1), `${token}x`, 'nonsense'])
      expect(await withKey(wrong)).toMatchObject({ status: 1, stderr: refusal })
    expect(await withInput('')).toMatchObject({ status: 1, stderr: refusal })
    expect((await box.run(['get', '/healthz'], { CHANGELOGD_KEY: '' })).status).toBe(0)
  })
})

test('the value of an unknown option is not repeated', async () => {
  const { status, stderr } = await box.run(['serve', '--password-protection-password=hunter2'])
  expect(status).toBe(2)
  expect(stderr).not.toContain('hunter2')
})

test('a suggested command names the database that was given', async () => {
  const other = box.at('other.db')
  await box.json('team', 'create', 'acme', '--name', 'Acme', '--db', other)
  expect((await box.words(`team show nosuch --db ${other}`)).stderr).toEndWith(
    `: changelogd team list --db ${other}\n`,
  )
  expect((await box.words(`key create acme --db=${other}`)).stderr).toEndWith(
    `: changelogd team update acme --plan paid --db ${other}\n`,
  )
  expect((await box.words(`product list acme --db ${other}`)).stderr).toEndWith(
    `: changelogd product create acme/app --name App --db ${other}\n`,
  )
})
