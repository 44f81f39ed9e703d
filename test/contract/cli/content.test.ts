import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type Sandbox, withProduct } from '../../support/sandbox.ts'

/** What a running server shows right after a command. What commands print is in `transcripts/`. */

const PUBLIC = '/public/teams/acme/products/app/changelog'
let box: Sandbox
const seen = async () => {
  const { status, data } = await box.seenByApi(PUBLIC)
  return { status, ...data }
}
const labels = async () => (await seen()).versions?.map(({ version }) => version)

beforeAll(async () => {
  box = await withProduct()
  await seen()
})
afterAll(() => box.close())

test('a new slug changes the address at once', async () => {
  await box.json('team', 'update', 'acme', '--slug', 'acme-inc', '--yes')
  expect((await seen()).status).toBe(404)
  expect((await box.seenByApi('/public/teams/acme-inc/products/app/changelog')).status).toBe(200)
  await box.json('team', 'update', 'acme-inc', '--slug', 'acme', '--yes')
})

test('a new version is a draft: seen with a key, not without', async () => {
  const version = await box.json('version', 'create', 'acme/app', '1.0.0', '--title', 'First release')
  expect(await labels()).toEqual([])
  const { token } = await box.json<{ token: string }>('key', 'create', 'acme')
  const path = `/teams/acme/products/app/changelog/versions/${version.id}`
  expect((await box.seenByApi(path, token)).data).toMatchObject({
    ...{ version: '1.0.0', status: 'draft', publishedAt: version.publishedAt },
  })
})

test('publishing stamps publishedAt with now, and moving back to draft hides it at once', async () => {
  const before = Date.now()
  const version = await box.json<{ id: string; publishedAt: string }>(
    ...['version', 'publish', 'acme/app', '1.0.0'],
  )
  expect(Date.parse(version.publishedAt)).toBeWithin(before, Date.now() + 1)
  const { id, publishedAt } = version
  expect((await seen()).versions).toMatchObject([{ id, publishedAt, status: 'published' }])
  expect(await box.json('version', 'publish', 'acme/app', '1.0.0')).toEqual(version)
  await box.json('version', 'draft', 'acme/app', id)
  expect(await labels()).toEqual([])
  expect((await box.seenByApi(`${PUBLIC}/versions/${id}`)).status).toBe(404)
})

test('release prints the address of the page', async () => {
  await box.json('version', 'create', 'acme/app', 'Unreleased', '--description', 'Found.')
  const server = await box.serve()
  const { url } = await box.json<{ url: string }>('release', 'acme/app', '2 beta/1', '--public-url', server)
  expect(url).toStartWith(server)
  const page = await box.response(url.slice(server.length))
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('Found.')])
})

test('a deleted version and a deleted product are gone', async () => {
  await box.json('version', 'publish', 'acme/app', '1.0.0')
  await box.words('version delete acme/app 1.0.0 --yes')
  expect(await labels()).toEqual(['2 beta/1'])
  await box.words('product delete acme/app --yes')
  expect((await seen()).status).toBe(404)
})
