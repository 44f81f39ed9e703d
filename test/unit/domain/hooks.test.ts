import { expect, test } from 'bun:test'
import { chatOf } from '../../../src/domain/hook-kinds.ts'
import { chatUrlOf, checkHook, checkKind, urlNotes, webhookUrl } from '../../../src/domain/hooks.ts'
import type { Hook } from '../../../src/domain/records.ts'

test.each([
  ['slack', 'https://hooks.slack.com/services/T0/B0/x'],
  ['slack', 'https://HOOKS.slack-gov.com./triggers/T0/1/x'],
  ['discord', 'https://discord.com/api/webhooks/1/x'],
  ['discord', 'https://canary.discordapp.com/api/v10/webhooks/1/x'],
  ['teams', 'https://acme.webhook.office.com/webhookb2/x@x/IncomingWebhook/y'],
  [null, 'https://prod-1.westeurope.logic.azure.com/workflows/x/triggers/manual?sig=x'],
  [null, 'https://example.org/hooks.slack.com/'],
  ['telegram', 'https://api.telegram.org/bot110201543:AAHdqTcv/sendMessage?chat_id=1'],
  [null, 'https://mattermost.example.org/hooks/xprz3n4ub3ny5rkbbd1mjcn7xe'],
  [null, 'https://ntfy.sh/releases'],
] as const)('a secret address of %s is known by its host and path: %s', (chat, url) => {
  expect(chatOf(url)).toBe(chat)
})

test('an address from a file that looks like Teams is refused for a webhook, unless somebody insists', () => {
  const url = 'https://prod-1.westeurope.logic.azure.com/workflows/x'
  expect(() => checkKind('webhook', url, false)).toThrow('This is a Teams address, not a webhook address.')
  expect(() => checkKind('slack', url, false)).toThrow('This is a Teams address, not a Slack address.')
  checkKind('teams', url, false)
  checkKind('webhook', url, true)
})

test('a file is named only for an address that it may hold', () => {
  expect(() => webhookUrl('https://example.org/?token=abc', true)).toThrow(
    expect.objectContaining({ hint: expect.stringContaining('--websub-url-file FILE for a hub') }),
  )
  for (const url of ['https://me:word@example.org/', 'https://example.org/#a', 'ftp://example.org/'])
    expect(() => webhookUrl(url, true)).toThrow(expect.objectContaining({ hint: undefined }))
})

test('an address that others have too counts as that of a chat unless somebody insists on a webhook', () => {
  expect(chatOf('https://prod-1.westeurope.logic.azure.com/workflows/x', false)).toBe('teams')
  expect(chatOf('https://hooks.slack.com/services/T', false)).toBe('slack')
  expect(chatOf('https://example.org/chat/hooks/xprz3n4ub3ny5rkbbd1mjcn7xe', false)).toBe('mattermost')
  expect(chatOf('https://example.org/hooks/catch/12345/abcdef', false)).toBeNull()
  expect(chatOf('https://ntfy.example.org/releases', false)).toBe('ntfy')
})

test.each([
  'https://example.org/a\nb',
  'https://example.org/a\r\n',
  'https://exa\tmple.org/a',
  'https://example.org/\u0000',
  'https://example.org/#part',
])('an address with line breaks, control characters or a fragment is refused, not changed: %j', (text) => {
  expect(chatUrlOf(text)).toBeNull()
  expect(() => webhookUrl(text, true)).toThrow(/fragment or line break/)
})

test.each([
  [true, 'https://mattermost.example.org/hooks/xprz3n4ub3ny5rkbbd1mjcn7xe'],
  [true, 'https://api.telegram.org/bot110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw/sendMessage'],
  [true, 'https://hooks.zapier.com/hooks/catch/12345/abcdef/'],
  [true, 'https://ntfy.sh/releases'],
  [true, 'https://hook.eu1.make.com/6b1yt8gjs4lqz0xv2n7pcw3dk5hmfr9a'],
  [true, 'https://n8n.example.org/webhook/0f6c0a4e-8f1c-4b1e-9d6a-2f1f7a3f7c55'],
  [true, 'https://eo1abc2defghij3.m.pipedream.net'],
  [true, 'https://eo1abc2defghij3.m.pipedream.net/'],
  [false, 'https://my-long-hostname-2-for-things-3.example.org/hook'],
  [false, 'https://example.org/hooks/changelog'],
  [false, 'https://example.org/teams/release-announcements-2026/hook'],
  [false, 'https://notntfy.sh/releases'],
])('it is said: %p, that lists show an address with a secret part: %s', (isSaid, url) => {
  const notes = urlNotes({ name: 'x', team: { slug: 'acme' } as Hook['team'], url })
  const command = { name: 'hook rotate', args: ['acme/x'], options: { 'url-file': 'FILE' } }
  expect(notes).toMatchObject(isSaid ? [{ command }] : [])
})

test('a hook with an address that none may have is refused, and the address is not repeated', () => {
  const team = {
    id: 'team_1',
    slug: 'acme',
    name: 'Acme',
    visibility: 'public',
    plan: 'free',
    createdAt: 0,
    subscribeUrl: null,
  } as const
  const at = (url: string): Hook => ({
    ...{ id: 'hk_1', team, product: null, kind: 'webhook', url, status: 'active', createdAt: 0 },
    ...{ name: 'example.org', events: [], stable: false, unsubscribeUrl: null, delay: 0 },
  })
  expect(() => checkHook(at('https://example.org/hook'), [])).not.toThrow()
  for (const url of ['https://user:s3cret@example.org/', 'ftp://example.org/s3cret'])
    expect(() => checkHook(at(url), [])).toThrow(/^The address of a hook must be (?!.*s3cret)/)
})
