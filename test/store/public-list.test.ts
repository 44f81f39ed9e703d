import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { STATUSES, VISIBILITIES } from '../../src/domain/records.ts'
import { checkDatabase, open } from '../../src/store/open.ts'
import { createWaiting } from '../../src/store/wait.ts'
import { Random } from '../support/random.ts'
import { openStoreOn } from '../support/servers/handler.ts'
import { ENGINES } from '../support/servers/server.ts'

describe.each(ENGINES)('on %s, the list of public products', (engine) => {
  let opened: Awaited<ReturnType<typeof openStoreOn>>
  beforeAll(async () => {
    opened = await openStoreOn(engine)
  })
  afterAll(() => opened[Symbol.dispose]())

  const finding = async () =>
    (await checkDatabase(opened.database)).find(({ check }) => check === 'public list')

  test('follows whatever is written to teams, products and changelogs', async () => {
    const { seed, store } = opened
    const { db } = seed
    const random = new Random(7)
    const teams = new Map<string, { slug: string; visibility: string }>()
    const products = new Map<string, { team: string; slug: string; status: string; changelog: string }>()
    let made = 0
    const slug = () => `s${made++}`
    const addTeam = () => {
      const team = { slug: slug(), visibility: random.pick(VISIBILITIES) }
      teams.set(seed.team(team.slug, team), team)
    }
    const addProduct = () => {
      const team = random.pick([...teams.keys()])
      const product = { slug: slug(), status: random.pick(STATUSES), changelog: random.pick(STATUSES) }
      products.set(seed.product(team, product.slug, product).id, { team, ...product })
    }
    const steps = [
      addTeam,
      addProduct,
      addProduct,
      () => {
        const [id, team] = random.pick([...teams])
        Object.assign(team, { slug: slug(), visibility: random.pick(VISIBILITIES) })
        db.run('UPDATE team SET slug = ?, visibility = ? WHERE id = ?', [team.slug, team.visibility, id])
      },
      () => {
        const [id, product] = random.pick([...products])
        const team = random.pick([...teams.keys()])
        Object.assign(product, { team, slug: slug(), status: random.pick(STATUSES) })
        const values = [team, product.slug, product.status, id]
        db.run('UPDATE product SET team_id = ?, slug = ?, status = ? WHERE id = ?', values)
      },
      () => {
        const [id, product] = random.pick([...products])
        if (product.changelog !== 'gone') product.changelog = random.pick(STATUSES)
        db.run('UPDATE changelog SET status = ? WHERE product_id = ?', [product.changelog, id])
      },
      () => {
        const [id, product] = random.pick([...products])
        product.changelog = 'gone'
        db.run('DELETE FROM changelog WHERE product_id = ?', [id])
      },
      () => {
        const [id] = random.pick([...products])
        products.delete(id)
        db.run('DELETE FROM product WHERE id = ?', [id])
      },
      () => {
        if (teams.size < 5) return
        const [id] = random.pick([...teams])
        teams.delete(id)
        for (const [product, { team }] of products) if (team === id) products.delete(product)
        db.run('DELETE FROM team WHERE id = ?', [id])
      },
    ]
    for (let at = 0; at < 5; at++) addTeam()
    for (let at = 0; at < 40; at++) addProduct()
    let largest = 0
    for (let round = 0; round < 20; round++) {
      for (let at = 0; at < 10; at++) random.pick(steps)()
      const { value } = await store.readDirectory({ team: '', product: '', lastTeam: '~' }, 1_000)
      const expected = [...products.values()].flatMap((product) => {
        const team = teams.get(product.team)
        const isPublic =
          team?.visibility === 'public' && product.status === 'published' && product.changelog === 'published'
        return isPublic ? [`${team.slug}/${product.slug}`] : []
      })
      largest = Math.max(largest, expected.length)
      expect(value.map(({ team, product }) => `${team.slug}/${product.slug}`)).toEqual(expected.sort())
      expect(await finding()).toMatchObject({ state: 'ok' })
    }
    expect(largest).toBeGreaterThan(3)
  })

  test('is noticed by doctor when it is wrong, and written again by what doctor says', async () => {
    const { seed } = opened
    const team = seed.team('noticed')
    const { id } = seed.product(team, 'app')
    const draft = seed.product(team, 'draft', { status: 'draft' })
    for (const damage of [
      `DELETE FROM public_product WHERE product_id = '${id}'`,
      `INSERT INTO public_product VALUES ('noticed', 'draft', '${draft.id}')`,
      `UPDATE public_product SET product_slug = 'old' WHERE product_id = '${id}'`,
    ]) {
      seed.db.run(damage)
      expect(await finding()).toMatchObject({ state: 'wrong', remedy: expect.stringContaining('--repair') })
      using commands = await open(opened.database, 'write', createWaiting())
      expect(await commands.repair()).toEqual([])
      expect(await finding()).toMatchObject({ state: 'ok' })
    }
  })

  test('shows nothing hidden, even when it is wrong', async () => {
    const { seed, store } = opened
    const draft = seed.product(seed.team('wrong'), 'draft', { status: 'draft' })
    seed.db.run(`INSERT INTO public_product VALUES ('wrong', 'draft', '${draft.id}')`)
    const range = { team: 'wrong', product: '', lastTeam: 'wrong' }
    expect((await store.readDirectory(range, 10)).value).toEqual([])
  })
})
