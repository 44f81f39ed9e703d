import { expect, test } from 'bun:test'
import { Receiver } from '../../support/announcing/receiver.ts'
import { Rig } from '../../support/announcing/rig.ts'
import { openHandlerOn } from '../../support/servers/handler.ts'

const HUB = 'https://hub.example.org/'

test('a hub is told of every feed that a release changes, and of nothing while nothing is public', async () => {
  await using rig = await Rig.on('SQLite')
  using hub = new Receiver()
  await rig.hook(hub.url(), { kind: 'websub' })
  await rig.publish('0.9', { status: 'draft' })
  await rig.round()
  expect(hub.received).toEqual([])
  await rig.publish('1.0')
  await rig.publish('1.1')
  await rig.round()
  const said = hub.received.map(({ body }) => Object.fromEntries(new URLSearchParams(body)))
  const base = 'https://news.acme.test'
  const feeds = [`${base}/changelog/acme/app`, `${base}/changelog/acme`, base].flatMap((page) =>
    ['atom', 'rss', 'json'].map((format) => `${page}/feed.${format}`),
  )
  expect(said.map((each) => each['hub.url']).toSorted()).toEqual(feeds.toSorted())
  expect(new Set(said.map((each) => each['hub.mode']))).toEqual(new Set(['publish']))
  expect(hub.received[0]?.headers.get('content-type')).toBe('application/x-www-form-urlencoded')
})

test('every feed names the hub and itself, in its text and in a header; feeds of one kind name none', async () => {
  const settings = { PUBLIC_URL: 'https://news.acme.test', WEBSUB_HUB: HUB }
  using server = await openHandlerOn('SQLite', Date.now, settings)
  const { changelogId } = server.seed.product(server.seed.team('acme'), 'app')
  server.seed.version(changelogId, '1.0.0', { changes: [{ type: 'fixed', title: 'Old' }] })
  for (const page of ['/changelog/acme/app', '/changelog/acme', ''])
    for (const format of ['atom', 'rss', 'json']) {
      const self = `https://news.acme.test${page}/feed.${format}`
      const response = await server.get(`${page}/feed.${format}`, {})
      expect(response.headers.get('link')).toBe(`<${self}>; rel="self", <${HUB}>; rel="hub"`)
      const text = await response.text()
      if (format === 'json') expect(JSON.parse(text)).toMatchObject({ hubs: [{ type: 'WebSub', url: HUB }] })
      else
        expect(text).toMatch(/href="https:\/\/hub\.example\.org\/" rel="hub"|rel="hub" href="https:\/\/hub/)
      const ofKind = await server.get(`${page}/feed.${format}?kind=fixed`, {})
      expect(ofKind.headers.get('link')).toBeNull()
      expect(await ofKind.text()).not.toContain('hub.example.org')
    }
})
