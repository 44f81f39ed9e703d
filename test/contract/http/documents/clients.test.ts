import { afterAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { generateClients } from '../../../support/documents/generated-client.ts'
import { Sandbox } from '../../../support/sandbox.ts'

const root = join(import.meta.dir, '../../../..')

/** The TypeScript of docs/reference/api.md that uses a generated client. */
async function documentedClient(): Promise<string> {
  const text = await Bun.file(join(root, 'docs/reference/api.md')).text()
  return /^```ts\n(import createClient from 'openapi-fetch'[\s\S]*?)^```$/m.exec(text)?.[1] ?? ''
}

const SHOWN = 'http://127.0.0.1:3000'
const PRINTED = '0.1.0 First release 1\n'

const box = new Sandbox()
afterAll(() => box.close())
const { token } = await box.json<{ token: string }>('demo')
const url = await box.serve()

test('clients generated from the document type-check: one reads every operation, and that of docs/reference/api.md prints what it says', async () => {
  const documented = (await documentedClient()).replace(SHOWN, url)
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

test('Redocly finds nothing to complain about in the document', async () => {
  const source = await (await fetch(`${url}/openapi.json`)).text()
  const config = await createConfig({ extends: ['recommended-strict'] })
  const problems = await lintFromString({ source, absoluteRef: '/openapi.json', config })
  expect(problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])).toEqual([])
})
