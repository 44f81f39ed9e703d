import { expect, test } from 'bun:test'
import { chatOf, checkHook } from '../../../src/domain/hooks.ts'
import type { Hook } from '../../../src/domain/records.ts'

test.each([
  ['slack', 'https://hooks.slack.com/services/T0/B0/x'],
  ['slack', 'https://HOOKS.slack-gov.com./triggers/T0/1/x'],
  ['discord', 'https://discord.com/api/webhooks/1/x'],
  ['discord', 'https://canary.discordapp.com/api/v10/webhooks/1/x'],
  ['teams', 'https://acme.webhook.office.com/webhookb2/x@x/IncomingWebhook/y'],
  [null, 'https://prod-1.westeurope.logic.azure.com/workflows/x/triggers/manual?sig=x'],
  [null, 'https://example.org/hooks.slack.com/'],
] as const)('a secret address of %s is known by its host and path: %s', (chat, url) => {
  expect(chatOf(url)).toBe(chat)
})

test('a host of Power Automate counts as Teams unless somebody insists on a webhook', () => {
  expect(chatOf('https://prod-1.westeurope.logic.azure.com/workflows/x', false)).toBe('teams')
  expect(chatOf('https://hooks.slack.com/services/T', false)).toBe('slack')
})

test('a hook with an address that none may have is refused, and the address is not repeated', () => {
  const team = {
    id: 'team_1',
    slug: 'acme',
    name: 'Acme',
    visibility: 'public',
    plan: 'free',
    createdAt: 0,
  } as const
  const at = (url: string): Hook => ({
    ...{ id: 'hk_1', team, product: null, kind: 'webhook', url, status: 'active', createdAt: 0 },
    ...{ name: 'example.org', events: [], stable: false },
  })
  expect(() => checkHook(at('https://example.org/hook'), [])).not.toThrow()
  for (const url of ['https://user:s3cret@example.org/', 'ftp://example.org/s3cret'])
    expect(() => checkHook(at(url), [])).toThrow(/^The address of a hook must be (?!.*s3cret)/)
})
