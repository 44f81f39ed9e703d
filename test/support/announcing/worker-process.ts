/** Announces on a database until it is killed: `bun worker-process.ts DATABASE LEASE-MS [MAIL-SERVER]`, the last one as JSON. */
import { snapshotsOf } from '../../../src/announce/content.ts'
import { createAnnouncer } from '../../../src/announce/job.ts'
import { createLinks } from '../../../src/announce/message.ts'
import { openBookkeeping } from '../../../src/store/bookkeeping/open.ts'
import { createWaiting } from '../../../src/store/engines/wait.ts'
import { open } from '../../../src/store/open.ts'

const [database = '', leaseMs = '', mailServer = 'null'] = Bun.argv.slice(2)
const now = Date.now
const announcer = createAnnouncer({
  snapshot: snapshotsOf(() => open(database, 'read', createWaiting(), now)),
  bookkeeping: await openBookkeeping(database, { leaseMs: Number(leaseMs) }),
  links: createLinks('https://news.acme.test', 'on'),
  reach: { allowPrivate: true, mailServer: JSON.parse(mailServer), version: '0.0.0' },
  now,
  report: (event) => process.stderr.write(`${event}\n`),
})
const { signal } = new AbortController()
process.stdout.write('working\n')
for (;;) {
  await announcer.round(now(), signal)
  await Bun.sleep(5)
}
