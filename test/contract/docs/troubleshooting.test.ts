import { expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dir, '../../..')
const src = join(root, 'src')
const program = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts'))
  .map((path) => readFileSync(join(src, path), 'utf8'))
  .join('\n')
  .replaceAll("\\'", "'")

test('each message of the troubleshooting page is one that the program prints', () => {
  const page = readFileSync(join(root, 'docs/reference/troubleshooting.md'), 'utf8')
  const messages = [...page.matchAll(/^### `(.*)`$/gm)].map(([, message = '']) => message)
  expect(messages.length).toBeGreaterThan(30)
  // `…` is a name, a number or a reason.
  const unknown = messages.filter((message) =>
    message.split(/ ?…:? ?/).some((part) => /\w/.test(part) && !program.includes(part)),
  )
  expect(unknown).toEqual([])
})
