import { expect, test } from 'bun:test'
import { chmodSync, chownSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { SQL } from 'bun'
import { describeNeeding } from '../../../support/needs.ts'
import { Engine } from '../../../support/postgres/engine.ts'
import { Sandbox } from '../../../support/sandbox.ts'
import { createCertificate, LOCALHOST } from '../../../support/servers/certificates.ts'
import { until } from '../../../support/until.ts'

/** Has an engine accept connections with TLS alone, and gives the certificate of its authority. */
async function requireTls(address: string): Promise<string> {
  await using sql = new SQL(address, { max: 1 })
  const [{ data_directory: data }] = await sql`show data_directory`
  const authority = createCertificate(data, 'authority', ['-subj', '/CN=authority'])
  const { certificate, key } = createCertificate(data, 'server', LOCALHOST, authority)
  const { uid, gid } = statSync(data)
  chmodSync(key, 0o600)
  for (const file of [certificate, key]) chownSync(file, uid, gid)
  await Bun.write(join(data, 'pg_hba.conf'), 'hostssl all all all trust\n')
  await sql`alter system set ssl = on`
  await sql`select pg_reload_conf()`
  return authority.certificate
}

describeNeeding('openssl', Bun.which('openssl') !== null, 'TLS', () => {
  test('sslmode=verify-full checks the certificate and its name', async () => {
    await using engine = await Engine.start()
    await using box = new Sandbox()
    await Bun.write(box.at('ca.pem'), Bun.file(await requireTls(engine.address())))
    const { certificate: other } = createCertificate(box.directory, 'other')
    const migrate = (host: string, parameters: string) => {
      const url = new URL(`${engine.address()}?${parameters}`)
      url.hostname = host
      return box.run(['migrate'], { DATABASE_URL: url.href })
    }
    await until(async () => (await migrate('localhost', 'sslmode=disable')).status === 1)
    const trusted = `sslmode=verify-full&sslrootcert=${box.at('ca.pem')}`
    expect((await migrate('localhost', trusted)).status).toBe(0)
    expect((await migrate('localhost', 'sslmode=require')).status).toBe(0)
    for (const [host, parameters] of [
      ['localhost', 'sslmode=disable'],
      ['localhost', 'sslmode=verify-full'],
      ['localhost', `sslmode=verify-full&sslrootcert=${other}`],
      ['localhost', 'sslmode=verify-full&sslrootcert=/nowhere.pem'],
      ['localhost', 'sslmode=nonsense'],
      ['127.0.0.1', trusted],
    ] as const) {
      const { status, stderr } = await migrate(host, parameters)
      expect({ parameters, status }).toEqual({ parameters, status: 1 })
      expect(stderr).toMatch(/^changelogd: Cannot open the database postgres:.*Check DATABASE_URL/)
    }
  })
})
