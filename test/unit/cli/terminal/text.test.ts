import { describe, expect, test } from 'bun:test'
import { emptyContext } from '../../../../release/manual/context.ts'
import { type Message, say } from '../../../../src/cli/terminal/text.ts'

/** What a terminal of this width gets. */
async function said(message: Message, width: number): Promise<string> {
  let text = ''
  const stderr = async (part: string) => {
    text += part
  }
  await say({ ...emptyContext(''), stderr, messageWidth: () => width }, message)
  return text
}

describe('a message that is wider than the terminal', () => {
  test('is wrapped between words, and keeps its lines and their indentation', async () => {
    expect(await said('There is no product acme/web.\nDid you mean acme/app?', 22)).toBe(
      'There is no product\nacme/web.\nDid you mean acme/app?\n',
    )
    expect(await said('  Now: This deletes team acme.', 20)).toBe('  Now: This deletes\n  team acme.\n')
  })

  test('keeps its command on one line, even if that is too long, so that it can be copied', async () => {
    const command = 'changelogd version publish acme/app 1.0.0'
    const hint = { text: 'It is a draft. To publish it', command }
    expect(await said(hint, 50)).toBe(`It is a draft. To publish it:\n${command}\n`)
    expect(await said(hint, 20)).toBe(`It is a draft. To\npublish it:\n${command}\n`)
  })
})

test('a pipe gets every message on one line', async () => {
  const line = 'There is no product acme/web. Did you mean acme/app?'
  expect(await said(line, Number.POSITIVE_INFINITY)).toBe(`${line}\n`)
})
