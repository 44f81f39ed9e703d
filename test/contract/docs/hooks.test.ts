import { expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { newSecret, signatureHeaders } from '../../../src/announce/send.ts'
import { describeNeeding } from '../../support/needs.ts'
import { scratch } from '../../support/scratch.ts'

const page = await Bun.file(join(import.meta.dir, '../../../docs/reference/hooks.md')).text()
/** The block of code whose first line is a comment that begins like this. */
const block = (language: string, start: string): string => {
  const blocks = [...page.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)]
  const found = blocks.find(([, name, text = '']) => name === language && text.includes(start))
  return found?.[2] ?? ''
}

const secret = newSecret()
const body = `{"title":"Ünï \\"quoted\\" 'text' %s"}`
const headers = signatureHeaders([newSecret(), secret], 'msg_1', Date.now(), body)
const wrong = { ...headers, 'webhook-id': 'msg_2' }

test('the page verifies a signature in JavaScript', async () => {
  using place = scratch()
  const file = join(place.path, 'verify.mjs')
  writeFileSync(file, block('js', '// JavaScript'))
  const { verify } = await import(file)
  expect(verify(secret, headers, body)).toBe(true)
  expect(verify(secret, wrong, body)).toBe(false)
  expect(verify(newSecret(), headers, body)).toBe(false)
  const old = signatureHeaders([secret], 'msg_1', Date.now() - 600_000, body)
  expect(verify(secret, old, body)).toBe(false)
})

describeNeeding('python3', Bun.which('python3') !== null, 'the page in Python', () => {
  test('verifies a signature', () => {
    const program = `${block('python', '# Python')}
import json, sys
given = json.load(sys.stdin)
print([verify(given["secret"], each, given["body"].encode()) for each in given["headers"]])`
    const stdin = Buffer.from(JSON.stringify({ secret, body, headers: [headers, wrong] }))
    const { stdout, stderr } = Bun.spawnSync(['python3', '-c', program], { stdin })
    expect([stdout.toString().trim(), stderr.toString()]).toEqual(['[True, False]', ''])
  })
})

describeNeeding('openssl', Bun.which('openssl') !== null, 'the page in a shell', () => {
  test('verifies a signature', () => {
    const program = `${block('sh', '# Shell')}\nverify "$@"`
    const status = (given: Record<string, string>) =>
      Bun.spawnSync([
        ...['sh', '-c', program, 'sh', secret],
        ...['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => given[name] ?? ''),
        body,
      ]).exitCode
    expect([status(headers), status(wrong)]).toEqual([0, 1])
  })
})
