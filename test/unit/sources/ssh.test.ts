import { afterAll, beforeAll, expect, test } from 'bun:test'
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Source } from '../../../src/domain/records.ts'
import { check } from '../../../src/sources/check.ts'
import type { CheckContext } from '../../../src/sources/check-context.ts'
import { describeNeeding } from '../../support/needs.ts'
import { scratch } from '../../support/scratch.ts'
import { freePort } from '../../support/servers/free-port.ts'
import { GitServer } from '../../support/servers/git-server.ts'
import { type Child, killProcess, startProcess } from '../../support/servers/process.ts'
import { givenOf, labels, sourceOf } from '../../support/source.ts'
import { until } from '../../support/until.ts'

const sshd = Bun.which('sshd') ?? Bun.which('sshd', { PATH: '/usr/sbin:/usr/local/sbin' })
const isInstalled = sshd !== null && Bun.which('ssh') !== null && Bun.which('git') !== null

describeNeeding('sshd', isInstalled, 'a git remote over ssh', () => {
  let place: ReturnType<typeof scratch>
  let server: Child
  let url: string
  const at = (name: string) => join(place.path, name)
  const key = (name: string) => {
    const made = Bun.spawnSync(['ssh-keygen', '-q', '-t', 'ed25519', '-N', '', '-C', name, '-f', at(name)])
    if (made.exitCode !== 0) throw new Error(`ssh-keygen: ${made.stderr}`)
    return readFileSync(at(`${name}.pub`), 'utf8')
  }

  beforeAll(async () => {
    place = scratch()
    const repository = new GitServer(place.path).create('app')
    repository.commit({ 'CHANGELOG.md': '## 1.0.0\n\n- First\n' })
    const host = key('host')
    writeFileSync(at('authorized'), key('own'))
    key('other')
    const port = await freePort()
    writeFileSync(at('known_hosts'), `[ssh.test]:${port} ${host}`)
    writeFileSync(at('other_hosts'), `[ssh.test]:${port} ${readFileSync(at('other.pub'), 'utf8')}`)
    writeFileSync(
      at('sshd_config'),
      [
        ...[`Port ${port}`, 'ListenAddress 127.0.0.1', `HostKey ${at('host')}`, 'PidFile none'],
        ...[
          `AuthorizedKeysFile ${at('authorized')}`,
          'StrictModes no',
          'PasswordAuthentication no',
          'UsePAM no',
        ],
      ].join('\n'),
    )
    // Where a service would have it.
    if (process.getuid?.() === 0) mkdirSync('/run/sshd', { recursive: true, mode: 0o755 })
    server = startProcess([sshd ?? '', '-D', '-e', '-f', at('sshd_config')], { cwd: place.path, env: {} })
    url = `ssh://${Bun.spawnSync(['id', '-un']).stdout.toString().trim()}@ssh.test:${port}${repository.bare}`
    const isUp = () =>
      Bun.connect({ hostname: '127.0.0.1', port, socket: { data: (socket) => void socket.end() } }).then(
        () => true,
        () => false,
      )
    await until(isUp)
  })
  afterAll(async () => {
    await killProcess(server)
    place[Symbol.dispose]()
  })

  const ask = (fields: Partial<Source> = {}, given: Partial<CheckContext> = {}) =>
    check(
      sourceOf(url, { tokenFile: at('own'), ...fields }),
      {},
      givenOf({
        ...{ knownHosts: at('known_hosts'), gitDirectory: at('mirrors') },
        ...{ network: { resolve: async () => ['127.0.0.1'] }, ...given },
      }),
    )

  test('is read with the key of its source, from a host whose key is known', async () => {
    // The name is known to the resolver of the test alone: ssh connects to the address.
    expect(labels(await ask())).toEqual(['1.0.0'])
  })

  test('is refused without a file of known hosts', async () => {
    for (const knownHosts of [null, at('missing')])
      expect(labels(await ask({}, { knownHosts }))).toBe('failed: ssh needs a known_hosts file.')
  })

  test('is refused if the host has another key, or none that is known', async () => {
    appendFileSync(at('no_hosts'), '')
    for (const knownHosts of [at('other_hosts'), at('no_hosts')]) {
      const checked = await ask({}, { knownHosts })
      expect(labels(checked)).toStartWith('failed: git cannot read ssh://')
      expect(checked).toMatchObject({ remedy: expect.stringContaining('FOLLOW_KNOWN_HOSTS') })
    }
  })

  test('is refused with another key of its own', async () => {
    expect(await ask({ tokenFile: at('other') })).toMatchObject({
      state: 'failed',
      remedy: 'Give the private key for ssh with --token-file.',
    })
  })

  test('is not connected to at a private address unless that is allowed', async () => {
    expect(await ask({}, { allowPrivate: false })).toMatchObject({
      state: 'failed',
      reason: 'ssh.test (127.0.0.1) is a private address.',
    })
  })
})
