import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Act, type Acting, RIGHTS } from '../../../src/acts/acting.ts'
import { ACTS } from '../../../src/acts/acts.ts'
import { VERSION_STATES, type VersionState } from '../../../src/acts/seen.ts'
import { MENU } from '../../../src/desk/pages/product.ts'
import { VERSION } from '../../../src/desk/routes.ts'
import { REASONS } from '../../../src/domain/reasons.ts'
import { TestDesk } from '../../support/desk/desk.ts'
import { Sandbox } from '../../support/sandbox.ts'

/** Who may do what: each act, form and address is tried, as the tables of the acts and of the desk name them. */

test.each(Object.entries(ACTS) as [string, Act][])('nobody does %s without its right', async (_, act) => {
  const others = new Set(RIGHTS.filter((right) => right !== act.needs))
  const by = { rights: others, records: null, now: 0, who: null } as unknown as Acting
  await expect(act.run(by)).rejects.toThrow(REASONS.mayNot)
})

const MAY_NOT = 'Only people who may publish can do this.'

describe('at a desk with publishers', () => {
  let box: Sandbox
  let desk: TestDesk
  let [publisher, drafter, seller] = [] as unknown as [TestDesk, TestDesk, TestDesk]

  beforeAll(async () => {
    box = await Sandbox.on('SQLite')
    for (const team of ['acme', 'globex']) {
      await box.json('team', 'create', team, '--name', `The ${team}`)
      await box.json('product', 'create', `${team}/app`, '--name', 'App')
    }
    desk = await TestDesk.forUser(box, 'Mira', {
      DESK_GROUPS_HEADER: 'X-Groups',
      DESK_PUBLISHERS: 'editors',
      DESK_TEAMS: 'acme=docs,editors;globex=sales',
    })
    const as = (user: string, groups: string) => desk.as({ 'x-user': user, 'x-groups': groups })
    publisher = as('Mira', 'staff, editors')
    // The name of a group is no membership.
    drafter = as('editors', 'docs')
    seller = as('Sam', 'sales')
  })
  afterAll(async () => {
    expect(await desk.stop()).toBe(0)
    await box.close()
  })

  const everything = async () => (await box.run(['export', '--all'])).stdout

  let count = 0
  const versionThatIs = async (state: VersionState): Promise<string> => {
    const label = `${++count}.0.0`
    const { id } = await box.json<{ id: string }>('version', 'create', 'acme/app', label)
    const then = {
      draft: [],
      scheduled: [['schedule', '--at', '2099-01-01T00:00Z']],
      published: [['publish']],
      yanked: [['publish'], ['update', '--yanked', 'Broken']],
    }[state]
    for (const [verb = '', ...options] of then) await box.json('version', verb, 'acme/app', label, ...options)
    return id
  }

  /** What somebody sends from a list or an editor that a publisher has opened: the forms of others may not have the button. */
  const sendMenu = async (who: TestDesk, wanted: string, state: VersionState) => {
    const version = await versionThatIs(state)
    if (wanted === 'undo') await box.json('version', 'delete', 'acme/app', version, '--yes')
    const before = await everything()
    const token = (await who.get('/acme/app')).field('token')
    const page = await who.post('/acme/app', { token, do: wanted, version, state, reason: 'Broken' })
    return { page, isChanged: (await everything()) !== before }
  }
  const sendVersion = async (who: TestDesk, name: string, state: VersionState | 'new') => {
    const id = state === 'new' ? 'new' : await versionThatIs(state)
    const editor = await publisher.get(`/acme/app/${id}`)
    const before = await everything()
    const token = (await who.get(`/acme/app/${id}`)).field('token')
    const fields = { label: `${++count}.0.0`, title: 'Mine', date: '', text: '- Mine', when: 'now' }
    const opened = editor.field('opened')
    const page = await who.post(`/acme/app/${id}${name && `/${name}`}`, { ...fields, token, opened })
    return { page, isChanged: (await everything()) !== before }
  }

  const MENU_FORMS = Object.entries(MENU).flatMap(([wanted, { needs }]) =>
    VERSION_STATES.map((state) => ({ wanted, state, needs })),
  )
  test.each(MENU_FORMS)('$wanted of what is $state', async ({ wanted, state, needs }) => {
    const isAllowed = needs === 'write' && state === 'draft'
    const { page, isChanged } = await sendMenu(drafter, wanted, state)
    expect([page.text.includes(MAY_NOT), isChanged]).toEqual([!isAllowed, isAllowed])
    expect((await sendMenu(publisher, wanted, state)).page.text).not.toContain(MAY_NOT)
  })

  const VERSION_FORMS = Object.entries(VERSION).flatMap(([name, { act }]) =>
    typeof act === 'object' && act
      ? (['new', ...VERSION_STATES] as const).map((state) => ({ name, state, needs: act.needs }))
      : [],
  )
  test.each(VERSION_FORMS)('the form "$name" of what is $state', async ({ name, state, needs }) => {
    // A picture is of the product, whatever shows it.
    const isAllowed = needs === 'write' && (name === 'picture' || state === 'new' || state === 'draft')
    const { page, isChanged } = await sendVersion(drafter, name, state)
    expect(page.text.includes(MAY_NOT)).toBe(!isAllowed)
    if (!isAllowed) expect(isChanged).toBe(false)
    expect((await sendVersion(publisher, name, state)).page.text).not.toContain(MAY_NOT)
  })

  test('a product is created by publishers', async () => {
    const before = await everything()
    const fields = { team: 'acme', name: 'Other' }
    const token = (await drafter.get('/acme/app')).field('token')
    const refused = await drafter.post('/start', { ...fields, token })
    expect([refused.status, await everything()]).toEqual([403, before])
    await publisher.send(await publisher.get('/start'), fields)
    expect(await everything()).not.toBe(before)
  })

  test('pages offer nothing that is refused', async () => {
    const [draft, published] = [await versionThatIs('draft'), await versionThatIs('published')]
    for (const path of ['/start', `/acme/app/${draft}/publish`])
      expect([path, (await drafter.get(path)).status, (await publisher.get(path)).status]).toEqual([
        path,
        403,
        200,
      ])
    const list = await drafter.get('/acme/app')
    const offered = [...new Set([...list.html.matchAll(/name="do" value="(\w+)"/g)].map(([, act]) => act))]
    expect(offered.filter((act) => MENU[act as keyof typeof MENU].needs !== 'write')).toEqual([])
    const menuOf = (id: string) => list.html.includes(`name="version" value="${id}"`)
    expect([menuOf(draft), menuOf(published)]).toEqual([true, false])
    expect((await drafter.get('/')).html).not.toContain('/start')
    const editors = [await drafter.get(`/acme/app/${draft}`), await drafter.get(`/acme/app/${published}`)]
    expect(editors.map(({ html }) => /name="do" value="(\w+)"/g.exec(html)?.[1])).toEqual(['save', undefined])
    expect(editors[1]?.text).toContain(MAY_NOT)
  })

  test('a team of other groups is not there, on any address and with any form', async () => {
    const { id } = await box.json<{ id: string }>('version', 'create', 'globex/app', '1.0.0')
    const before = await everything()
    const token = (await publisher.get('/acme/app')).field('token')
    for (const path of ['', ...Object.keys(VERSION).map((name) => `/${id}${name && `/${name}`}`)]) {
      const none = await publisher.get(`/nobody/app${path}`)
      const hidden = await publisher.get(`/globex/app${path}`)
      expect([path, hidden.status, hidden.html]).toEqual([path, 404, none.html])
      const sent = { token, do: 'delete', version: id, state: 'draft', label: '1', text: '- Mine' }
      expect((await publisher.post(`/globex/app${path}`, sent)).status).toBe(404)
    }
    const start = await publisher.send(await publisher.get('/start'), { team: 'globex', name: 'Mine' })
    expect([start.status, await everything()]).toEqual([422, before])
    for (const page of [start, await publisher.get('/'), await drafter.get('/')])
      expect(page.html.replace('value="globex"', '')).not.toMatch(/globex/i)
    expect((await seller.get('/globex/app')).status).toBe(200)
    expect((await seller.get('/acme/app')).status).toBe(404)
    // Groups count only with a name.
    expect((await desk.as({ 'x-groups': 'editors' }).get('/')).status).toBe(401)
  })
})
