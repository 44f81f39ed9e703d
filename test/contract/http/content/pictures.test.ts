import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { gif, png, transparentPng } from '../../../support/pictures.ts'
import { type Sandbox, withProduct } from '../../../support/sandbox.ts'
import { fingerprint } from '../../../support/servers/server.ts'

const PAGE = '/changelog/acme/app'
const API = '/api/v1/public/teams/acme/products/app/changelog'

describe('a picture in a release', () => {
  let box: Sandbox
  let width = 20
  beforeAll(async () => {
    box = await withProduct()
  })
  afterAll(() => box.close())

  const add = async () => {
    writeFileSync(box.at('shot.png'), png(++width, 400))
    const { id, markdown } = await box.json<{ id: string; markdown: string }>(
      'picture',
      'add',
      'acme/app',
      'shot.png',
    )
    return { markdown, path: `${PAGE}/pictures/${id}.webp` }
  }
  const create = (label: string, description: string, ...options: string[]) =>
    box.json<{ id: string }>('version', 'create', 'acme/app', label, '--description', description, ...options)
  const published = (label: string, description: string) =>
    create(label, description, '--status', 'published')
  const text = async (path: string) => (await box.response(path)).text()
  const print = async (path: string) => fingerprint(await box.response(path))
  const missing = () => print(`${PAGE}/pictures/${'0'.repeat(32)}-1x1.webp`)

  test('is served as it is stored, with the headers of a file that may do nothing', async () => {
    const { markdown, path } = await add()
    await published('1.0.0', markdown)
    for (const which of ['made', 'cached']) {
      const response = await box.response(path)
      expect([which, response.status]).toEqual([which, 200])
      expect(Object.fromEntries(response.headers)).toMatchObject({
        'content-type': 'image/webp',
        'content-security-policy': "default-src 'none'; sandbox",
        'x-content-type-options': 'nosniff',
        'cache-control': 'public, max-age=60',
        'access-control-allow-origin': '*',
      })
      expect(response.headers.has('content-encoding')).toBe(false)
      const bytes = await response.bytes()
      const hash = new Bun.CryptoHasher('sha256').update(bytes).digest('hex')
      expect(path).toContain(`/${hash.slice(0, 32)}-${width}x400.webp`)
      const etag = response.headers.get('etag') ?? ''
      const again = await fetch((await box.serve()) + path, { headers: { 'if-none-match': etag } })
      expect(again.status).toBe(304)
    }
  })

  test('is as public as the versions that show it, and like a missing one otherwise', async () => {
    const { markdown, path } = await add()
    expect(await print(path)).toBe(await missing())
    await create('2.0.0', markdown)
    expect(await print(path)).toBe(await missing())
    await box.json('version', 'publish', 'acme/app', '2.0.0')
    expect((await box.response(path)).status).toBe(200)
    await create('2.1.0', markdown)
    await box.json('version', 'update', 'acme/app', '2.0.0', '--status', 'draft')
    expect(await print(path)).toBe(await missing())
    await box.json('version', 'schedule', 'acme/app', '2.0.0', '--at', '2999-01-01T00:00:00Z')
    expect(await print(path)).toBe(await missing())
    await box.json('version', 'publish', 'acme/app', '2.1.0')
    for (const [status, hidden] of [
      ['draft', ['product', 'update', 'acme/app', '--status']],
      ['private', ['team', 'update', 'acme', '--visibility']],
    ] as const) {
      await box.json(...hidden, status)
      expect(await print(path)).toBe(await missing())
      await box.json(...hidden, status === 'draft' ? 'published' : 'public')
    }
    expect((await box.response(path)).status).toBe(200)
    for (const wrong of ['x.webp', path.slice(0, -1), `${path}x`, path.replace('/app/', '/other/')])
      expect((await box.response(wrong.startsWith('/') ? wrong : `${PAGE}/pictures/${wrong}`)).status).toBe(
        404,
      )
  })

  test('has a smaller width and a share card, as visible as itself, and is in their place while they are missing', async () => {
    writeFileSync(box.at('wide.png'), png(1_500, 300, { noise: 1 }))
    const { id, markdown } = await box.json<{ id: string; markdown: string }>(
      ...['picture', 'add', 'acme/app', 'wide.png'],
    )
    const [own, ...forms] = ['.webp', '.small.webp', '.card.jpg'].map((end) => `${PAGE}/pictures/${id}${end}`)
    const answers = () =>
      Promise.all(
        forms.map(async (path) => {
          const response = await box.response(path)
          const bytes = await response.bytes()
          return [response.status, response.headers.get('content-type'), bytes.length]
        }),
      )
    await create('2.5.0', markdown)
    for (const path of forms) expect(await print(path)).toBe(await missing())
    await box.json('version', 'publish', 'acme/app', '2.5.0')
    const made = await answers()
    const whole = (await (await box.response(own ?? '')).bytes()).length
    expect(made.map(([status, type]) => `${status} ${type}`)).toEqual(['200 image/webp', '200 image/jpeg'])
    expect(Number(made[0]?.[2])).toBeLessThan(whole)
    {
      using db = new Database(box.at('changelogd.db'))
      db.run('DELETE FROM derived_picture')
    }
    expect(await answers()).toEqual(forms.map(() => [200, 'image/webp', whole]))
    await box.json('migrate')
    expect(await answers()).toEqual(made)
    const narrow = (await add()).path.replace('.webp', '.small.webp')
    expect(await print(narrow)).toBe(await missing())
    await box.json('version', 'update', 'acme/app', '2.5.0', '--status', 'draft')
    for (const path of forms) expect(await print(path)).toBe(await missing())
  })

  test('that moves is a GIF, and its first frame a picture beside it', async () => {
    writeFileSync(box.at('tour.gif'), gif(3, { screen: [20, 10] }))
    const { id, markdown } = await box.json<{ id: string; markdown: string }>(
      'picture',
      'add',
      'acme/app',
      'tour.gif',
    )
    expect(markdown).toBe(`![tour](pictures/${id})`)
    await published('2.7.0', markdown)
    for (const [ending, type] of [
      ['', 'gif'],
      ['.small.webp', 'webp'],
      ['.card.jpg', 'jpeg'],
    ] as const) {
      const response = await box.response(`${PAGE}/pictures/${id}${ending}`)
      expect([ending, response.status, response.headers.get('content-type')]).toEqual([
        ending,
        200,
        `image/${type}`,
      ])
      expect((await new Bun.Image(await response.bytes()).metadata()).width).toBe(20)
    }
    expect(await text(`${PAGE}/2.7.0`)).toContain(`srcset="${PAGE}/pictures/${id}.small.webp"`)
    expect(await print(`${PAGE}/pictures/${id}.webp`)).toBe(await missing())
  })

  test('has a light ground on dark pages if it was measured to need one', async () => {
    for (const gray of [20, 240]) {
      writeFileSync(box.at('shot.png'), transparentPng(30, 30, gray, 15))
      const { markdown } = await box.json<{ markdown: string }>('picture', 'add', 'acme/app', 'shot.png')
      await published(`2.6.${gray}`, markdown)
    }
    for (const path of [PAGE, `${PAGE}/2.6.20`])
      expect((await text(path)).match(/class="ground"/g)).toHaveLength(1)
    expect(await text(`${PAGE}/2.6.240`)).not.toContain('class="ground"')
  })

  test('has the address of the site, and its sides, wherever the release is read', async () => {
    const { markdown, path } = await add()
    const { id } = await published('3.0.0', `Intro\n\n${markdown}\n\nEnd`)
    await box.json('change', 'add', 'acme/app', '3.0.0', `Small ${markdown}`, '--type', 'added')
    const whole = (await box.serve()) + path
    const image = (src: string) => `<img src="${src}" alt="shot" width="${width}" height="400"`
    expect((await text(`${PAGE}/3.0.0`)).split(image(path))).toHaveLength(3)
    const card = whole.replace('.webp', '.card.jpg')
    for (const [name, content] of Object.entries({
      '': card,
      ':width': width,
      ':height': 400,
      ':alt': 'shot',
    }))
      expect(await text(`${PAGE}/3.0.0`)).toContain(`<meta property="og:image${name}" content="${content}">`)
    expect(await text(PAGE)).toContain(image(path))
    expect((await text(`${PAGE}/feed.json`)).replaceAll('\\"', '"')).toContain(image(whole))
    for (const address of [`${PAGE}/3.0.0.md`, `${PAGE}.md`, `${PAGE}/CHANGELOG.md`, `${API}/versions/${id}`])
      expect([address, await text(address)]).toEqual([address, expect.stringContaining(`![shot](${whole})`)])
    expect(await text(`${PAGE}?q=pictures`)).not.toContain('3.0.0')
  })

  test('is shown beside those over https, and nothing else is', async () => {
    const { markdown } = await add()
    const own = /\((.*)\)/.exec(markdown)?.[1] ?? ''
    const others = [
      'http://127.0.0.1:1/x.webp',
      '/x.webp',
      'pictures/x.webp',
      `http://example.org${PAGE}/${own}`,
    ]
    await published(
      '4.0.0',
      `<img src="${own}" width="10">\n\n${others.map((each) => `![no](${each})`).join('\n\n')}`,
    )
    const shown = [...(await text(`${PAGE}/4.0.0`)).matchAll(/<img [^>]*>/g)].map(([image]) => image)
    expect(shown).toHaveLength(1)
    expect(shown[0]).toContain(`width="10" height="${Math.round((400 * 10) / width)}" alt="Image"`)
  })

  test('is found at the old address of a renamed product', async () => {
    const { markdown, path } = await add()
    await published('4.1.0', markdown)
    await box.json('product', 'update', 'acme/app', '--slug', 'new', '--yes')
    const moved = await box.response(path)
    expect([moved.status, moved.headers.get('location')]).toEqual([308, path.replace('/app/', '/new/')])
    expect((await box.response(path.replace('/app/', '/new/'))).status).toBe(200)
    expect(await text('/changelog/acme/new/4.1.0')).toContain(`src="${path.replace('/app/', '/new/')}"`)
    await box.json('product', 'update', 'acme/new', '--slug', 'app', '--yes')
  })

  test('costs a tenth of a request', async () => {
    const { markdown, path } = await add()
    await published('5.0.0', markdown)
    const left = (response: Response) => Number(/r=(\d+)/.exec(response.headers.get('ratelimit') ?? '')?.[1])
    const before = left(await box.response(path))
    for (let at = 0; at < 5; at++) await box.response(path)
    expect(before - left(await box.response(path))).toBeLessThanOrEqual(1)
  })
})
