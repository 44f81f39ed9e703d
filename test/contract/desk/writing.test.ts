import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { TestDesk } from '../../support/desk/desk.ts'
import { png } from '../../support/pictures.ts'
import { Sandbox } from '../../support/sandbox.ts'

const PRODUCT = '/acme/app'
const NOTES = 'Now with a desk.\n\n## Added\n\n- Search\n- Dark mode\n\n## Fixed\n\n- A crash'

describe('writing at the desk', () => {
  let box: Sandbox
  let desk: TestDesk

  beforeAll(async () => {
    box = await Sandbox.on('SQLite')
    desk = await TestDesk.start(box)
  })
  afterAll(async () => {
    expect(await desk.stop()).toBe(0)
    await box.close()
  })

  /** Writes a new version, and returns the path of its editor. */
  const written = async (label: string, text = NOTES): Promise<string> => {
    const fresh = await desk.get(`${PRODUCT}/new`)
    const saved = await desk.send(fresh, { label, title: '', date: '', text, do: 'save' })
    expect([saved.status, saved.text]).toEqual([200, expect.stringContaining('Saved')])
    return saved.path
  }
  const show = (label: string) => box.json<Record<string, unknown>>('version', 'show', 'acme/app', label)

  test('an empty database leads to a first product, a first release and its page', async () => {
    const start = await desk.get('/')
    expect(start.text).toContain('Start your first changelog')
    const commands = /<pre class="command"><code>([^<]*)/.exec(start.html)?.[1] ?? ''
    // Followed releases are public at once.
    expect(commands.replace(/\\\n +/g, '').split('\n')).toEqual([
      'changelogd team create acme --name Acme --visibility public',
      'changelogd follow acme/app https://github.com/acme/app --create --publish',
    ])
    const fresh = await desk.send(start, { team: 'Acme', name: 'App' }, '/start')
    expect(fresh.path).toBe(`${PRODUCT}/new`)
    const publishing = await desk.send(fresh, {
      label: '1.0.0',
      title: 'First',
      date: '',
      text: NOTES,
      do: 'publish',
    })
    // The button says what becomes public.
    expect(publishing.text).toContain('Make Acme and App public. Nobody yet App stays hidden.')
    expect(publishing.text).toContain('Publish to everybody')
    const choice = { when: 'at', date: '2026-02-30', time: '09:00', zone: 'UTC', who: 'none' }
    const refused = await desk.send(publishing, choice)
    const isKept = expect.stringContaining('value="none" id="nobody" checked')
    expect([refused.status, refused.html]).toEqual([422, isKept])
    const list = await desk.send(refused, { when: 'now', who: 'all' })
    expect(list.text).toContain('First Published')
    expect(list.text).toContain('1.0.0 is public View page')
    // At the desk itself: no server need run.
    const [, page = ''] = /href="([^"]*\/changelog\/acme\/app\/1\.0\.0)"/.exec(list.html) ?? []
    const view = await desk.get(page.slice(desk.base.length))
    expect([view.status, view.html]).toEqual([200, expect.stringContaining('<h1')])
    const policy = view.headers.get('content-security-policy') ?? ''
    expect(policy).toMatch(/frame-ancestors 'none'.*; sandbox allow-same-origin allow-forms allow-popups$/)
    expect(policy).not.toContain('script-src')
    const [, up = ''] = /href="([^"]*\/changelog\/acme\/app)"/.exec(view.html) ?? []
    expect(up).toStartWith(`${desk.base}/`)
    const changelog = await desk.get(up.slice(desk.base.length))
    expect([changelog.status, changelog.text]).toEqual([200, expect.stringContaining('Dark mode')])
    const none = await desk.get(page.slice(desk.base.length).replace('1.0.0', '9.9.9'))
    expect(none.status).toBe(404)
    expect((await fetch(desk.origin + page)).status).toBe(401)
    expect((await desk.get(PRODUCT)).text).not.toContain('is public')
    const seen = await box.seenByApi('/public/teams/acme/products/app/changelog')
    expect(seen.status).toBe(200)
    expect(await show('1.0.0')).toMatchObject({ title: 'First', status: 'published', changeCount: 3 })
  })

  test('the preview shows pictures that no version shows yet', async () => {
    await Bun.write(box.at('shot.png'), png(30, 20))
    const args = ['picture', 'add', 'acme/app', 'shot.png'] as const
    const { markdown } = await box.json<{ markdown: string }>(...args)
    const fresh = await desk.get(`${PRODUCT}/new`)
    const fields = { label: '9.9.8', title: '', date: '', text: markdown }
    const { html } = await desk.send(fresh, fields, `${PRODUCT}/new/preview`)
    const [, source = '', sides] = /<img src="([^"]*)" alt="shot" (width="30" height="20")/.exec(html) ?? []
    expect(sides).toBeDefined()
    const path = source.slice(desk.base.length)
    const shown = await desk.fetch(path)
    expect([shown.status, shown.headers.get('content-type')]).toEqual([200, 'image/webp'])
    expect((await desk.fetch(path.replace('/app/', '/none/'))).status).toBe(404)
    expect((await fetch(desk.origin + source)).status).not.toBe(200)
  })

  test('the preview is the page of the text that is not saved', async () => {
    const fresh = await desk.get(`${PRODUCT}/new`)
    const fields = {
      label: '9.9.9',
      title: 'Not **saved**',
      date: '2026-01-02',
      text: '## Security\n\n- Keys expire',
    }
    const page = await desk.send(fresh, fields, `${PRODUCT}/new/preview`)
    expect(page.html).toContain('Not <strong>saved</strong>')
    expect(page.html).toContain('<section class="part security"')
    expect(page.headers.get('cache-control')).toBe('no-store')
    expect(await box.refusal('version', 'show', 'acme/app', '9.9.9')).toContain('no version 9.9.9')
    const told = await desk.fetch(`${PRODUCT}/new/preview`, {
      method: 'POST',
      body: new URLSearchParams({
        ...fields,
        token: fresh.field('token'),
        as: 'json',
        text: '## Infra\n\n- Moved\n\n```\ncode',
      }),
      headers: { origin: desk.origin },
    })
    const { checks } = (await told.json()) as { checks: string }
    expect(checks).toContain('“Infra” is not a kind of change')
    expect(checks).toContain('data-line="5"')
  })

  test('a text is saved as it is written, and opens as it was', async () => {
    const path = await written('1.1.0', `${NOTES}\n\n## Infra\n\n* Runners moved\n`)
    const editor = await desk.get(path)
    expect(editor.field('text')).toBe(`${NOTES}\n\n## Infra\n\n* Runners moved`)
    const { changes } = (await show('1.1.0')) as { changes: { type: string }[] }
    expect(changes.map(({ type }) => type)).toEqual(['added', 'added', 'fixed', 'infra'])
  })

  test('what did not change keeps its id, and saving it again changes nothing', async () => {
    const path = await written('1.2.0')
    const before = await show('1.2.0')
    const editor = await desk.get(path)
    const same = { label: '1.2.0', title: '', date: '', text: editor.field('text') }
    await desk.send(editor, { ...same, do: 'save' })
    expect(await show('1.2.0')).toEqual(before)
    await desk.send(await desk.get(path), { ...same, text: `${NOTES}\n- Another crash`, do: 'save' })
    const after = (await show('1.2.0')) as { changes: { id: string }[] }
    expect(after.changes.slice(0, 3)).toEqual((before as { changes: { id: string }[] }).changes)
    expect(after.changes).toHaveLength(4)
  })

  test('both together have what only the other changed of label, title and date, and the headings once', async () => {
    const path = await written('1.7.0')
    const editor = await desk.get(path)
    await box.json('version', 'update', 'acme/app', '1.7.0', '--title', 'A & "B"', '--date', '2026-10-26')
    await box.json('change', 'add', 'acme/app', '1.7.0', '--type', 'fixed', 'Written by a command')
    const mine = { label: '1.7.1', title: '', date: '', text: `${NOTES}\n- Written here` }
    const conflict = await desk.send(editor, { ...mine, do: 'save' })
    const together = await desk.send(conflict, mine, `${path}/together`)
    const facts = ['label', 'title', 'date'].map((name) => together.field(name))
    expect(facts).toEqual(['1.7.1', 'A & "B"', '2026-10-26'])
    const text = together.field('text')
    expect(text.match(/^#+ .+$/gm)).toEqual(['### Added', '### Fixed'])
    const both = { label: '1.7.1', title: 'A & "B"', date: '2026-10-26', text }
    await desk.send(together, { ...both, do: 'save' }, path)
    expect(await show('1.7.1')).toMatchObject({ title: 'A & "B"', changeCount: 5 })
  })

  test('nothing is saved over what a command wrote meanwhile, before somebody chooses', async () => {
    const path = await written('1.3.0')
    const editor = await desk.get(path)
    await box.json('change', 'add', 'acme/app', '1.3.0', '--type', 'fixed', 'Written by a command')
    const mine = { label: '1.3.0', title: 'Mine', date: '', text: `${NOTES}\n- Written here` }
    const conflict = await desk.send(editor, { ...mine, do: 'save' })
    expect(conflict.status).toBe(409)
    for (const words of ['1.3.0 changed while you wrote', 'Written by a command', 'Written here'])
      expect(conflict.text).toContain(words)
    expect(await show('1.3.0')).toMatchObject({ title: '1.3.0', changeCount: 4 })
    expect(conflict.field('text')).toBe(mine.text)

    const together = await desk.send(conflict, mine, `${path}/together`)
    expect(together.field('text')).toContain('Written by a command')
    expect(together.field('text')).toContain('Written here')
    expect(await show('1.3.0')).toMatchObject({ title: '1.3.0', changeCount: 4 })

    const theirs = await desk.send(conflict, { ...mine, keep: 'theirs' })
    expect(theirs.field('text')).not.toContain('Written here')
    const kept = await desk.send(conflict, { ...mine, keep: 'mine' })
    expect(kept.text).toContain('Saved')
    expect(await show('1.3.0')).toMatchObject({ title: 'Mine', changeCount: 4 })
  })

  test('a refused text comes back with the reason, and nothing is saved', async () => {
    await written('1.4.0')
    const fresh = await desk.get(`${PRODUCT}/new`)
    const refused = await desk.send(fresh, {
      label: '1.4.0',
      title: 'Twice',
      date: '',
      text: NOTES,
      do: 'save',
    })
    expect(refused.status).toBe(422)
    expect(refused.text).toContain('1.4.0 exists already.')
    // Where a terminal shows a command.
    const link = /<a class="button" href="([^"]+)">Edit <bdi>1\.4\.0</.exec(refused.html)?.[1] ?? ''
    expect((await desk.get(link.slice(desk.base.length))).field('label')).toBe('1.4.0')
    expect([refused.field('text'), refused.field('title')]).toEqual([NOTES, 'Twice'])
  })

  test('a text that is sent again, as it was saved, is answered as saved', async () => {
    const fresh = await desk.get(`${PRODUCT}/new`)
    const fields = { label: '1.4.2', title: 'Twice', date: '2026-01-02', text: `\n${NOTES}\n`, do: 'save' }
    const [first, again] = [await desk.send(fresh, fields), await desk.send(fresh, fields)]
    expect([again.status, again.path, again.text]).toEqual([200, first.path, first.text])
    const next = { ...fields, text: `${NOTES}\n- Another crash` }
    const before = await desk.send(first, next)
    const stored = await show('1.4.2')
    expect([before.status, (await desk.send(first, next)).status]).toEqual([200, 200])
    expect(await show('1.4.2')).toEqual(stored)
    // Blanks that mean something are a text of their own.
    expect((await desk.send(first, { ...next, text: `    ${NOTES}` })).status).toBe(409)
  })

  test('nothing at all is not saved, and a text without a title is published only once it has one', async () => {
    const fresh = await desk.get(`${PRODUCT}/new`)
    const none = { label: ' ', title: '', date: '', text: ' ', do: 'save' }
    const refused = await desk.send(fresh, none)
    expect([refused.status, refused.text]).toEqual([
      422,
      expect.stringContaining('There is nothing to save yet.'),
    ])
    const untitled = await desk.send(fresh, { ...none, text: NOTES, do: 'publish' })
    expect([untitled.path, untitled.text]).toEqual([
      expect.stringMatching(/publish$/),
      expect.stringContaining('It has no title yet. Give it one first.'),
    ])
    const edit = untitled.path.replace(/\/publish$/, '')
    const editor = await desk.get(edit)
    expect([editor.field('label'), editor.field('title'), editor.field('text')]).toEqual([
      '',
      '',
      NOTES.trimEnd(),
    ])
    await desk.act(await desk.get(PRODUCT), edit.split('/').at(-1) ?? '', { do: 'delete' })
  })

  test('a version has its title for a label, until it is published', async () => {
    const fresh = await desk.get(`${PRODUCT}/new`)
    const fields = { label: '', title: 'Guests', date: '', text: NOTES, do: 'save' }
    const saved = await desk.send(fresh, fields)
    // Sent twice, it is one.
    expect((await desk.send(fresh, fields)).path).toBe(saved.path)
    expect([saved.field('label'), (await show('guests')).title]).toEqual(['', 'Guests'])
    const other = await desk.send(fresh, { ...fields, text: '- Other' })
    expect((await show('entry-guests-2')).title).toBe('Guests')
    expect(other.field('label')).toBe('')
    expect((await desk.get(PRODUCT)).text).not.toContain('guests')
    const renamed = await desk.send(saved, { ...fields, title: 'Guests on every board' })
    expect((await show('guests-on-every-board')).id).toBe(saved.path.split('/').at(-1))
    const publishing = await desk.send(renamed, { ...fields, title: 'Guests on every board', do: 'publish' })
    await desk.send(publishing, { when: 'now' })
    const editor = await desk.get(saved.path)
    await desk.send(editor, { ...fields, title: 'Guests on each board' })
    expect((await show('guests-on-every-board')).title).toBe('Guests on each board')
    expect((await desk.get(saved.path)).field('label')).toBe('')
    for (const { path } of [saved, other])
      await desk.act(await desk.get(PRODUCT), path.split('/').at(-1) ?? '', { do: 'delete' })
  })

  test('a draft is saved by itself, over nothing that others wrote, and what is published is not', async () => {
    const auto = async (fields: Record<string, string>, path = `${PRODUCT}/new`) => {
      const body = new URLSearchParams({ label: '', date: '', text: NOTES, ...fields, do: 'auto' })
      const response = await desk.fetch(path, { method: 'POST', body, headers: { origin: desk.origin } })
      return (await response.json()) as Record<string, string>
    }
    const token = (await desk.get(`${PRODUCT}/new`)).field('token')
    const first = await auto({ token, opened: 'new', title: 'By itself' })
    const path = (first.to ?? '').slice(desk.base.length)
    expect((await show('by-itself')).id).toBe(path.split('/').at(-1))
    // Its answer was lost.
    expect(await auto({ token, opened: 'new', title: 'By itself' })).toEqual(first)
    const second = await auto({ token, opened: first.opened ?? '', title: 'Saved by itself' }, path)
    expect((await show('saved-by-itself')).title).toBe('Saved by itself')
    const stale = await auto({ token, opened: first.opened ?? '', title: 'Over it' }, path)
    expect(stale).toEqual({ problem: expect.stringContaining('somebody else has changed this draft') })
    const long = await auto({ token, opened: second.opened ?? '', title: 'x'.repeat(1_001) }, path)
    expect(long.problem).toStartWith('This is too long: Title.')
    await box.json('version', 'publish', 'acme/app', 'saved-by-itself')
    const opened = (await desk.get(path)).field('opened')
    expect(await auto({ token, opened, title: 'Not published' }, path)).toEqual({
      problem: 'Published · changes not yet on the page',
    })
    expect((await show('saved-by-itself')).title).toBe('Saved by itself')
    await box.json('version', 'delete', 'acme/app', 'saved-by-itself', '--yes')
  })

  test('a new release offers the next numbers, and begins with the headings of the last one', async () => {
    await written('7.2.9')
    const fresh = await desk.get(`${PRODUCT}/new`)
    expect([...fresh.html.matchAll(/<option value="([^"]+)"/g)].map(([, label]) => label)).toEqual([
      '7.2.10',
      '7.3.0',
      '8.0.0',
    ])
    const link = /class="like" href="([^"]+)"/.exec(fresh.html)?.[1] ?? ''
    expect((await desk.get(link.slice(desk.base.length))).field('text')).toMatch(/^## Added\n\n- \n/)
    await box.json('version', 'delete', 'acme/app', '7.2.9', '--yes')
  })

  test.each([
    ['introduction', (long: string) => long],
    ['change', (long: string) => `- Search\n\n  ${long}`],
    ['closing text', (long: string) => `- Search\n\n## Upgrading\n\n${long}`],
  ] as const)('a text whose %s is too long comes back whole, and nothing is saved', async (_, textWith) => {
    const before = await box.json('version', 'list', 'acme/app')
    const fresh = await desk.get(`${PRODUCT}/new`)
    const text = textWith('word '.repeat(200_000).concat('end'))
    const refused = await desk.send(fresh, { label: '1.4.1', title: '', date: '', text, do: 'save' })
    const why = /role="alert">([^<]*)/.exec(refused.html)?.[1]
    expect([refused.status, why]).toEqual([422, expect.stringContaining('longer than 1,000,000')])
    expect(refused.field('text') === text).toBe(true)
    expect(await box.json('version', 'list', 'acme/app')).toEqual(before)
  })

  test('a version is scheduled, taken back, yanked with a reason, unpublished, deleted and brought back', async () => {
    const path = await written('2.0.0')
    const act = async (fields: Record<string, string>) =>
      desk.act(await desk.get(PRODUCT), path.split('/').at(-1) ?? '', fields)
    const publishing = await desk.get(`${path}/publish`)
    const at = { when: 'at', date: '2099-12-01', time: '09:00', zone: 'Europe/Berlin' }
    expect((await desk.send(publishing, at)).text).toContain('Scheduled')
    expect(await show('2.0.0')).toMatchObject({ status: 'draft', publishedAt: '2099-12-01T08:00:00.000Z' })
    expect((await act({ do: 'unschedule' })).text).not.toContain('Scheduled')
    await desk.send(await desk.get(`${path}/publish`), { when: 'now' })
    expect(await show('2.0.0')).toMatchObject({ status: 'published' })
    expect((await act({ do: 'yank', reason: 'Loses settings' })).text).toContain('Loses settings')
    expect(await show('2.0.0')).toMatchObject({ yanked: 'Loses settings' })
    await act({ do: 'unyank' })
    await act({ do: 'unpublish' })
    expect(await show('2.0.0')).toMatchObject({ status: 'draft', yanked: null })
    const before = await show('2.0.0')
    const deleted = await act({ do: 'delete' })
    expect(deleted.text).toContain('2.0.0 was deleted')
    expect(await box.refusal('version', 'show', 'acme/app', '2.0.0')).toContain('no version 2.0.0')
    await desk.send(deleted, { do: 'undo', version: deleted.field('version') })
    expect(await show('2.0.0')).toEqual(before)
  })

  test('publishing what somebody changed meanwhile is refused until it is looked at again', async () => {
    const path = await written('2.1.0')
    const publishing = await desk.get(`${path}/publish`)
    await box.json('version', 'update', 'acme/app', '2.1.0', '--title', 'Another')
    await box.json('change', 'add', 'acme/app', '2.1.0', '--type', 'fixed', 'Added by a command')
    const refused = await desk.send(publishing, { when: 'now' })
    expect([refused.status, refused.text]).toEqual([
      409,
      expect.stringContaining('It changed in the meantime'),
    ])
    // Both texts, as in a conflict.
    expect(refused.text).toMatch(
      /As you saw it As it is now Saved meanwhile .*Title Another .*Dark mode.*Dark/,
    )
    expect(refused.html).toContain('<ins>Another</ins>')
    expect(refused.html).toContain('<p class="theirs" dir="auto">- Added by a command</p>')
    expect(await show('2.1.0')).toMatchObject({ status: 'draft' })
    for (const _ of ['pressed', 'twice'])
      expect((await desk.send(refused, { when: 'now' })).text).toContain('2.1.0 is public')
    expect(await show('2.1.0')).toMatchObject({ status: 'published' })
  })

  test('a menu does nothing to a version that is no longer as the list showed it', async () => {
    const path = await written('2.2.0')
    const id = path.split('/').at(-1) ?? ''
    const list = await desk.get(PRODUCT)
    await box.json('version', 'publish', 'acme/app', '2.2.0')
    const refused = await desk.act(list, id, { do: 'delete' })
    expect([refused.status, refused.text]).toEqual([
      422,
      expect.stringContaining('It changed in the meantime'),
    ])
    const before = await desk.get(PRODUCT)
    await box.json('version', 'update', 'acme/app', '2.2.0', '--yanked', 'Another reason')
    expect((await desk.act(before, id, { do: 'yank', reason: 'Mine' })).status).toBe(422)
    expect(await show('2.2.0')).toMatchObject({ status: 'published', yanked: 'Another reason' })
    expect((await desk.act(await desk.get(PRODUCT), id, { do: 'explode' })).status).toBe(422)
  })

  test('undo brings back the version that its page named, also after another deletion', async () => {
    const ids = [await written('2.3.0'), await written('2.4.0')].map((path) => path.split('/').at(-1) ?? '')
    const first = await desk.act(await desk.get(PRODUCT), ids[0] ?? '', { do: 'delete' })
    await box.json('version', 'delete', 'acme/app', '2.4.0', '--yes')
    await desk.send(first, { do: 'undo', version: first.field('version') })
    expect(await show('2.3.0')).toMatchObject({ id: ids[0] })
    expect(await box.refusal('version', 'show', 'acme/app', '2.4.0')).toContain('no version 2.4.0')
  })

  test('a deleted version is offered again after its product was renamed, and only there', async () => {
    const id = (await written('2.6.0')).split('/').at(-1) ?? ''
    await desk.act(await desk.get(PRODUCT), id, { do: 'delete' })
    await box.json('product', 'update', 'acme/app', '--slug', 'renamed', '--yes')
    await box.json('product', 'create', 'acme/app', '--name', 'Another')
    expect((await desk.get(PRODUCT)).text).not.toContain('2.6.0')
    const page = await desk.get(`${PRODUCT.slice(0, -'app'.length)}renamed`)
    await desk.send(page, { do: 'undo', version: page.field('version') })
    expect((await box.json('version', 'show', 'acme/renamed', '2.6.0')).id).toBe(id)
    await box.json('product', 'delete', 'acme/app', '--yes')
    await box.json('product', 'update', 'acme/renamed', '--slug', 'app', '--yes')
  })

  test('a text whose version was deleted meanwhile is given back, to be saved as a new one', async () => {
    const editor = await desk.get(await written('2.5.0'))
    await box.json('version', 'delete', 'acme/app', '2.5.0', '--yes')
    const mine = { label: '2.5.0', title: 'Kept', date: '2026-01-02', text: '- Kept' }
    const gone = await desk.send(editor, { ...mine, do: 'save' })
    expect(gone.status).toBe(422)
    expect(gone.text).toContain('This version was deleted in the meantime. Saving creates it again.')
    expect(gone.text).not.toContain('ver_')
    const fields = ['label', 'title', 'date', 'text'] as const
    expect(fields.map(gone.field)).toEqual(fields.map((name) => mine[name]))
    const together = await desk.send(gone, { ...mine, was: '' }, `${editor.path}/together`)
    expect(fields.map(together.field)).toEqual(fields.map((name) => mine[name]))
    await desk.send(gone, mine, `${PRODUCT}/new`)
    expect(await show('2.5.0')).toMatchObject({ title: 'Kept', changeCount: 1 })
    const list = await desk.get(PRODUCT)
    const id = (await show('2.5.0')).id as string
    await box.json('version', 'delete', 'acme/app', '2.5.0', '--yes')
    const refused = await desk.act(list, id, { do: 'yank' })
    expect(refused.text).toContain('It changed in the meantime')
    expect(refused.text).not.toContain('ver_')
  })

  test('a text whose product or team was renamed meanwhile is saved at the new address, which links lead to', async () => {
    const path = await written('2.7.0')
    const editor = await desk.get(path)
    const fresh = await desk.get(`${PRODUCT}/new`)
    const fields = { title: '', date: '', text: `${NOTES}\n- Written meanwhile`, do: 'save' }
    await box.json('product', 'update', 'acme/app', '--slug', 'console', '--yes')
    await box.json('team', 'update', 'acme', '--slug', 'acme-labs', '--yes')
    const saved = await desk.send(editor, { ...fields, label: '2.7.0' })
    expect([saved.path, saved.field('text')]).toEqual([
      path.replace('acme/app', 'acme-labs/console'),
      fields.text,
    ])
    const added = await desk.send(fresh, { ...fields, label: '2.8.0' })
    expect(added.path).toStartWith('/acme-labs/console/ver_')
    const body = new FormData()
    body.set('token', editor.field('token'))
    body.set('picture', new File([png(8, 8)], 'shot.png'))
    const sent = await desk.fetch(`${path}/picture`, {
      method: 'POST',
      body,
      headers: { origin: desk.origin },
    })
    expect(((await sent.json()) as { src: string }).src).toContain('/acme-labs/console/')
    const led = await desk.get(`${path}/publish`)
    expect([led.path, led.text]).toEqual([
      `${saved.path}/publish`,
      expect.stringContaining('Publish to everybody'),
    ])
    expect((await desk.fetch(`${PRODUCT}?state=draft`)).headers.get('location')).toEndWith(
      '/console?state=draft',
    )
    await box.json('team', 'update', 'acme-labs', '--slug', 'acme', '--yes')
    await box.json('product', 'update', 'acme/console', '--slug', 'app', '--yes')
  })

  test('a release without a text is remarked on before it is published, and can be', async () => {
    const empty = await desk.get(`${await written('2.9.0', '')}/publish`)
    expect(empty.text).toContain('This release has no text yet.')
    await desk.send(empty, { when: 'now' })
    expect(await show('2.9.0')).toMatchObject({ status: 'published' })
    const full = await desk.get(`${await written('2.10.0', 'Words.')}/publish`)
    expect(full.text).not.toContain('no text')
    // Messages are spoken of only where somebody gets one.
    expect(full.text).toContain('Who is told Nobody.')
    expect(full.text).not.toContain('not the messages')
  })

  test('what is published while it is hidden says so, and is made public later', async () => {
    await box.json('team', 'create', 'shy', '--name', 'Shy')
    await box.json('product', 'create', 'shy/app', '--name', 'Shy App')
    // All of the team is seen then, and told.
    await box.json('product', 'create', 'shy/other', '--name', 'Other', '--status', 'published')
    await box.json('version', 'create', 'shy/other', '3.0.0', '--status', 'published')
    const url = ['https://example.org/hook', '--product', 'other', '--name', 'listener']
    await box.run(['hook', 'add', 'shy', ...url], { PUBLIC_URL: 'https://news.acme.test' })
    const fields = { label: '1.0.0', title: '', date: '', text: NOTES, do: 'publish' }
    const publishing = await desk.send(await desk.get('/shy/app/new'), fields)
    expect((await desk.get('/shy/app')).text).not.toContain('Make Shy and Shy App public')
    expect(publishing.text).toMatch(
      /Make Shy and Shy App public\. This also shows Other\. This tells listener\./,
    )
    // So it is asked for.
    expect(publishing.html).toContain('value="none" id="nobody" checked')
    const list = await desk.send(publishing, { when: 'now' })
    expect(list.text).toContain(
      'nobody sees its releases yet. This also shows Other. Make Shy and Shy App public This tells listener. Messages cannot be taken back.',
    )
    const seen = () => box.seenByApi('/public/teams/shy/products/app/changelog')
    expect((await seen()).status).toBe(404)
    const after = await desk.send(list, { do: 'public' })
    expect(after.text).not.toMatch(/Hidden|nobody sees/)
    expect((await seen()).status).toBe(200)
  })

  test('only those with a tick are told, once, and a mail that waits can be kept from being sent', async () => {
    const settings = {
      PUBLIC_URL: 'https://news.acme.test',
      SMTP_URL: 'smtp://127.0.0.1:9',
      MAIL_FROM: 'n@acme.test',
    }
    await box.json('product', 'create', 'acme/told', '--name', 'Told', '--status', 'published')
    for (const name of ['list', 'press'])
      await box.run(['hook', 'add', 'acme', '--product', 'told', '--mail', `${name}@acme.test`], settings)
    const fields = { label: '1.0.0', title: '', date: '', text: NOTES, do: 'publish' }
    const publishing = await desk.send(await desk.get('/acme/told/new'), fields)
    const [list = '', press = ''] = [...publishing.html.matchAll(/name="tell-(hk_\w+)" checked/g)].map(
      ([, id]) => id,
    )
    const mail = await desk.fetch(`${publishing.path}`.replace(/publish$/, `mail?hook=${list}`))
    expect(await mail.text()).toContain('Dark mode')
    expect(mail.headers.get('content-security-policy')).toContain('sandbox')
    const told = `${list} ${press}`
    const published = await desk.send(publishing, { when: 'now', told, [`tell-${list}`]: 'on' })
    expect(published.text).toMatch(/list , mail To be sent .* Do not send/)
    expect(published.text).not.toContain('press ,')
    const waiting = async () =>
      (await box.json<{ id: string; state: string }[]>('hook', 'deliveries', 'acme/list')).map(
        ({ id, state }) => ({ id, state }),
      )
    const [{ id = '' } = {}] = await waiting()
    const path = /action="([^"]*\/publish)"/.exec(published.html)?.[1]?.slice(desk.base.length) ?? ''
    const foreign = await desk.send(
      published,
      { dismiss: id },
      path.replace(/ver_\w+/, (await show('1.0.0')).id as string),
    )
    expect(foreign.status).toBe(404)
    const kept = await desk.send(published, { dismiss: id }, path)
    expect(kept.text).toContain('list , mail Not sent')
    expect(await waiting()).toEqual([{ id, state: 'dismissed' }])
    expect(await box.json<object[]>('hook', 'deliveries', 'acme/press')).toEqual([])
  })

  test('a product that was locked meanwhile is not made public, and stays locked', async () => {
    await box.json('product', 'create', 'acme/closing', '--name', 'Closing')
    const fields = { label: '1.0.0', title: '', date: '', text: NOTES, do: 'publish' }
    const publishing = await desk.send(await desk.get('/acme/closing/new'), fields)
    await box.json('product', 'update', 'acme/closing', '--status', 'locked')
    for (const [path, sent] of [
      [publishing.path, { when: 'now', who: 'all' }],
      ['/acme/closing', { do: 'public' }],
    ] as const)
      expect((await desk.send(publishing, sent, path)).status).toBe(422)
    expect(await box.json<object>('product', 'show', 'acme/closing')).toMatchObject({ status: 'locked' })
  })

  test('a schedule is no draft on the home page', async () => {
    await box.json('product', 'create', 'acme/later', '--name', 'Later')
    await box.json('version', 'create', 'acme/later', '1.0.0')
    await box.json('version', 'create', 'acme/later', '2.0.0')
    await box.json('version', 'schedule', 'acme/later', '2.0.0', '--at', '2099-01-01T00:00:00Z')
    expect((await desk.get('/')).text).toMatch(/Later No release yet .* 1 draft Scheduled 2\.0\.0 1 Jan 2099/)
  })

  test('the unreleased draft is published only under a number', async () => {
    const path = await written('Unreleased')
    const publishing = await desk.get(`${path}/publish`)
    expect(publishing.text).toContain('Unreleased is not a version')
    expect((await desk.send(publishing, { when: 'now' })).status).toBe(422)
    const at = { when: 'at', date: '2099-12-01', time: '09:00', zone: 'UTC' }
    expect((await desk.send(publishing, at)).status).toBe(422)
    expect(await show('Unreleased')).toMatchObject({ status: 'draft' })
  })

  test('a locked product is not changed', async () => {
    await box.json('product', 'create', 'acme/locked', '--name', 'Locked', '--status', 'locked')
    const fresh = await desk.get('/acme/locked/new')
    const refused = await desk.send(fresh, { label: '1.0.0', title: '', date: '', text: NOTES, do: 'save' })
    expect([refused.status, refused.field('text')]).toEqual([422, NOTES])
    expect(await box.json<unknown[]>('version', 'list', 'acme/locked')).toEqual([])
  })

  test('the home page has what is new, drafts and why something is hidden', async () => {
    await box.json('product', 'create', 'acme/fresh', '--name', 'Fresh')
    const home = await desk.get('/')
    for (const words of ['Acme', 'App', 'No release yet', 'The product is a draft'])
      expect(home.text).toContain(words)
  })
})
