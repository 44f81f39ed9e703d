import { afterEach, expect, test } from 'bun:test'
import type { Socket } from 'node:net'
import { simpleParser } from 'mailparser'
import { OutgoingError } from '../../../src/outgoing/errors.ts'
import {
  encodingOf,
  MAIL_TIMEOUTS_MS,
  type Mail,
  type MailServer,
  sendMail,
} from '../../../src/outgoing/mail.ts'
import {
  FAR_ADDRESS,
  type HostOptions,
  MailHost,
  NAME,
  scriptedHost,
} from '../../support/announcing/mail-host.ts'
import { describeNeeding } from '../../support/needs.ts'
import { holdTimeouts } from '../../support/timers.ts'
import { until } from '../../support/until.ts'

const MAIL: Mail = {
  to: 'changelog@lists.acme.test',
  messageId: '<msg_1@news.acme.test>',
  date: new Date(Date.UTC(2026, 10, 20)),
  subject: 'App 1.0: Größer – 標題 😀',
  text: 'Größer.\n\n-- \nBye\n',
  html: '<p>Größer – 標題 😀</p>\n',
  headers: { 'List-Id': '<app.acme.news.acme.test>', 'Auto-Submitted': 'auto-generated' },
}

/** The fault and the sentence of a conversation that must fail. */
async function refusal(sent: Promise<unknown>) {
  const error = await sent.then(
    () => null,
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof OutgoingError)) throw new Error('It did not fail as it should.', { cause: error })
  return { fault: error.fault, message: error.message, hint: error.hint }
}

