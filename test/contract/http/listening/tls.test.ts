import { afterEach, beforeEach, expect, test } from 'bun:test'
import { chmodSync, copyFileSync, existsSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { connect as connectSafely, type TLSSocket } from 'node:tls'
import { refused } from '../../../support/commands/refused.ts'
import { describeNeeding } from '../../../support/needs.ts'
import { PROGRAM, Sandbox } from '../../../support/sandbox.ts'
import { seeder } from '../../../support/seed.ts'
import { type CertificateFiles, createCertificate } from '../../../support/servers/certificates.ts'
import { AS_A_SERVICE, linesOf, listening } from '../../../support/servers/process.ts'
import { publicPath } from '../../../support/servers/server.ts'
import { until } from '../../../support/until.ts'

let box: Sandbox
let files: CertificateFiles
beforeEach(async () => {
  box = await Sandbox.on('SQLite')
  files = createCertificate(box.directory, 'server')
})
afterEach(() => box.close())

const settings = (more: Record<string, string> = {}) => ({
  ...{ HOST: 'localhost', PORT: '0', TLS_CERT: files.certificate, TLS_KEY: files.key },
  ...more,
})

const start = (more: Record<string, string> = {}) => listening(box.start(['serve'], settings(more)))

/** A request that trusts this server's certificate alone. */
const get = (url: string) => fetch(url, { tls: { ca: readFileSync(files.certificate, 'utf8') } })

/** What a server says to plain HTTP. */
const plain = (port: number): Promise<string> =>
  new Promise((resolve) => {
    const socket = connect(port, 'localhost', () => socket.write('GET /livez HTTP/1.1\r\nHost: x\r\n\r\n'))
    let received = ''
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1')
    })
    socket.on('error', () => {})
    socket.on('close', () => resolve(received))
  })

