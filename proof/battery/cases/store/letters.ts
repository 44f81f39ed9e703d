import { MailHost } from '../../../../test/support/announcing/mail-host.ts'
import { type Case, type Row, Tally } from '../../support/case.ts'
import { Place } from '../../support/place.ts'

const REPORTS = [['hook', 'list'], ['status'], ['doctor']]

export default {
  name: 'letters',
  how: 'A mail server says later, then never, to one release after another. Each must be reported as given up by the log, `hook list`, `status` and `doctor`, until it is replayed or dismissed, and a list must get it at most once.',
  run: async ({ of }) => [await letters(of(20, 4))],
} satisfies Case

async function letters(count: number): Promise<Row> {
  const tally = new Tally('A letter that was given up is reported until somebody sees to it')
  await using place = new Place()
  await using host = await MailHost.start({ tls: 'none' })
  const env = {
    ...{ PUBLIC_URL: 'https://news.acme.test', MAIL_FROM: 'news@acme.test' },
    SMTP_URL: `smtp://127.0.0.1:${host.port}`,
  }
  const run = (...args: string[]) => place.run(args, { env })
  const app = place.fill((seed) => seed.product(seed.team('acme'), 'app').changelogId)
  const added = await run('hook', 'add', 'acme', '--mail', 'list@acme.test', '--delay', '0')
  if (added.status !== 0) throw new Error(added.stderr)
  const expectReports = async (isGivenUp: boolean, when: string) => {
    for (const args of REPORTS) {
      const { stdout, stderr } = await run(...args)
      const said = stdout + stderr
      tally.count(said.includes('gave up') === isGivenUp, () => `${args.join(' ')} ${when}: ${said}`)
    }
  }
  for (let at = 1; at <= count; at++) {
    host.refusals = { data: [451, '4.3.0 Later'] }
    place.fill((seed) => seed.version(app, `${at}.0`))
    await run('worker', '--once')
    host.refusals = { data: [554, '5.7.1 Never'] }
    await run('hook', 'replay', 'acme/list', '--failed')
    const { stderr } = await run('worker', '--once')
    tally.count(stderr.includes(`gave up ${at}.0`), () => `the log of ${at}.0: ${stderr}`)
    await expectReports(true, `with ${at}.0 given up`)
    host.refusals = {}
    const before = host.taken.length
    const isReplayed = at % 2 === 0
    await run('hook', ...(isReplayed ? ['replay', 'acme/list', '--failed'] : ['dismiss', 'acme/list']))
    for (const _ of ['first', 'again']) await run('worker', '--once')
    const sent = host.taken.length - before
    tally.count(sent === Number(isReplayed), () => `${at}.0 was sent ${sent} times`)
    await expectReports(false, `after ${at}.0 was ${isReplayed ? 'replayed' : 'dismissed'}`)
  }
  return tally.row(`${count} letters refused for good after a delay, half of them replayed`)
}
