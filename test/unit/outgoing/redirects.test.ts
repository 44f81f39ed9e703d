import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { scratch } from '../../support/scratch.ts'
import { createCertificate } from '../../support/servers/certificates.ts'

const ADDRESS = '93.184.215.14'
const PROGRAM = join(import.meta.dir, 'on-the-internet.ts')

/** Whether this user may have a network of its own, in which loopback has any address. */
const mayIsolate =
  Bun.which('ip') !== null &&
  Bun.which('openssl') !== null &&
  Bun.which('unshare') !== null &&
  Bun.spawnSync(['unshare', '--map-root-user', '--net', 'true']).exitCode === 0

test.skipIf(!mayIsolate)(
  'a server on the internet is reached, and redirects from there to here are refused',
  () => {
    using place = scratch()
    const authority = createCertificate(place.path, 'authority', ['-subj', '/CN=tests'])
    createCertificate(
      place.path,
      'far',
      ['-subj', '/CN=far', '-addext', 'subjectAltName=DNS:far.test'],
      authority,
    )
    const setUp = `ip link set lo up && ip address add ${ADDRESS}/32 dev lo && exec "$@"`
    const { stdout, stderr } = Bun.spawnSync([
      ...['unshare', '--map-root-user', '--net', 'sh', '-c', setUp, 'sh'],
      ...[process.execPath, PROGRAM, ADDRESS, place.path],
    ])
    expect(stderr.toString()).toBe('')
    expect(JSON.parse(stdout.toString())).toEqual({
      results: {
        public: 'reached',
        ...{ 'to an address': 'private', 'to a name': 'private', 'to metadata': 'private' },
      },
      inside: 1,
    })
  },
)
