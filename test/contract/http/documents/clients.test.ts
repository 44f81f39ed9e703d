import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { generateClients } from '../../../support/documents/generated-client.ts'
import { describeNeeding } from '../../../support/needs.ts'
import { Sandbox } from '../../../support/sandbox.ts'

const root = join(import.meta.dir, '../../../..')

/** The one block of this language in a document. */
async function blockOf(file: string, language: string): Promise<string> {
  const text = await Bun.file(join(root, file)).text()
  const blocks = [...text.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))]
  expect(blocks).toHaveLength(1)
  return blocks[0]?.[1] ?? ''
}

const SHOWN = 'http://127.0.0.1:3000'
const PRINTED = '0.1.0 First release 1\n'

const box = new Sandbox()
let url: string
let token: string
beforeAll(async () => {
  token = (await box.json<{ token: string }>('demo')).token
  url = await box.serve()
})
afterAll(() => box.close())

test('clients generated from the document type-check: one reads every operation, and that of docs/reading.md prints what it says', async () => {
  const documented = (await blockOf('docs/reading.md', 'ts')).replace(SHOWN, url)
  expect(documented.trim().split('\n')).toHaveLength(9)
  const every = await Bun.file(join(root, 'test/fixtures/client/every-operation.ts')).text()
  const run = await generateClients(box, { every, documented })
  expect(await run('documented')).toBe(PRINTED)
  const { data } = await box.seenByApi('/public/teams/acme/products/app/changelog')
  const { paths } = (await (await fetch(`${url}/openapi.json`)).json()) as { paths: object }
  expect(JSON.parse(await run('every', url, token, data?.versions?.[0]?.id ?? ''))).toEqual({
    statuses: Object.fromEntries(Object.keys(paths).map((path) => [path, 200])),
    label: '0.1.0',
    type: 'added',
    description: null,
    code: 'unauthorized',
    again: 304,
  })
})

describeNeeding('python3', Bun.which('python3') !== null, 'a client in Python', () => {
  test('the Python of docs/reading.md prints the same', async () => {
    const text = (await blockOf('docs/reading.md', 'python')).replace(SHOWN, url)
    const { stdout, stderr } = await box.runProgram(['python3', '-c', text])
    expect({ stdout, stderr }).toEqual({ stdout: PRINTED, stderr: '' })
  })
})

test('Redocly finds nothing to complain about in the document', async () => {
  const source = await (await fetch(`${url}/openapi.json`)).text()
  const config = await createConfig({ extends: ['recommended-strict'] })
  const problems = await lintFromString({ source, absoluteRef: '/openapi.json', config })
  expect(problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])).toEqual([])
})