describeNeeding('openssl', Bun.which('openssl') !== null, 'a message of mail', () => {
  let host: MailHost | undefined
  afterEach(() => host?.[Symbol.asyncDispose]())
  const start = async (options?: HostOptions) => {
    host = await MailHost.start(options)
    return host
  }
  const send = (
    host: MailHost,
    settings: MailServer = host.settings(),
    mail: Partial<Mail> = {},
    signal?: AbortSignal,
  ) => sendMail(settings, { ...MAIL, ...mail }, signal, host.network)

  test.each(['starttls', 'implicit'] as const)(
    'goes over TLS to a server with %s, signed in, to one recipient',
    async (tls) => {
      const host = await start({ tls, password: 'sësam:/@' })
      const settings = host.settings({ user: 'us%40er', password: 'sësam:/@', replyTo: 'help@acme.test' })
      expect(await send(host, settings)).toMatchObject({ status: 250, isFinal: false })
      expect(host.taken).toMatchObject([
        {
          isEncrypted: true,
          user: 'us@er',
          from: 'news@acme.test',
          recipients: ['changelog@lists.acme.test'],
        },
      ])
      const parsed = await simpleParser(host.taken[0]?.raw ?? '')
      expect(parsed).toMatchObject({
        ...{
          subject: MAIL.subject,
          messageId: MAIL.messageId,
          date: MAIL.date,
          text: MAIL.text,
          html: MAIL.html,
        },
        from: { value: [{ name: 'Acme News', address: 'news@acme.test' }] },
        to: { value: [{ name: '', address: 'changelog@lists.acme.test' }] },
        replyTo: { value: [{ address: 'help@acme.test' }] },
      })
    },
  )

  test('never goes out without TLS, nor does the password, if the server offers none', async () => {
    const host = await start({ tls: 'none', password: 'sesame' })
    const settings = host.settings({ user: 'user', password: 'sesame' })
    expect(await refusal(send(host, settings))).toMatchObject({
      fault: 'plain',
      message: `${NAME}:${host.port} does not offer STARTTLS, so nothing was sent.`,
    })
    expect(host.taken).toEqual([])
  })

  test('never goes out without TLS if the server offers STARTTLS and refuses it', async () => {
    using server = await scriptedHost((line) => {
      if (line.startsWith('EHLO')) return '250-far\r\n250-AUTH PLAIN\r\n250 STARTTLS'
      return line === '' ? '220 far' : '454 not now'
    })
    const network = { resolve: async () => [FAR_ADDRESS], dial: () => '127.0.0.1' }
    const settings = {
      url: `smtp://user@${NAME}:${server.port}`,
      password: 'sesame',
      from: 'a@acme.test',
      replyTo: '',
    }
    expect(await refusal(sendMail(settings, MAIL, undefined, network))).toMatchObject({ fault: 'plain' })
    expect(server.heard.filter((line) => !/^(EHLO|STARTTLS|QUIT)/.test(line))).toEqual([])
  })

  test('on this machine, goes over TLS if the server offers it, whoever signed the certificate', async () => {
    const host = await start({ certified: null, password: 'sesame' })
    const settings = host.settings({ host: '127.0.0.1', user: 'user', password: 'sesame' })
    expect(await sendMail(settings, MAIL)).toMatchObject({ status: 250 })
    expect(host.taken).toMatchObject([{ isEncrypted: true, user: 'user' }])
  })

  test('on this machine, is not sent over smtps:// to a server whose certificate nobody signed', async () => {
    const host = await start({ tls: 'implicit', certified: null })
    expect(await refusal(sendMail(host.settings({ host: '127.0.0.1' }), MAIL))).toMatchObject({
      fault: 'certificate',
    })
    expect(host.taken).toEqual([])
  })

  test('needs no TLS on this machine', async () => {
    const host = await start({ tls: 'none' })
    const local = await sendMail(host.settings({ host: '127.0.0.1' }), MAIL)
    expect(local).toMatchObject({ status: 250 })
    expect(host.taken).toMatchObject([{ isEncrypted: false }])
  })

  test.each(['starttls', 'implicit'] as const)(
    'is not sent to a server whose certificate nobody signed, or is for another name: %s',
    async (tls) => {
      for (const certified of [null, 'other.test']) {
        await using host = await MailHost.start({ tls, certified })
        expect(await refusal(send(host))).toMatchObject({ fault: 'certificate' })
        expect(host.taken).toEqual([])
      }
    },
  )

  test.each([
    ['smtp://mail.test', 587],
    ['smtps://mail.test', 465],
  ])('says which port it tried if %s has none', async (url, port) => {
    const network = { resolve: async () => ['127.0.0.77'] }
    const settings = { url, password: '', from: 'a@acme.test', replyTo: '' }
    expect((await refusal(sendMail(settings, MAIL, undefined, network))).message).toBe(
      `Cannot connect to mail.test:${port}.`,
    )
  })

  test('is refused with a wrong password, which is said', async () => {
    const host = await start({ password: 'sesame' })
    expect(await refusal(send(host, host.settings({ user: 'user', password: 'wrong' })))).toMatchObject({
      fault: 'refused',
      message: expect.stringContaining('refused the user name or password: 535'),
      hint: 'Check the user in SMTP_URL, and SMTP_PASSWORD.',
    })
  })

  test.each([
    [421, 'connect', false],
    [450, 'recipient', false],
    [550, 'recipient', true],
    [451, 'data', false],
    [552, 'data', true],
    [550, 'from', false],
  ] as const)('gets the reply %d at %s of the server, final: %p', async (code, step, isFinal) => {
    const host = await start()
    host.refusals = { [step]: [code, '5.2.2 Mailbox full'] }
    expect(await send(host)).toMatchObject({
      status: code,
      words: expect.stringContaining('Mailbox full'),
      isFinal,
    })
    expect(host.taken).toEqual([])
  })

  test('is not sent to an address with another command or header in it', async () => {
    const host = await start()
    for (const to of [
      'a@b.test>\r\nRCPT TO:<evil@x.test>',
      'a@b.test, evil@x.test',
      'a@b.test\nBcc: evil@x.test',
      'größe@b.test',
    ])
      expect(await refusal(send(host, host.settings(), { to }))).toMatchObject({ fault: 'address' })
    for (const from of ['a@b.test>\r\nRCPT TO:<evil@x.test>', 'A\r\nBcc: evil@x.test <a@b.test>'])
      expect(await refusal(send(host, host.settings({ from })))).toMatchObject({ fault: 'address' })
    expect(host.taken).toEqual([])
  })

  test('has no header or recipient that an author wrote, whatever the texts have in them', async () => {
    const host = await start()
    const evil = 'x\r\nBcc: evil@x.test\r\n\r\nRCPT TO:<evil@x.test>\r\n.\r\n'
    const mail = {
      subject: evil,
      text: `${evil}.\r\n`,
      html: evil,
      headers: { 'List-Id': evil },
      messageId: `<${evil}>`,
    }
    expect(await send(host, host.settings(), mail)).toMatchObject({ status: 250 })
    expect(host.taken).toHaveLength(1)
    const [{ raw, recipients } = { raw: '', recipients: [] }] = host.taken
    expect(recipients).toEqual(['changelog@lists.acme.test'])
    const { headerLines } = await simpleParser(raw)
    expect(headerLines.map(({ key }) => key).toSorted()).toEqual([
      'content-type',
      'date',
      'from',
      'list-id',
      'message-id',
      'mime-version',
      'subject',
      'to',
    ])
    const python = Bun.spawnSync(['python3', '-c', PYTHON], { stdin: Buffer.from(raw) })
    expect(JSON.parse(python.stdout.toString())).toMatchObject({
      bcc: null,
      to: 'changelog@lists.acme.test',
      defects: [],
    })
  })

  test('has the subject as it was written, although a reader would decode it', async () => {
    const host = await start()
    for (const subject of [
      'App 1.0: =?utf-8?Q?=0D=0ABcc:_evil@x.test?=',
      'App 1.0: =?utf-8?B?DQpCY2M6IGV2aWxAeC50ZXN0?= 標題',
      '"=?us-ascii?q?x?= =?us-ascii?q?y?="',
    ]) {
      await send(host, host.settings(), { subject })
      const raw = host.taken.pop()?.raw ?? ''
      const python = Bun.spawnSync(['python3', '-c', PYTHON], { stdin: Buffer.from(raw) })
      for (const read of [(await simpleParser(raw)).subject, JSON.parse(python.stdout.toString()).subject])
        expect(read?.replaceAll('\u200b', '')).toBe(subject)
    }
  })

  test('is no longer than it was said to become', async () => {
    const host = await start({ tls: 'none' })
    const texts = [
      'x',
      '=',
      'ü',
      '標',
      '😀',
      'a=b ',
      'für Öl ',
      '<td style="a:b">\n',
      '\t',
      'a\t\n',
      ' ',
      ' \n',
      '.\n',
      'é\n',
    ]
    for (const text of texts.map((each) => each.repeat(30_000 / each.length))) {
      await sendMail(host.settings({ host: '127.0.0.1' }), { ...MAIL, text, html: `<p>${text}</p>` })
      const { raw = '' } = host.taken.pop() ?? {}
      expect(raw.length).toBeLessThan(encodingOf(`${text}<p>${text}</p>`).bytes + 2_000)
    }
  })

  test('reads the same in Python', async () => {
    const host = await start()
    await send(host)
    const python = Bun.spawnSync(['python3', '-c', PYTHON], { stdin: Buffer.from(host.taken[0]?.raw ?? '') })
    expect(JSON.parse(python.stdout.toString())).toEqual({
      ...{ subject: MAIL.subject, to: MAIL.to, bcc: null, id: MAIL.messageId, defects: [] },
      parts: [MAIL.text, MAIL.html],
    })
  })

  test('is sent to a private address, but to none of the link or of a metadata service', async () => {
    for (const address of [
      '169.254.169.254',
      'fe80::1',
      'fd00:ec2::254',
      '100.100.100.200',
      '0.0.0.0',
      '::ffff:169.254.1.1',
    ])
      for (const url of [`smtp://${NAME}`, `smtp://${address.includes(':') ? `[${address}]` : address}`]) {
        const network = { resolve: async () => [address], dial: () => '127.0.0.1' }
        const settings = { url, password: '', from: 'a@acme.test', replyTo: '' }
        expect(await refusal(sendMail(settings, MAIL, undefined, network))).toMatchObject({
          fault: 'address',
        })
      }
  })

  test('tries the next address only if nothing answers at the first', async () => {
    const host = await start()
    const dialed: string[] = []
    const network = {
      ...host.network,
      resolve: async () => ['10.0.0.1', FAR_ADDRESS],
      dial: (address: string) => {
        dialed.push(address)
        return address === FAR_ADDRESS ? '127.0.0.1' : '127.0.0.77'
      },
    }
    expect(await sendMail(host.settings(), MAIL, undefined, network)).toMatchObject({ status: 250 })
    expect(dialed).toEqual(['10.0.0.1', FAR_ADDRESS])
  })

  test('is not sent to a server that cannot be reached or resolved, which is said', async () => {
    const settings = { url: 'smtp://127.0.0.77:9', password: '', from: 'a@acme.test', replyTo: '' }
    expect(await refusal(sendMail(settings, MAIL))).toMatchObject({
      message: 'Cannot connect to 127.0.0.77:9.',
    })
    const network = { resolve: async () => [] }
    expect(
      await refusal(sendMail({ ...settings, url: 'smtp://nowhere.test' }, MAIL, undefined, network)),
    ).toMatchObject({
      fault: 'name',
    })
  })

  test('is never more than a megabyte', async () => {
    const host = await start()
    expect(await refusal(send(host, host.settings(), { html: 'x'.repeat(1_000_001) }))).toMatchObject({
      fault: 'size',
    })
  })

  test('ends with the reason of the signal', async () => {
    using server = await scriptedHost(() => null)
    const stop = new AbortController()
    const settings = {
      url: `smtp://127.0.0.1:${server.port}`,
      password: '',
      from: 'a@acme.test',
      replyTo: '',
    }
    const sent = sendMail(settings, MAIL, stop.signal)
    stop.abort(new Error('stopping'))
    expect(sent).rejects.toThrow('stopping')
    await sent.catch(() => {})
  })
})

