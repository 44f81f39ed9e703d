import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { TestDesk } from '../../support/desk/desk.ts'
import { movingPng, png } from '../../support/pictures.ts'
import { Sandbox } from '../../support/sandbox.ts'

interface Answer {
  shown: string
  address: string
  src: string
  problem: string
}

describe('pictures at the desk', () => {
  let box: Sandbox
  let desk: TestDesk
  beforeAll(async () => {
    box = await Sandbox.on('SQLite')
    await box.json('team', 'create', 'acme', '--name', 'Acme')
    await box.json('product', 'create', 'acme/app', '--name', 'App')
    desk = await TestDesk.start(box, { PICTURES_MAX_BYTES: '300000' })
  })
  afterAll(async () => {
    expect(await desk.stop()).toBe(0)
    await box.close()
  })

  const pictures = () => box.json<{ address: string; shownBy: string[] }[]>('picture', 'list', 'acme/app')
  const body = (fields: Record<string, string>, file?: File) => {
    const form = new FormData()
    for (const [name, value] of Object.entries(fields)) form.set(name, value)
    if (file) form.set('picture', file)
    return form
  }
  const fileOf = (bytes: Uint8Array, name: string) => new File([Buffer.from(bytes)], name)
  const tokenOf = async () => (await desk.get('/acme/app/new')).field('token')
  const post = (path: string, sent: FormData, origin = desk.origin) =>
    desk.fetch(path, { method: 'POST', body: sent, headers: { origin } })
  /** What the script gets. */
  const take = async (file?: File) =>
    (await (await post('/acme/app/new/picture', body({ token: await tokenOf() }, file))).json()) as Answer

  test('are taken one by one, and shown only at the desk until a text shows them', async () => {
    const { shown, address, src } = await take(fileOf(png(40, 30), 'New [search].png'))
    expect(shown).toBe(`![New \\[search\\]](${address})`)
    expect(await pictures()).toMatchObject([{ address, shownBy: [] }])
    const seen = await desk.fetch(src.slice(desk.base.length))
    expect([seen.status, seen.headers.get('content-type')]).toEqual([200, 'image/webp'])
    expect(seen.headers.get('cache-control')).toContain('no-store')
    expect((await fetch(desk.origin + src)).status).not.toBe(200)
    const preview = await post(
      '/acme/app/new/preview',
      body({
        token: await tokenOf(),
        label: '9.0.0',
        title: '',
        date: '',
        text: `New. ${shown}`,
        as: 'json',
      }),
    )
    const { page } = (await preview.json()) as { page: string }
    expect(page).toContain(`src="${src}"`)
    expect(page).toContain('width="40" height="30"')
    const checks = async (text: string) =>
      (
        (await (
          await post('/acme/app/new/preview', body({ token: await tokenOf(), text, as: 'json' }))
        ).json()) as { checks: string }
      ).checks
    expect(await checks(shown)).toBe('')
    expect(await checks('![Gone](shot.png)')).toContain('The picture “shot.png” is not here. Upload it.')
  })

  test('are refused in words, and with every check of a form', async () => {
    const before = await pictures()
    expect((await take(fileOf(movingPng(), 'tour.png'))).problem).toBe(
      'tour.png: animated. Use a GIF or a still picture',
    )
    expect((await take(fileOf(Buffer.from('<svg/>'), 'a.png'))).problem).toBe(
      'a.png: not a picture. Use PNG, JPEG, WebP or GIF',
    )
    expect((await take(fileOf(Buffer.alloc(10_000_001), 'a.png'))).problem).toBe(
      'a.png: too large. The limit is 10 MB',
    )
    expect((await take()).problem).toBe('the file is empty')
    expect((await take(fileOf(png(400, 300, { noise: 3 }), 'a.png'))).problem).toContain(
      'The limit is 300 kB',
    )
    const shot = fileOf(png(50, 30), 'a.png')
    const token = await tokenOf()
    for (const [path, form, origin, status] of [
      ['/acme/app/new/picture', body({ token: 'x' }, shot), desk.origin, 403],
      ['/acme/app/new/picture', body({}, shot), desk.origin, 403],
      ['/acme/app/new/picture', body({ token }, shot), 'https://elsewhere.example', 403],
      ['/acme/none/new/picture', body({ token }, shot), desk.origin, 200],
      ['/none/app/new/picture', body({ token }, shot), desk.origin, 200],
      ['/acme/app/new/picture', body({ token, text: 'x'.repeat(2_000_001) }, shot), desk.origin, 413],
    ] as const) {
      const response = await post(path, form, origin)
      expect([path, response.status]).toEqual([path, status])
      if (status === 200) expect(await response.json()).toMatchObject({ problem: expect.any(String) })
    }
    expect((await desk.fetch('/acme/app/new/picture')).status).toBe(404)
    expect(await pictures()).toEqual(before)
  })

  test('are chosen in the form without script, stored with the text and placed at its end', async () => {
    const fields = { label: '1.0.0', title: '', date: '', text: '- New search\n', do: 'save', opened: 'new' }
    const refused = await post(
      '/acme/app/new',
      body({ ...fields, token: await tokenOf() }, fileOf(movingPng(), 'tour.png')),
    )
    const page = await refused.text()
    expect([refused.status, page.includes('tour.png: animated. Use a GIF or a still picture')]).toEqual([
      422,
      true,
    ])
    expect(page).toContain('- New search')
    const saved = await post(
      '/acme/app/new',
      body({ ...fields, token: await tokenOf() }, fileOf(png(60, 30), 'Search.png')),
    )
    expect(saved.status).toBe(303)
    const path = (saved.headers.get('location') ?? '').slice(desk.base.length)
    const [first] = (await pictures()).filter(({ shownBy }) => shownBy.includes('1.0.0'))
    expect((await desk.get(path)).field('text')).toBe(`- New search\n\n![Search](${first?.address})`)
    const empty = await post(
      '/acme/app/new',
      body({ ...fields, label: '1.0.1', token: await tokenOf() }, fileOf(Buffer.alloc(0), 'shot.png')),
    )
    expect([empty.status, await empty.text()]).toEqual([
      422,
      expect.stringContaining('shot.png: the file is empty'),
    ])
    // Without a file, the field is empty.
    const form = body(
      { ...fields, opened: 'new', label: '1.0.1', token: await tokenOf() },
      fileOf(Buffer.alloc(0), ''),
    )
    expect((await post('/acme/app/new', form)).status).toBe(303)
  })

  test('may have no name of a file', async () => {
    const send = async (bytes: Uint8Array) => {
      const named = new Response(body({ token: await tokenOf() }, fileOf(bytes, 'NAME')))
      const sent = Buffer.from(await named.bytes())
        .toString('latin1')
        .replace('"NAME"', '""')
      const type = `multipart/form-data; boundary=${sent.slice(2, sent.indexOf('\r\n'))}`
      const init = { method: 'POST', body: Buffer.from(sent, 'latin1') }
      const headers = { origin: desk.origin, 'content-type': type }
      return (await desk.fetch('/acme/app/new/picture', { ...init, headers })).json()
    }
    expect(await send(png(70, 30))).toMatchObject({ shown: expect.stringMatching(/^!\[\]\(pictures/) })
    expect(await send(movingPng())).toEqual({ problem: 'Picture: animated. Use a GIF or a still picture' })
  })

  test('of several uploads at once are all taken', async () => {
    const token = await tokenOf()
    const sent = await Promise.all(
      [1, 2, 3].map((noise) => {
        // Long, but hardly any pixels.
        const file = fileOf(Buffer.concat([png(10 + noise, 10), Buffer.alloc(3_000_000)]), `${noise}.png`)
        return post('/acme/app/new/picture', body({ token }, file))
      }),
    )
    for (const response of sent) expect(await response.json()).toMatchObject({ shown: expect.any(String) })
  })
})
