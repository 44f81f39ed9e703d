import { Database } from 'bun:sqlite'
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { join } from 'node:path'
import { simpleParser } from 'mailparser'
import { openBookkeeping } from '../../../src/store/bookkeeping/open.ts'
import { MailHost } from '../../support/announcing/mail-host.ts'
import { HOUR, MINUTE, Rig, SECOND } from '../../support/announcing/rig.ts'
import { describeNeeding } from '../../support/needs.ts'
import { until } from '../../support/until.ts'

const PROCESS = join(import.meta.dir, '../../support/announcing/worker-process.ts')
const LIST = 'mailto:changelog@lists.acme.test'

describeNeeding('openssl', Bun.which('openssl') !== null, 'a mail hook', () => {
  let rig: Rig
  let host: MailHost
  const begin = async (engine: Parameters<typeof Rig.on>[0] = 'SQLite', user = true) => {
    rig = await Rig.on(engine)
    host = await MailHost.start({ password: 'sesame-open' })
    const settings = user ? { user: 'news', password: 'sesame-open' } : {}
    rig.reach = { mailServer: host.settings(settings), network: host.network }
  }
  beforeEach(() => begin())
  afterEach(async () => {
    await host[Symbol.asyncDispose]()
    await rig[Symbol.asyncDispose]()
  })
  const subjects = () => Promise.all(host.taken.map(async ({ raw }) => (await simpleParser(raw)).subject))
  const deliveries = async (id: string) =>
    (await rig.bookkeeping.deliveries.list(id)).map(({ state, tries, last }) => [
      state,
      tries,
      last?.status,
      last?.answer,
    ])

  test('mails each new release once, and nothing about a withdrawn one', async () => {
    await rig.hook(LIST, { kind: 'mail' })
    await rig.publish('1.0', { title: 'First' })
    await rig.round()
    await rig.edit('1.0', { title: 'Edited' })
    await rig.pass(HOUR)
    await rig.edit('1.0', { status: 'draft' })
    await rig.round()
    expect(await subjects()).toEqual(['App 1.0: First'])
    expect(host.taken).toMatchObject([
      { recipients: ['changelog@lists.acme.test'], user: 'news', isEncrypted: true },
    ])
  })

  test('refuses to send withdrawn', async () => {
    const added = rig.hook(LIST, { kind: 'mail', events: ['published', 'withdrawn'] })
    expect(added).rejects.toThrow(
      'A mail hook sends published and updated, because mail cannot be taken back.',
    )
    await added.catch(() => {})
  })

  test('mails many old releases at once as one message', async () => {
    await rig.hook(LIST, { kind: 'mail' })
    for (let each = 1; each <= 30; each++) await rig.publish(`1.${each}`, { title: `Release ${each}` })
    await rig.round()
    expect(await subjects()).toEqual(['App: 30 new releases'])
    const { text } = await simpleParser(host.taken[0]?.raw ?? '')
    expect(text).toContain('10 more on the page:\nhttps://news.acme.test/changelog/acme/app')
  })

  test('tries again while the server says later, with the same Message-ID and the text of then', async () => {
    const hook = await rig.hook(LIST, { kind: 'mail' })
    host.refusals = { recipient: [450, '4.2.0 Try sesame-open later'] }
    await rig.publish('1.0')
    await rig.round()
    expect(await deliveries(hook.id)).toEqual([['waiting', 1, 450, '4.2.0 Try … later']])
    expect(rig.notices).toEqual([
      'Hook acme/changelog failed. The worker will retry. It returned 450: 4.2.0 Try … later.',
    ])
    host.refusals = {}
    await rig.edit('1.0', { title: 'Without the secret', yanked: 'It loses *data*.' })
    await rig.pass(MINUTE, SECOND)
    expect(await subjects()).toEqual(['App 1.0 [Yanked]: Without the secret'])
    expect(rig.notices.at(-1)).toBe('Hook acme/changelog works again.')
    const [delivery] = await rig.bookkeeping.deliveries.list(hook.id)
    const { messageId, date, text } = await simpleParser(host.taken[0]?.raw ?? '')
    expect(text).toContain('1.0 was withdrawn after its release. It loses *data*.')
    expect(messageId).toBe(`<${delivery?.id}@news.acme.test>`)
    expect(date.getTime()).toBe(delivery?.createdAt ?? 0)
  })

  test('a replay of what failed leaves alone what a worker is sending, or has sent meanwhile', async () => {
    const hook = await rig.hook(LIST, { kind: 'mail' })
    host.refusals = { recipient: [450, '4.2.0 Later'] }
    await rig.publish('1.0')
    await rig.round()
    host.refusals = {}
    const { deliveries: kept } = rig.bookkeeping
    const replayed = async () =>
      (await kept.again(hook.id, { ids: [], failed: true }, rig.now)).map(({ state, tries }) => [
        state,
        tries,
      ])
    expect(await replayed()).toEqual([['waiting', 0]])
    const claimed = await kept.claim(hook.id, rig.now)
    expect(await replayed()).toEqual([])
    await kept.release(claimed?.id ?? '')
    await rig.round()
    expect(await subjects()).toEqual(['App 1.0'])
    expect(await replayed()).toEqual([])
    await rig.pass(MINUTE, SECOND)
    expect(await subjects()).toEqual(['App 1.0'])
  })

  test.each([
    [550, 'recipient', '5.1.1 No such user'],
    [552, 'data', '5.2.2 Mailbox full'],
  ] as const)(
    'gives up a delivery at %d, with an error also after another try, and mails the next release',
    async (code, step, words) => {
      const hook = await rig.hook(LIST, { kind: 'mail' })
      host.refusals = { [step]: [451, '4.3.0 Later'] }
      await rig.publish('1.0')
      await rig.round()
      host.refusals = { [step]: [code, words] }
      await rig.pass(5 * HOUR, 10 * MINUTE)
      expect(await deliveries(hook.id)).toEqual([['failed', 2, code, words]])
      expect(rig.alarms).toEqual([
        `Hook acme/changelog gave up 1.0. It returned ${code}: ${words}. To send it again: changelogd hook replay acme/changelog --failed`,
      ])
      expect(await rig.bookkeeping.announced.failing()).toEqual([])
      expect(await rig.announcer().stats()).toMatchObject({ hooks: { failing: 0, stopped: 0 }, givenUp: 1 })
      host.refusals = {}
      await rig.publish('2.0')
      await rig.round()
      expect(await subjects()).toEqual(['App 2.0'])
    },
  )

  test('keeps what was given up, behind any number of later releases, until it is replayed or dismissed', async () => {
    const hook = await rig.hook(LIST, { kind: 'mail' })
    const { deliveries: kept } = rig.bookkeeping
    host.refusals = { data: [554, '5.7.1 Spam'] }
    for (const label of ['1.0', '2.0', '3.0']) {
      await rig.publish(label)
      await rig.round()
    }
    host.refusals = {}
    // As many as are listed, and one more.
    const [old] = await kept.list(hook.id)
    rig.runInBookkeeping(`WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 101)
      INSERT INTO worker_delivery (id, hook_id, round, type, product_id, topic, version_ids, label, state, created_at, tries, next_at)
      SELECT 'msg_' || n, hook_id, round + n, type, product_id, 'topic', '[]', label, 'done', created_at, 1, 0
      FROM worker_delivery JOIN number WHERE id = '${old?.id}'`)
    await kept.prune(hook.id)
    const labels = async () => (await kept.givenUp()).map(({ label }) => label)
    expect(await labels()).toEqual(['3.0', '2.0', '1.0'])
    expect(await kept.list(hook.id)).toHaveLength(103)
    const [third, second] = await kept.givenUp()
    expect(await kept.dismiss(hook.id, [third?.id ?? ''])).toMatchObject([
      { label: '3.0', state: 'dismissed' },
    ])
    expect(await kept.dismiss(hook.id, [third?.id ?? ''])).toEqual([])
    await kept.again(hook.id, { ids: [second?.id ?? ''], failed: false }, rig.now)
    await rig.round()
    expect(await subjects()).toEqual(['App 2.0'])
    expect(await labels()).toEqual(['1.0'])
    expect(await kept.dismiss(hook.id, [])).toHaveLength(1)
    expect(await rig.announcer().stats()).toMatchObject({ givenUp: 0 })
  })

  test.each([
    [
      'a wrong password',
      { user: 'news', password: 'wrong-word' },
      /refused the user name or password: 535.*Check the user/,
    ],
    ['a server that is not there', { host: 'mail.test:9', user: 'news' }, /^Cannot connect to mail\.test/],
  ])('tries again after %s, which is shown without the password', async (_, settings, said) => {
    const { host: other, ...rest } = { host: undefined, ...settings }
    const mailServer = host.settings(rest)
    rig.reach = {
      ...rig.reach,
      mailServer: other === undefined ? mailServer : { ...mailServer, url: 'smtp://mail.test:9' },
    }
    const hook = await rig.hook(LIST, { kind: 'mail' })
    await rig.publish('1.0')
    await rig.round()
    const [[state, tries, status, answer] = []] = await deliveries(hook.id)
    expect([state, tries, status]).toEqual(['waiting', 1, null])
    expect(answer).toMatch(said)
    expect(answer).not.toContain('wrong-word')
    const [{ reason } = { reason: '' }] = await rig.bookkeeping.announced.failing()
    expect(reason).toBe(answer as string)
  })

  test('says that there is no mail server', async () => {
    rig.reach = { mailServer: null }
    const hook = await rig.hook(LIST, { kind: 'mail' })
    await rig.publish('1.0')
    await rig.round()
    expect(await deliveries(hook.id)).toEqual([
      [
        'waiting',
        1,
        null,
        'SMTP_URL is not set, so mail hooks send nothing. Set SMTP_URL and MAIL_FROM, for the worker and for commands.',
      ],
    ])
  })

  test('is sent once by a worker that is stopped while the server has it, and not at all by one stopped before', async () => {
    const hook = await rig.hook(LIST, { kind: 'mail' })
    const stopping = new AbortController()
    const stopped = new AbortController()
    stopped.abort()
    await rig.publish('1.0')
    host.beforeTaking = async () => {
      stopping.abort()
      await Bun.sleep(0)
    }
    for (const { signal } of [stopping, stopped]) {
      const announcer = rig.announcer()
      await announcer.round(rig.now, signal)
      await announcer.ended()
      if (signal === stopping.signal) await rig.publish('2.0')
    }
    expect(await subjects()).toEqual(['App 1.0'])
    expect((await deliveries(hook.id)).map(([state, tries]) => [state, tries])).toEqual([
      ['waiting', 0],
      ['done', 1],
    ])
    host.beforeTaking = () => {}
    await rig.round()
    expect(await subjects()).toEqual(['App 1.0', 'App 2.0'])
  })

  test('mails each release once from two workers on PostgreSQL', async () => {
    await host[Symbol.asyncDispose]()
    await rig[Symbol.asyncDispose]()
    await begin('PostgreSQL')
    await rig.hook(LIST, { kind: 'mail' })
    await rig.hook('mailto:other@lists.acme.test', { kind: 'mail' })
    const books = await Promise.all([1, 2].map(() => openBookkeeping(rig.database)))
    const workers = books.map((book) => rig.announcer(book))
    for (let each = 1; each <= 4; each++) {
      await rig.publish(`1.${each}`)
      await Promise.all(workers.map((worker) => rig.round(worker)))
    }
    await until(async () => {
      await Promise.all(workers.map((worker) => rig.round(worker)))
      return host.taken.length >= 8
    })
    for (const book of books) book.close()
    for (const address of ['changelog', 'other']) {
      const own = host.taken.filter(({ recipients: [to] }) => to === `${address}@lists.acme.test`)
      const told = await Promise.all(own.map(async ({ raw }) => (await simpleParser(raw)).subject))
      expect(told.toSorted()).toEqual(['App 1.1', 'App 1.2', 'App 1.3', 'App 1.4'])
    }
  })

  test('is repeated once for each kill between acceptance and note, with the same Message-ID', async () => {
    await host[Symbol.asyncDispose]()
    host = await MailHost.start({ tls: 'none' })
    await rig.hook(LIST, { kind: 'mail' })
    await rig.publish('1.0', { title: 'Once' })
    rig.bookkeeping.close()
    const settings = JSON.stringify(host.settings({ host: '127.0.0.1' }))
    const start = () =>
      Bun.spawn(['bun', PROCESS, rig.database, '1000', settings], { stdout: 'ignore', stderr: 'pipe' })
    const kills = 2
    for (let each = 1; each <= kills; each++) {
      const worker = start()
      const held = new Database(`${rig.database}-worker`)
      // The server takes the message, and nothing can be noted.
      host.beforeTaking = () => void held.run('BEGIN IMMEDIATE')
      await until(() => host.taken.length === each)
      worker.kill('SIGKILL')
      await worker.exited
      held.run('ROLLBACK')
      held.close()
    }
    host.beforeTaking = () => {}
    const last = start()
    rig.bookkeeping = await openBookkeeping(rig.database, { clock: () => rig.now })
    await until(
      async () =>
        host.taken.length > kills && (await rig.bookkeeping.deliveries.dueHooks(Date.now())).length === 0,
    )
    last.kill('SIGKILL')
    await last.exited
    expect(host.taken).toHaveLength(kills + 1)
    const parsed = await Promise.all(host.taken.map(({ raw }) => simpleParser(raw)))
    expect(
      new Set(parsed.map(({ messageId, date, text, html }) => `${messageId} ${date} ${text} ${html}`)).size,
    ).toBe(1)
  })
})