/** The steps of a conversation, and what a server says at each. */
const STEPS = [
  ['', '220 far'],
  ['EHLO', '250-far\r\n250 AUTH PLAIN'],
  ['AUTH', '235 welcome'],
  ['MAIL', '250 ok'],
  ['RCPT', '250 ok'],
  ['DATA', '354 go on'],
  ['.', '250 taken'],
] as const

const settingsFor = (port: number) => ({
  ...{ url: `smtp://user@127.0.0.1:${port}`, password: 'sesame', from: 'a@acme.test', replyTo: '' },
})

test.each(STEPS.map(([step]) => step))(
  'mail to a server that hangs after "%s" ends in time',
  async (hangs) => {
    let isHanging = false
    let next = 0
    using server = await scriptedHost((line) => {
      const [step, said] = STEPS[next] ?? ['', '']
      // In the message, only its end is a step.
      if (step === '.' ? line !== '.' : !line.startsWith(step)) return null
      next++
      isHanging ||= step === hangs
      return step === hangs ? null : said
    })
    using timers = holdTimeouts(MAIL_TIMEOUTS_MS.all)
    const sent = refusal(sendMail(settingsFor(server.port), MAIL))
    await until(() => isHanging)
    timers.end()
    expect(await sent).toMatchObject({ fault: 'timeout' })
  },
)

