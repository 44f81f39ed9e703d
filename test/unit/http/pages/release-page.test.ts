import { afterAll, describe, expect, test } from 'bun:test'
import { openHandler } from '../../../support/servers/handler.ts'

const PAGE = '/changelog/acme/app'

describe('the page of a release', () => {
  const server = openHandler({ SUBSCRIBE_URL: 'https://lists.acme.test/join' })
  const { changelogId } = server.seed.product(server.seed.team('acme'), 'app', { name: 'App' })
  const changes = [
    { type: 'fixed', title: 'One' },
    { type: 'changes', typeLabel: 'Changes', title: 'fix: Two' },
    { type: 'contributors', title: '@mira' },
  ]
  for (const [at, label] of ['1.0.0', '1.1.0', '2.0.0-rc.1', '2.0.0', '2.1.0'].entries())
    server.seed.version(changelogId, label, { title: label, publishedAt: at, changes })
  server.seed.version(changelogId, '3.0.0', { title: '3.0.0: Harbor', publishedAt: 9, changes: [] })
  afterAll(() => server[Symbol.dispose]())
  const html = async (path: string) => (await server.get(path)).text()
  const body = async (path: string) => (await html(path)).split('<body')[1] ?? ''

  test('leads to the upgrade to it, from the releases before it', async () => {
    const menu = /<details class="menu upgrade">(.*?)<\/details>/s
    const [, form = ''] = menu.exec(await body(`${PAGE}/2.1.0`)) ?? []
    expect(form).toContain('<input type="hidden" name="to" value="2.1.0">')
    expect(
      [...form.matchAll(/<option( selected)?>(.*?)<\/option>/g)].map(
        ([, chosen, label]) => label + (chosen ?? ''),
      ),
    ).toEqual(['2.0.0 selected', '1.1.0', '1.0.0'])
    expect(await html(`${PAGE}?from=1.1.0&to=2.1.0`)).toContain('1.1.0</bdi>')
    expect(await body(`${PAGE}/2.0.0`)).toContain('<option selected>1.1.0</option>')
    // A pre-release may follow another one.
    expect(await body(`${PAGE}/2.0.0-rc.1`)).toContain('<option selected>1.1.0</option>')
    expect(await body(`${PAGE}/1.0.0`)).not.toMatch(menu)
  })

  test('has search and subscriptions, as the list has', async () => {
    const [list = '', release = ''] = await Promise.all(
      [PAGE, `${PAGE}/2.0.0`].map(
        async (path) => /<div class="tools">.*?<\/details>/s.exec(await html(path))?.[0],
      ),
    )
    expect(release).toBe(list)
    expect(release).toContain(`<form class="search" role="search" action="${PAGE}">`)
    expect(release).toContain('https://lists.acme.test/join')
  })

  test('says the name of a release without a title once', async () => {
    const header = async (path: string) => (await body(path)).split('<details class="menu upgrade">')[0] ?? ''
    expect((await header(`${PAGE}/2.0.0`)).match(/2\.0\.0/g)).toHaveLength(1)
    expect(await header(`${PAGE}/2.0.0`)).toContain('<h1 dir="auto">App 2.0.0</h1>')
    expect(await header(`${PAGE}/3.0.0`)).toMatch(
      /<span class="label">3\.0\.0<\/span>.*<h1 dir="auto">Harbor<\/h1>/s,
    )
  })

  test('has all its changes in the counts of its pills', async () => {
    const [nav = ''] = /<nav class="kinds".*?<\/nav>/s.exec(await body(`${PAGE}/2.0.0`)) ?? []
    expect(
      [...nav.matchAll(/class="dot (\w+)".*?<b>(\d+)<\/b>/g)].map(([, kind, count]) => `${kind} ${count}`),
    ).toEqual(['fixed 2', 'other 1'])
    for (const [, id] of nav.matchAll(/href="#(.*?)"/g))
      expect(await body(`${PAGE}/2.0.0`)).toContain(`id="${id}"`)
  })
})

describe('of a changelog with pre-releases', () => {
  const server = openHandler({})
  const { changelogId } = server.seed.product(server.seed.team('acme'), 'app')
  const changes = [{ type: 'fixed', title: 'One' }]
  for (const [at, label] of ['1.0.0', '2.0.0-rc.1'].entries())
    server.seed.version(changelogId, label, { publishedAt: at, changes })
  afterAll(() => server[Symbol.dispose]())
  const stable = async (path: string) =>
    /<a class="stable" href="([^"]*)"( aria-current="true")?>Stable releases only</
      .exec(await (await server.get(path)).text())
      ?.slice(1)

  test('the link to stable releases stays beside the kinds, and leads back', async () => {
    expect(await stable(PAGE)).toEqual([`${PAGE}?prereleases=no`, undefined as never])
    expect(await stable(`${PAGE}?kind=fixed`)).toEqual([
      `${PAGE}?kind=fixed&amp;prereleases=no`,
      undefined as never,
    ])
    expect(await stable(`${PAGE}?kind=fixed&prereleases=no`)).toEqual([
      `${PAGE}?kind=fixed`,
      ' aria-current="true"',
    ])
  })
})
