import { expect, test } from 'bun:test'
import { appendFileSync, chmodSync, chownSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { startCluster } from '../../support/postgres/cluster.ts'
import { Sandbox } from '../../support/sandbox.ts'
import { scratch } from '../../support/scratch.ts'

const SUBJECT = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost']

test.skipIf(!Bun.which('openssl'))(
  'sslmode=verify-full checks the certificate, and the name in it',
  async () => {
    using directory = scratch()
    using cluster = await startCluster()
    await using box = new Sandbox()
    const certificate = (at: string, name: string) => {
      const [out, key] = [join(at, `${name}.crt`), join(at, `${name}.key`)]
      const options = [
        'req',
        '-new',
        '-x509',
        '-days',
        '2',
        '-nodes',
        ...SUBJECT,
        '-out',
        out,
        '-keyout',
        key,
      ]
      expect(Bun.spawnSync(['openssl', ...options]).exitCode).toBe(0)
      return { out, key }
    }
    const { out: right, key } = certificate(cluster.data, 'server')
    const { out: other } = certificate(directory.path, 'other')
    const { uid, gid } = statSync(cluster.data)
    chmodSync(key, 0o600)
    for (const file of [right, key]) chownSync(file, uid, gid)
    appendFileSync(join(cluster.data, 'postgresql.auto.conf'), 'ssl = on\n')
    await Bun.write(join(cluster.data, 'pg_hba.conf'), 'hostssl all all all trust\n')
    await cluster.stop('fast')
    await cluster.start()
    await Bun.write(box.at('ca.pem'), Bun.file(right))

    const migrate = (host: string, parameters: string) => {
      const url = new URL(`${cluster.at('postgres')}?${parameters}`)
      url.hostname = host
      return box.run(['migrate'], { DATABASE_URL: url.href })
    }
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
      expect(stderr).toMatch(/^changelogd: Cannot open the database postgres:.*Set DATABASE_URL/)
    }
  },
)