test.each(['smtp', 'smtps'])(
  'mail to a server that hangs in the handshake of TLS ends in time: %s',
  async (scheme) => {
    let isAsked = false
    using server = await scriptedHost((line) => {
      isAsked ||= line === 'STARTTLS' || (scheme === 'smtps' && line === '')
      if (line === '') return scheme === 'smtp' ? '220 far' : null
      return line.startsWith('EHLO') ? '250-far\r\n250 STARTTLS' : line === 'STARTTLS' ? '220 go on' : null
    })
    using timers = holdTimeouts(MAIL_TIMEOUTS_MS.all)
    const url = `${scheme}://127.0.0.1:${server.port}`
    const sent = refusal(sendMail({ ...settingsFor(server.port), url, password: '' }, MAIL))
    await until(() => isAsked)
    timers.end()
    expect(await sent).toMatchObject({ fault: 'timeout' })
  },
)

test('mail to a server that says a little all the time ends in time', async () => {
  let drips = 0
  using server = await scriptedHost((line: string, socket: Socket) => {
    const drip = () => {
      if (socket.destroyed) return
      drips++
      socket.write('250-more\r\n', () => setTimeout(drip, 1))
    }
    if (line.startsWith('EHLO')) drip()
    return line === '' ? '220 far' : null
  })
  using timers = holdTimeouts(MAIL_TIMEOUTS_MS.all)
  const sent = refusal(sendMail(settingsFor(server.port), MAIL))
  await until(() => drips > 5)
  timers.end()
  expect(await sent).toMatchObject({ fault: 'timeout' })
})

test('the whole conversation is shorter than a claim on its delivery', async () => {
  const { LEASE_MS } = await import('../../../src/store/bookkeeping/bookkeeping.ts')
  expect(MAIL_TIMEOUTS_MS.all).toBeLessThan(LEASE_MS)
})

const PYTHON = `
import email, email.policy, json, sys
message = email.message_from_bytes(sys.stdin.buffer.read(), policy=email.policy.default)
parts = [part.get_content() for part in message.walk() if not part.is_multipart()]
defects = [str(d) for part in message.walk() for d in part.defects]
print(json.dumps({"subject": str(message["subject"]), "to": str(message["to"]), "bcc": message["bcc"], "id": str(message["message-id"]), "parts": parts, "defects": defects}))
`
