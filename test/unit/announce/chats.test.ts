import { describe, expect, test } from 'bun:test'
import { bodyOf } from '../../../src/announce/compose.ts'
import type { Message } from '../../../src/announce/message.ts'
import { createLinks } from '../../../src/announce/message.ts'
import { type Sent, sendTo } from '../../../src/announce/send.ts'
import {
  CHAT,
  CHATS,
  movedInTelegram,
  type Seen,
  tooManyForTelegram,
} from '../../support/announcing/chats.ts'
import { AT, PRODUCT, published, release } from '../../support/announcing/mail-samples.ts'
import { Receiver } from '../../support/announcing/receiver.ts'
import fc, { anyText } from '../../support/fast-check.ts'

/** Messages to chats that are reached by what is in their address, at servers that keep the documented rules. */

type Kind = keyof typeof CHATS
const KINDS = Object.keys(CHATS) as Kind[]
const LINKS = createLinks('https://changes.northwind.example', 'on')
const PAGE = 'https://changes.northwind.example/changelog/northwind/harbor/5.0.0'

/** A server of a kind; `send` gives what it said, `seen` has what people saw. */
function serverOf(kind: Kind, more = '') {
  const receiver = new Receiver()
  const seen: Seen[] = []
  receiver.answer = (message) => CHATS[kind].answer(message, seen)
  const url = receiver.url(CHATS[kind].path + more)
  const send = (message: Message, address = url): Promise<Sent> =>
    sendTo({ kind, url: null }, [address], { id: 'msg_1', body: bodyOf(kind, message, LINKS) }, AT, {
      allowPrivate: true,
      mailServer: null,
      version: '0.0.0',
    })
  return { receiver, seen, send, url, [Symbol.dispose]: () => receiver[Symbol.dispose]() }
}

const FOUND = release('The *big* one', [
  {
    title:
      'Show **bold `a<b>` and more**, ~~old~~ and `code_x`, see [`the` docs](https://example.org/a_b?x="y"&z)',
  },
  { type: 'fixed', title: 'Greet <@U123>, <!channel>, @everyone, <https://a.test|you> & `<a|b>` others' },
  { type: 'changed', title: '**BREAKING**: Remove the old API' },
])
const HIDDEN: Message = { type: 'version.withdrawn', at: AT, id: 'ver_1', label: '5.0.0', product: 'Harbor' }
const TEST: Message = { type: 'hook.test', at: AT, id: 'hook_1', name: 'releases' }
const LIST: Message = {
  ...{ type: 'versions.published', at: AT, product: PRODUCT },
  versions: Array.from({ length: 300 }, () =>
    release('<b>*'.repeat(200), [], { label: `1.0.0-${'a'.repeat(100)}` }),
  ),
}

describe.each(KINDS)('%s', (kind) => {
  test('takes every message, links to the release and notifies nobody by name', async () => {
    using server = serverOf(kind)
    const updated = { ...published(FOUND), type: 'version.updated' } as Message
    for (const message of [published(FOUND), updated, HIDDEN, LIST, TEST])
      expect(await server.send(message)).toMatchObject({ status: 200 })
    expect(server.seen.flatMap(({ mentions }) => mentions)).toEqual([])
    expect(server.seen[0]?.links).toContain(PAGE)
    expect(JSON.stringify(server.seen[2])).toContain('Harbor 5.0.0 is no longer public')
    expect(JSON.stringify(server.seen[2])).not.toMatch(/northwind|ver_1/)
  })

  test('takes whatever authors write, within its limits', async () => {
    using server = serverOf(kind)
    const hostile = fc.oneof(
      anyText(600),
      fc.constantFrom(
        ...['<b>', '&amp;', '`<a>`', '**`<`**', '[`x`](https://a.test/"<&)', '@channel', '*_`~'],
      ),
      fc.constantFrom(
        '<!here>',
        '&'.repeat(2_000),
        '標'.repeat(900),
        '[a](javascript:x)',
        '*_`~'.repeat(200),
      ),
    )
    const texts = fc.array(hostile, { maxLength: 4 }).map((parts) => parts.join(''))
    const property = fc.asyncProperty(texts, fc.array(texts, { maxLength: 20 }), async (title, titles) => {
      const message = published(
        release(
          title,
          titles.map((each) => ({ title: each })),
        ),
      )
      expect(await server.send(message)).toMatchObject({ status: 200 })
      expect(server.seen.at(-1)?.mentions).toEqual([])
      expect(server.seen.at(-1)?.links.filter((link) => !/^https?:/.test(link))).toEqual([])
    })
    await fc.assert(property, { numRuns: 60 })
  })

  test('that refuses says why, and no answer repeats where it was sent', async () => {
    using server = serverOf(kind)
    const done = await server.send(TEST)
    const wrong = await server.send(TEST, server.url.replace('/bot1', '/bot2').replace(/xprz|acme/, 'else'))
    expect(wrong.status).toBeGreaterThanOrEqual(400)
    expect(wrong.answer).toMatch(/Invalid webhook|Unauthorized|topic invalid/)
    for (const { answer } of [done, wrong])
      expect(answer).not.toMatch(/1001987|AAHd|xprz|tk_Ag|releases-of|private group/i)
  })
})

