import { expect, test } from 'bun:test'
import { chatOf } from '../../../src/domain/hooks.ts'

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
