import { afterAll, describe, expect, test } from 'bun:test'
import { openHandler } from '../../../support/servers/handler.ts'

const PAGE = '/changelog/acme/app'

describe('an upgrade past pre-releases', () => {
  const server = openHandler({})
  const { changelogId } = server.seed.product(server.seed.team('acme'), 'app')
  const many = Array.from({ length: 30 }, (_, at) => ({ type: 'changed', title: `Change ${at}` }))
  const contents: Record<string, { type: string; title: string }[]> = {
    '1.0.0': [],
    '2.0.0-rc.1': [{ type: 'breaking', title: 'Call `open()` first' }],
    '2.0.0': [...many, { type: 'changed', title: '**Breaking:** No more `x`' }],
    '3.0.0-beta.1': [{ type: 'changed', title: 'Other defaults' }],
    '3.0.0': [{ type: 'fixed', title: 'A crash' }],
  }
  for (const [at, [label, changes]] of Object.entries(contents).entries())
    server.seed.version(changelogId, label, { title: label, publishedAt: at, changes })
  afterAll(() => server[Symbol.dispose]())
  const html = async (path: string) => (await server.get(path)).text()
  const plain = (text: string) => text.replace(/<[^>]*>/g, '')

  test('names the pre-release of which a break is', async () => {
    const page = plain(await html(`${PAGE}?from=1.0.0&to=2.0.0`))
    expect(page).toContain('Call open() first from 2.0.0-rc.1')
    expect(page).toContain('2 breaking changes')
    expect(await html(`${PAGE}.md?from=1.0.0&to=2.0.0`)).toContain(
      '- [ ] [2.0.0-rc.1](/changelog/acme/app/2.0.0-rc.1.md): Call `open()` first',
    )
  })

  test('shows what the pre-releases of a major without marks change, and leads to all of the release', async () => {
    const page = await html(`${PAGE}?from=2.0.0&to=3.0.0`)
    expect(plain(page)).toContain('The author of 3.0.0 marks no change as breaking.')
    expect(plain(page)).toContain('Other defaults from 3.0.0-beta.1')
    expect(page).toContain(`<a class="button" href="${PAGE}/3.0.0">`)
  })

  test('says how many changes the page of a kind has, and that page has as many', async () => {
    const page = await html(`${PAGE}?from=1.0.0&to=2.0.0`)
    const [, href = '', count] = /href="([^"]*kind=changed[^"]*)">Show all (\d+) changes/.exec(page) ?? []
    expect(count).toBe('31')
    expect(plain(await html(href.replaceAll('&amp;', '&')))).toContain(
      '31 changes under Changed in 1 release',
    )
  })
})
