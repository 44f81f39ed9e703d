import { expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dir, '../../..')

/** The program, and what tests see it print: many messages are put together from parts. */
const told = ['src', 'test']
  .flatMap((directory) =>
    readdirSync(join(root, directory), { recursive: true, encoding: 'utf8' })
      .filter((path) => /\.(ts|txt)$/.test(path))
      .map((path) => readFileSync(join(root, directory, path), 'utf8')),
  )
  .join('\n')
  .replaceAll("\\'", "'")

test('each message of the troubleshooting page is one that the program prints', () => {
  const page = readFileSync(join(root, 'docs/reference/troubleshooting.md'), 'utf8')
  const messages = [...page.matchAll(/^### `(.*)`$/gm)].map(([, message = '']) => message)
  expect(messages.length).toBeGreaterThan(30)
  // `…` is a name or a number.
  const unknown = messages.filter((message) =>
    message.split('…').some((part) => /\w/.test(part) && !told.includes(part.trim())),
  )
  expect(unknown).toEqual([])
})
