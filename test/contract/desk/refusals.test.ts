import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type DeskPage, TestDesk } from '../../support/desk/desk.ts'
import { png } from '../../support/pictures.ts'
import { Sandbox } from '../../support/sandbox.ts'

const TEXT = { label: '1.0.0', title: '', date: '', text: '- A change', do: 'save' }

describe('a desk in German refuses', () => {
  let box: Sandbox
  let desk: TestDesk

  beforeAll(async () => {
    box = await Sandbox.on('SQLite')
    await box.json('team', 'create', 'acme', '--name', 'Acme')
    await box.json('product', 'create', 'acme/app', '--name', 'App')
    await box.json('version', 'create', 'acme/app', '1.0.0', '--status', 'published')
    await box.json('product', 'create', 'acme/old', '--name', 'Old')
    await box.json('product', 'update', 'acme/old', '--slug', 'new-name', '--yes')
    desk = await TestDesk.start(box, { SITE_LANGUAGE: 'de', PICTURES_MAX_BYTES: '10' })
  })
  afterAll(async () => {
    await desk.stop()
    await box.close()
  })

  const alert = ({ status, html }: DeskPage) => [status, /role="alert">([^<]*)/.exec(html)?.[1]?.trim()]
  const save = async (fields: Partial<typeof TEXT>, path = '/acme/app/new') =>
    alert(await desk.send(await desk.get(path), { ...TEXT, label: '2.0.0', ...fields }, path))

  test.each([
    [
      'a version that is too long',
      { label: '1'.repeat(129) },
      'Das ist zu lang: Version. Es sind 129 Zeichen, erlaubt sind 128.',
    ],
    [
      'a title that is too long',
      { title: 'x'.repeat(1_001) },
      'Das ist zu lang: Titel. Es sind 1.001 Zeichen, erlaubt sind 1.000.',
    ],
    [
      'a part that is too long',
      { text: 'word '.repeat(200_001) },
      'Ein Teil des Textes ist länger als 1.000.000 Zeichen. Kürzen Sie ihn.',
    ],
    [
      'latest',
      { label: 'latest' },
      'Eine Version kann nicht „latest“ heißen: So heißt immer die neueste. Wählen Sie einen anderen Namen.',
    ],
    [
      'a date that is none',
      { date: '2026-02-30' },
      '2026-02-30 ist kein Datum. Schreiben Sie es wie 2026-01-02.',
    ],
    [
      'a date before the year 1000',
      { date: '0900-01-01' },
      'Das Datum liegt vor dem Jahr 1000. Wählen Sie ein anderes.',
    ],
    [
      'too many list items',
      { text: '- x\n'.repeat(2_001) },
      'Der Text hat 2.001 Listenpunkte, erlaubt sind hier 2.000. Kürzen Sie ihn, oder lassen Sie ihn importieren.',
    ],
    ['a label that is taken', { label: '1.0.0' }, '1.0.0 gibt es schon.'],
  ] as const)('%s in German', async (_, fields, said) => {
    expect(await save(fields)).toEqual([422, said])
  })

  test('a future date of what is published in German', async () => {
    const { id } = await box.json<{ id: string }>('version', 'show', 'acme/app', '1.0.0')
    const [status, why] = await save({ label: '1.0.0', date: '2999-01-01' }, `/acme/app/${id}`)
    expect([status, why]).toEqual([
      422,
      expect.stringMatching(
        /^1\.0\.0 ist veröffentlicht und kann kein Datum in der Zukunft haben: 1\. Jan\. 2999.*\.$/,
      ),
    ])
  })

  test('addresses and names that were renamed in German', async () => {
    const start = await desk.get('/start')
    const create = async (fields: Record<string, string>) =>
      alert(await desk.send(start, { team: 'Acme', name: 'X', slug: '', ...fields }))
    expect(await create({ slug: '!' })).toEqual([
      422,
      expect.stringMatching(/^&quot;!&quot; ist keine Adresse\./),
    ])
    expect(await create({ name: 'x'.repeat(201), slug: 'long' })).toEqual([
      422,
      expect.stringContaining('Das ist zu lang: Name.'),
    ])
    expect(await create({ slug: 'old' })).toEqual([
      422,
      expect.stringMatching(/^So hieß schon etwas, .*: acme\/old\./),
    ])
  })

  test('a picture without room in German', async () => {
    const page = await desk.get('/acme/app/new')
    const body = new FormData()
    body.set('token', page.field('token'))
    body.set('picture', new File([png(30, 30)], 'a.png', { type: 'image/png' }))
    const response = await desk.fetch('/acme/app/new/picture', {
      method: 'POST',
      body,
      headers: { origin: desk.origin },
    })
    expect(((await response.json()) as { problem: string }).problem).toMatch(
      /^Für dieses Bild ist kein Platz: .* Erlaubt sind 10 bytes\.$/,
    )
  })
})
