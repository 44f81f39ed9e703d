import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { STATUSES, VISIBILITIES } from '../../../src/domain/records.ts'
import { createWaiting } from '../../../src/store/engines/wait.ts'
import { checkDatabase, open } from '../../../src/store/open.ts'
import type { Cursor } from '../../../src/store/store.ts'
import { Random } from '../../support/random.ts'
import { openStoreOn } from '../../support/servers/handler.ts'
import { ENGINES } from '../../support/servers/server.ts'

const NOW = 1_000_000

describe.each(ENGINES)('on %s, what lists are read from', (engine) => {
  let opened: Awaited<ReturnType<typeof openStoreOn>>
  beforeAll(async () => {
    opened = await openStoreOn(engine, () => NOW)
  })
  afterAll(() => opened[Symbol.dispose]())

  const finding = async () => {
    // Derives what plain SQL has left out.
    using commands = await open(opened.database, 'write', createWaiting())
    await commands.transaction(async () => {})
    return (await checkDatabase(opened.database)).find(({ check }) => check === 'contents')
  }
  const labels = async (team: string | null, after: Cursor | null = null, limit = 1_000) =>
    (await opened.store.readTimeline(team, after, limit)).value.entries.map(({ label }) => label)

  const directory = async () => {
    const { value } = await opened.store.readDirectory({ team: '', product: '', lastTeam: '~' }, 1_000)
    return value.map(({ team, product }) => `${team.slug}/${product.slug}`)
  }

  test('has what is public of everything that is written: products in order, dated versions newest first, for the site and for each team', async () => {
    const { seed } = opened
    const { db } = seed
    const random = new Random(11)
    const teams = new Map<string, { slug: string; visibility: string }>()
    const products = new Map<
      string,
      { team: string; slug: string; status: string; changelog: string; changelogId: string }
    >()
    const versions = new Map<
      string,
      { product: string; label: string; status: string; at: number; dateKnown: boolean }
    >()
    let made = 0
    const name = () => `n${made++}`
    /** Often enough published that some are public all the way. */
    const status = () => random.pick([...STATUSES, 'published', 'published'] as const)
    const versionStatus = () => random.pick(['draft', 'published', 'published', 'scheduled'] as const)
    const isKnown = () => random.next() < 0.7
    const moment = () => NOW - 500 + Math.floor(random.next() * 1_000)
    const addTeam = () => {
      const team = { slug: name(), visibility: random.pick(VISIBILITIES) }
      teams.set(seed.team(team.slug, team), team)
    }
    const addProduct = () => {
      const team = random.pick([...teams.keys()])
      const states = { slug: name(), status: status(), changelog: status() }
      const { id, changelogId } = seed.product(team, states.slug, states)
      products.set(id, { team, changelogId, ...states })
    }
    const addVersion = () => {
      const [product, { changelogId }] = random.pick(
        [...products].filter(([, { changelog }]) => changelog !== 'gone'),
      )
      const version = { product, label: name(), status: versionStatus(), at: moment(), dateKnown: isKnown() }
      versions.set(seed.version(changelogId, version.label, { ...version, publishedAt: version.at }), version)
    }
    const removeProduct = (id: string) => {
      products.delete(id)
      for (const [version, { product }] of versions) if (product === id) versions.delete(version)
    }
    const steps = [
      ...[addTeam, addProduct, addProduct, addProduct],
      ...Array.from({ length: 8 }, () => addVersion),
      () => {
        const [id, version] = random.pick([...versions])
        Object.assign(version, { status: versionStatus(), at: moment() })
        const values = [version.status, version.at, id]
        db.run('UPDATE version SET status = ?, published_at = ? WHERE id = ?', values)
      },
      () => {
        const [id, version] = random.pick([...versions])
        version.dateKnown = isKnown()
        const values = [version.dateKnown, version.dateKnown, id]
        db.run('UPDATE version SET dated = ?, date_known = ? WHERE id = ?', values)
      },
      () => {
        const [id] = random.pick([...versions])
        versions.delete(id)
        db.run('DELETE FROM version WHERE id = ?', [id])
      },
      () => {
        const [id, team] = random.pick([...teams])
        Object.assign(team, { slug: name(), visibility: random.pick(VISIBILITIES) })
        db.run('UPDATE team SET slug = ?, visibility = ? WHERE id = ?', [team.slug, team.visibility, id])
      },
      () => {
        const [id, product] = random.pick([...products])
        const team = random.pick([...teams.keys()])
        Object.assign(product, { team, slug: name(), status: status() })
        const values = [team, product.slug, product.status, id]
        db.run('UPDATE product SET team_id = ?, slug = ?, status = ? WHERE id = ?', values)
      },
      () => {
        const [id, product] = random.pick([...products])
        if (product.changelog !== 'gone') product.changelog = status()
        db.run('UPDATE changelog SET status = ? WHERE product_id = ?', [product.changelog, id])
      },
      () => {
        const [id, product] = random.pick([...products])
        product.changelog = 'gone'
        for (const [version, own] of versions) if (own.product === id) versions.delete(version)
        db.run('DELETE FROM changelog WHERE product_id = ?', [id])
      },
      () => {
        const [id] = random.pick([...products])
        removeProduct(id)
        db.run('DELETE FROM product WHERE id = ?', [id])
      },
      () => {
        if (teams.size < 9) return
        const [id] = random.pick([...teams])
        teams.delete(id)
        for (const [product, { team }] of products) if (team === id) removeProduct(product)
        db.run('DELETE FROM team WHERE id = ?', [id])
      },
    ]
    for (let at = 0; at < 8; at++) addTeam()
    for (let at = 0; at < 40; at++) addProduct()
    for (let at = 0; at < 300; at++) addVersion()
    const isPublic = (product?: { team: string; status: string; changelog: string }) =>
      teams.get(product?.team ?? '')?.visibility === 'public' &&
      product?.status === 'published' &&
      product.changelog === 'published'
    let [largest, most] = [0, 0]
    for (let round = 0; round < 10; round++) {
      for (let at = 0; at < 12; at++) random.pick(steps)()
      const open = [...products.values()].filter(isPublic)
      expect(await directory()).toEqual(
        open.map(({ team, slug }) => `${teams.get(team)?.slug}/${slug}`).sort(),
      )
      most = Math.max(most, open.length)
      const expected = [...versions]
        .filter(([, { product, status, at, dateKnown }]) => {
          const isDue = status === 'published' || (status === 'scheduled' && at <= NOW)
          return isPublic(products.get(product)) && isDue && dateKnown
        })
        .sort(([id, { at }], [otherId, other]) => other.at - at || (otherId > id ? 1 : -1))
        .map(([, version]) => version)
      largest = Math.max(largest, expected.length)
      expect(await labels(null)).toEqual(expected.map(({ label }) => label))
      for (const [id, { slug }] of teams)
        expect(await labels(slug)).toEqual(
          expected.filter(({ product }) => products.get(product)?.team === id).map(({ label }) => label),
        )
      expect(await finding()).toMatchObject({ state: 'ok' })
    }
    expect([largest > 5, most > 3]).toEqual([true, true])
  })

  test('is read in pages that leave nothing out, and each leads back to the one before', async () => {
    const { seed, store } = opened
    const team = seed.team('paged')
    const changelogs = ['a', 'b', 'c'].map((slug) => seed.product(team, slug).changelogId)
    for (let at = 0; at < 25; at++)
      seed.version(changelogs[at % 3] as string, `v${at}`, { publishedAt: NOW - 2 * Math.floor(at / 2) })
    const all = (await store.readTimeline('paged', null, 100)).value.entries
    const found: string[] = []
    let after: Cursor | null = null
    do {
      const page: Awaited<ReturnType<typeof store.readTimeline>> = await store.readTimeline(
        'paged',
        after,
        10,
      )
      found.push(...page.value.entries.map(({ id }) => id))
      after = page.value.next
    } while (after)
    expect(found).toEqual(all.map(({ id }) => id))
    expect(found).toHaveLength(25)
    const newer = (await store.readNewerInTimeline('paged', all[10] as Cursor, 4)).value
    expect(newer.map(({ id }) => id)).toEqual(
      all
        .slice(6, 10)
        .toReversed()
        .map(({ id }) => id),
    )
  })

  test('names the newest version of each product that has none with a date, of stable ones too', async () => {
    const { seed, store } = opened
    const team = seed.team('undated')
    const [old, fresh, later] = ['a', 'b', 'c'].map((slug) => seed.product(team, slug).changelogId)
    const add = (changelog: string | undefined, label: string, publishedAt: number, dateKnown = false) =>
      seed.version(changelog as string, label, { publishedAt, dateKnown })
    add(old, '1.0.0', 1)
    add(old, '1.1.0', 2)
    add(old, '1.2.0-rc.1', 3)
    add(fresh, '2.0.0', 1)
    add(fresh, '2.1.0', 2, true)
    seed.version(later as string, '3.0.0', { publishedAt: NOW + 1, status: 'scheduled' })
    seed.version(later as string, '2.9.0', { publishedAt: 5, dateKnown: false, status: 'draft' })
    const newest = async (prereleases: 'no' | null) => {
      const range = { team: 'undated', product: '', lastTeam: 'undated' }
      return (await store.readUndated(range, 10, { prereleases })).value.map(({ label }) => label)
    }
    expect([await newest(null), await newest('no')]).toEqual([['1.2.0-rc.1'], ['1.1.0']])
    expect(await labels('undated')).toEqual(['2.1.0'])
  })

  test('is noticed by doctor when it is wrong, and written again by what doctor says', async () => {
    const { seed } = opened
    const { db } = seed
    const team = seed.team('noticed')
    const app = seed.product(team, 'app')
    const id = seed.version(app.changelogId, '1.0')
    const draft = seed.product(team, 'draft', { status: 'draft' })
    const hidden = seed.version(draft.changelogId, 'hidden')
    for (const damage of [
      `DELETE FROM public_product WHERE product_id = '${app.id}'`,
      `INSERT INTO public_product VALUES ('noticed', 'draft', '${draft.id}')`,
      `UPDATE public_product SET product_slug = 'old' WHERE product_id = '${app.id}'`,
      `DELETE FROM public_version WHERE version_id = '${id}'`,
      `INSERT INTO public_version VALUES ('${hidden}', '${team}', 'published', 1, false)`,
      `UPDATE public_version SET published_at = 1 WHERE version_id = '${id}'`,
      `UPDATE public_version SET prerelease = true WHERE version_id = '${id}'`,
    ]) {
      db.run(damage)
      // Nothing hidden is shown, even when it is wrong.
      expect(await labels('noticed')).not.toContain('hidden')
      expect(await directory()).not.toContain('noticed/draft')
      expect(await finding()).toMatchObject({
        state: 'wrong',
        remedy: { command: { options: { repair: true } } },
      })
      using commands = await open(opened.database, 'write', createWaiting())
      expect((await commands.repair()).mended.join()).toMatch(/^public_(product|version) /)
      expect(await finding()).toMatchObject({ state: 'ok' })
    }
    expect(await labels('noticed')).toEqual(['1.0'])
  })
})
