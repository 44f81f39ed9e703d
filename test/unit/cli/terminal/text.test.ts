import { describe, expect, test } from 'bun:test'
import { wrapMessages } from '../../../../src/cli/terminal/text.ts'

describe('a message that is wider than the terminal', () => {
  test('is wrapped between words', () => {
    expect(wrapMessages('There is no product acme/web.\nDid you mean acme/app?', 22)).toBe(
      'There is no product\nacme/web.\nDid you mean acme/app?',
    )
  })

  test('keeps its indentation', () => {
    expect(wrapMessages('  Now: This deletes team acme.', 20)).toBe('  Now: This deletes\n  team acme.')
  })

  test('keeps a command on one line, even if that is too long, so that it can be copied', () => {
    const command = 'changelogd version publish acme/app 1.0.0'
    expect(wrapMessages(`It is a draft. To publish it: ${command}`, 50)).toBe(
      `It is a draft. To publish it:\n${command}`,
    )
    expect(wrapMessages(`It is a draft. To publish it: ${command}`, 20)).toBe(
      `It is a draft. To\npublish it:\n${command}`,
    )
    expect(wrapMessages(`To import it, use ${command} --json. To see it: changelogd status`, 50)).toBe(
      `To import it, use\n${command} --json.\nTo see it: changelogd status`,
    )
    expect(wrapMessages("  curl -H 'Authorization: Bearer abc' http://localhost", 30)).toBe(
      "  curl -H 'Authorization: Bearer abc' http://localhost",
    )
  })
})

test('tables, JSON and usage are not wrapped', () => {
  for (const line of ['1.0.0  First release', '{"error": "no such team"}', 'Usage: changelogd team create'])
    expect(wrapMessages(line, 12)).toBe(line)
})

test('a pipe gets every message on one line', () => {
  const line = 'There is no product acme/web. Did you mean acme/app?'
  expect(wrapMessages(line, Number.POSITIVE_INFINITY)).toBe(line)
})