test('Mattermost gets its own Markdown, with breaking changes first', async () => {
  using server = serverOf('mattermost')
  await server.send(published(FOUND))
  expect(server.seen[0]?.text.split('\n')).toEqual([
    `**[Harbor 5.0.0](${PAGE})**`,
    'The *big* one',
    '**Breaking**',
    '- Remove the old API',
    '**Added**',
    '- Show **bold `a<b>` and more**, ~~old~~ and `code_x`, see [`the` docs](https://example.org/a_b?x="y"&z)',
    '**Fixed**',
    '- Greet &lt;@\u200BU123>, &lt;!channel>, @\u200Beveryone, [https://a.test\\|you](https://a.test%7cyou) & &lt;a\\|b> others',
  ])
})

test('Telegram gets HTML that it knows, and no preview of the page', async () => {
  using server = serverOf('telegram')
  await server.send(published(FOUND))
  expect(server.receiver.received[0]?.body).not.toContain('tcvCH1')
  expect(server.seen[0]?.text.split('\n').slice(0, 5)).toEqual([
    ...['Harbor 5.0.0', 'The big one', 'Breaking', '• Remove the old API', 'Added'],
  ])
  expect(server.seen[0]?.links).toEqual([PAGE, 'https://example.org/a_b?x=%22y%22&z', 'https://a.test|you'])
  expect(server.seen[0]?.settings).toEqual({ link_preview_options: { is_disabled: true } })
})

test('Telegram is told of the topic and of silence as the address says, and where to write only when it is sent', async () => {
  using server = serverOf('telegram', '&message_thread_id=7&disable_notification=true')
  await server.send(TEST)
  expect(server.seen[0]?.settings).toMatchObject({ message_thread_id: '7', disable_notification: 'true' })
  expect(bodyOf('telegram', TEST, LINKS)).not.toContain(CHAT)
})

test('Telegram is not asked again before the time that it names', async () => {
  using server = serverOf('telegram')
  server.receiver.answer = () => tooManyForTelegram(35)
  expect(await server.send(TEST)).toEqual({
    status: 429,
    answer: 'Too Many Requests: retry after 35',
    notBefore: AT + 35_000,
  })
  server.receiver.answer = movedInTelegram
  expect(await server.send(TEST)).toEqual({
    status: 400,
    answer: 'Bad Request: group chat was upgraded to a supergroup chat',
    notBefore: null,
  })
})

test('ntfy gets a title, the address of the page, and high priority for what breaks or is about security', async () => {
  using server = serverOf('ntfy')
  await server.send(published(FOUND))
  await server.send(published(release('Small', [{ title: 'One **more**' }])))
  await server.send(HIDDEN)
  expect(
    server.seen.map(({ title, settings: { priority, tags, click } }) => [title, priority, tags, click]),
  ).toEqual([
    ['Harbor 5.0.0', '4', 'warning', PAGE],
    ['Harbor 5.0.0', undefined, 'package', PAGE],
    ['', undefined, 'package', undefined],
  ])
  expect(server.seen.map(({ text }) => text.split('\n').slice(0, 3))).toEqual([
    ['The big one', 'Breaking', '• Remove the old API'],
    ['Small', 'Added', '• One more'],
    ['Harbor 5.0.0 is no longer public'],
  ])
})

test('ntfy gets what its address says in place of our priority and tags', async () => {
  using server = serverOf('ntfy', '&priority=2&tags=tada&icon=https://example.org/i.png')
  await server.send(published(FOUND))
  expect(server.seen[0]?.settings).toMatchObject({
    priority: '2',
    tags: 'tada',
    icon: 'https://example.org/i.png',
  })
})

test('Teams shows a backslash in formatted text as it is written', () => {
  const found = release('Paths', [{ title: 'See **all** of `C:\\*`' }])
  expect(bodyOf('teams', published(found), LINKS)).toContain(
    JSON.stringify('**all** of C:\\\\\\*').slice(1, -1),
  )
})