describeNeeding('openssl', Bun.which('openssl') !== null, 'a server with a certificate', () => {
  test.each(['1', '2'])('serves HTTPS, and says so, with %s threads', async (threads) => {
    await box.json('demo')
    const url = await start({ THREADS: threads })
    expect(url).toMatch(/^https:\/\/localhost:\d+$/)
    const response = await get(url + publicPath('acme', 'app'))
    expect(response.status).toBe(200)
    // Counted for the address of the client.
    expect(response.headers.get('ratelimit')).toStartWith('"public";r=59;')
    expect(await (await get(`${url}/changelog/acme/app/feed.atom`)).text()).toContain(
      `${url}/changelog/acme/app`,
    )
    expect(await plain(Number(new URL(url).port))).not.toContain('200')
  })

  test.each(['1', '2'])(
    'reads it again at SIGHUP, and finishes what is in flight, with %s threads',
    async (THREADS) => {
      await box.json('migrate')
      const seed = seeder(box.database)
      const { changelogId } = seed.product(seed.team('acme'), 'app')
      seed.db.transaction(() => {
        for (let at = 0; at < 2_000; at++) seed.version(changelogId, `${at}`, { title: 'x'.repeat(10_000) })
      })()
      const child = box.spawn([...AS_A_SERVICE, ...PROGRAM, 'serve'], settings({ THREADS }))
      const url = new URL(await listening(child))
      const { lines } = linesOf(child.stderr)
      const reloaded = async (message: string) => {
        lines.length = 0
        child.kill('SIGHUP')
        await until(() => lines.join().includes(message))
      }
      const open = () =>
        new Promise<TLSSocket>((resolve) => {
          const socket = connectSafely({
            host: 'localhost',
            port: Number(url.port),
            rejectUnauthorized: false,
          })
          socket.on('error', () => {}).on('secureConnect', () => resolve(socket))
        })
      const send = (socket: TLSSocket, path: string) =>
        socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`)
      const named = async () => (await open()).getPeerCertificate().subject.CN

      // More than the sockets hold: most of it is still to be sent when the certificate changes.
      const busy = await open()
      send(busy, publicPath('acme', 'app'))
      await new Promise((resolve) => busy.once('readable', resolve))
      const idle = await open()
      await reloaded('The certificate has not changed.')
      send(idle, '/livez')
      expect(String(await new Promise((resolve) => idle.once('data', resolve)))).toStartWith('HTTP/1.1 200 ')

      const next = createCertificate(box.directory, 'next', ['-subj', '/CN=next'])
      copyFileSync(next.certificate, files.certificate)
      await reloaded('is not the key of the certificate')
      expect(lines.join()).toContain('The old certificate stays in use.')
      expect(await named()).toBe('localhost')
      copyFileSync(next.key, files.key)
      await reloaded('Reloaded the certificate, which is valid until 20')
      await until(async () => (await named()) === 'next')
      let received = 0
      busy.on('data', (chunk) => {
        received += chunk.length
      })
      await new Promise((resolve) => busy.on('close', resolve))
      expect(received).toBeGreaterThan(20_000_000)
      child.kill('SIGTERM')
      expect(await child.exited).toBe(0)
    },
  )

  test('takes only ciphers with forward secrecy and authenticated encryption, from TLS 1.2 on', async () => {
    const url = new URL(await start())
    const accepted = async (...options: string[]) => {
      const command = ['openssl', 's_client', '-connect', url.host, ...options]
      const output = await new Response(Bun.spawn(command, { stderr: 'ignore' }).stdout).text()
      return /Cipher is (?!\(NONE\))(\S+)/.exec(output)?.[1] ?? null
    }
    const taken: string[] = []
    for (;;) {
      const others = ['ALL', ...taken.map((cipher) => `!${cipher}`), '@SECLEVEL=0'].join(':')
      const cipher = await accepted('-tls1_2', '-cipher', others)
      if (cipher === null) break
      taken.push(cipher)
    }
    expect(taken).not.toBeEmpty()
    for (const cipher of taken) expect(cipher).toMatch(/^ECDHE-.*(GCM|POLY1305)/)
    expect(await accepted('-tls1_3')).toStartWith('TLS_')
    expect(await accepted('-tls1_1', '-cipher', 'ALL:@SECLEVEL=0')).toBeNull()
  })

  test('tells browsers to use HTTPS alone, unless HSTS is off', async () => {
    const header = async (more: Record<string, string> = {}) =>
      (await get(`${await start(more)}/livez`)).headers.get('strict-transport-security')
    expect(await header()).toBe('max-age=31536000')
    expect(await header({ HSTS: 'off' })).toBeNull()
  })

  test('is found by healthcheck, whatever name its certificate is for', async () => {
    const { port } = new URL(await start({ HOST: '127.0.0.1' }))
    const checked = await box.run(['healthcheck'], settings({ HOST: '127.0.0.1', PORT: port }))
    expect(checked).toMatchObject({ status: 0, stdout: `Healthy: https://127.0.0.1:${port}/healthz\n` })
  })

  test('does not start with files that are no pair, are not complete or cannot be read', async () => {
    const other = createCertificate(box.directory, 'other')
    const serve = async (more: Record<string, string>) => refused(await box.run(['serve'], settings(more)))
    expect(await serve({ TLS_KEY: other.key })).toContain(
      `TLS_KEY (${other.key}) is not the key of the certificate TLS_CERT (${files.certificate}).`,
    )
    expect(await serve({ TLS_KEY: other.key, THREADS: '2' })).toContain('is not the key of the certificate')
    expect(await serve({ TLS_CERT: box.at('none.crt') })).toContain(
      `TLS_CERT (${box.at('none.crt')}) cannot be read`,
    )
    truncateSync(other.certificate, 300)
    const unusable = await serve({ TLS_CERT: other.certificate })
    expect(unusable).toContain(`TLS_CERT (${other.certificate}) has no usable certificate in PEM format.`)
    expect(unusable).not.toContain('passphrase')
    writeFileSync(other.key, '')
    expect(await serve({ TLS_KEY: other.key })).toContain(
      `TLS_KEY (${other.key}) has no usable private key in PEM format. Use a key without a passphrase.`,
    )
  })

  test.each(['1', '2'])('creates no database if its key cannot be read, with %s threads', async (THREADS) => {
    const database = box.at(`new-${THREADS}.db`)
    const more = { TLS_KEY: box.at('none.key'), DATABASE_URL: database, THREADS }
    expect(refused(await box.run(['serve'], settings(more)))).toContain('TLS_KEY')
    expect(existsSync(database)).toBe(false)
  })

  test('is checked by doctor: the pair, its key, and how long it is valid', async () => {
    await box.json('migrate')
    const said = async (more: Record<string, string> = {}) =>
      (await box.run(['doctor'], settings(more))).stdout
    chmodSync(files.key, 0o600)
    expect(await said()).not.toContain('TLS_')
    chmodSync(files.key, 0o644)
    expect(await said()).toContain(`TLS_KEY (${files.key}) is accessible to other users`)
    const soon = createCertificate(box.directory, 'soon', ['-subj', '/CN=localhost', '-days', '3'])
    expect(await said({ TLS_CERT: soon.certificate, TLS_KEY: soon.key })).toMatch(
      /TLS_CERT \(\S+soon\.crt\) expires in [23] days/,
    )
    expect(await said({ TLS_CERT: soon.certificate })).toContain('is not the key of the certificate')
  })
})
