import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { Sandbox } from '../../support/sandbox.ts'
import { ENGINES } from '../../support/servers/server.ts'

const PUBLIC = '/public/teams/acme/products/app/changelog'
describe.each(ENGINES)('content on %s', (engine) => {
  const box = new Sandbox(engine)

  beforeAll(async () => {
    await box.renew()
    await box.json('team', 'create', 'acme', '--name', 'Acme', '--visibility', 'public', '--plan', 'paid')
    await box.json('product', 'create', 'acme/app', '--name', 'App', '--status', 'published')
    await box.seenByApi(PUBLIC)
  })
  afterAll(() => box.close())

  describe('team', () => {
    test('a new team is private and on the free plan by default', async () => {
      const team = await box.json('team', 'create', 'quiet', '--name', 'Quiet')
      expect(team).toMatchObject({ slug: 'quiet', name: 'Quiet', visibility: 'private', plan: 'free' })
      expect(team.id).toMatch(/^team_/)
      expect(team.createdAt).toMatch(/^\d{4}-\d{2}-\d{2}T[\d:.]{12}Z$/)
    })

    test('list and show say how many products and keys a team has', async () => {
      const teams = await box.json<Record<string, unknown>[]>('team', 'list')
      expect(teams.find((team) => team.slug === 'acme')).toMatchObject({ productCount: 1, keyCount: 0 })
      expect(await box.json('team', 'show', 'acme')).toMatchObject({ name: 'Acme', productCount: 1 })
      const { stdout } = await box.words('team show acme')
      expect(stdout).toContain('products    1\nkeys        0\n')
    })

    test('making a team private hides it from the next request on, and public shows it again', async () => {
      await box.json('team', 'update', 'acme', '--visibility', 'private')
      expect(await box.seenByApi(PUBLIC)).toEqual({ status: 404 })
      await box.json('team', 'update', 'acme', '--visibility', 'public', '--name', 'Acme Inc')
      expect((await box.seenByApi(PUBLIC)).data?.team).toEqual({ slug: 'acme', name: 'Acme Inc' })
    })

    test('a new slug changes the URLs, and needs --yes where there is no terminal', async () => {
      const asked = await box.words('team update acme --slug acme-inc')
      expect(asked.status).toBe(1)
      expect(asked.stderr).toContain('the old ones return 404')
      expect(asked.stderr).toContain('--yes')
      expect((await box.seenByApi(PUBLIC)).status).toBe(200)
      await box.json('team', 'update', 'acme', '--slug', 'acme-inc', '--yes')
      expect((await box.seenByApi(PUBLIC)).status).toBe(404)
      expect((await box.seenByApi('/public/teams/acme-inc/products/app/changelog')).status).toBe(200)
      await box.json('team', 'update', 'acme-inc', '--slug', 'acme', '--yes')
    })

    test('deleting says first what else is deleted, and needs --yes where there is no terminal', async () => {
      await box.json('team', 'create', 'gone', '--name', 'Gone', '--plan', 'paid')
      await box.json('product', 'create', 'gone/one', '--name', 'One')
      await box.json('version', 'create', 'gone/one', '1', '--title', 'One')
      await box.json('version', 'create', 'gone/one', '2', '--title', 'Two')
      await box.json('key', 'create', 'gone')
      const asked = await box.words('team delete gone')
      expect(asked.status).toBe(1)
      expect(asked.stderr).toContain('1 product, 2 versions, 1 key')
      expect((await box.words('team show gone')).status).toBe(0)
      expect(await box.json('team', 'delete', 'gone', '--yes')).toMatchObject({ slug: 'gone', deleted: true })
      expect((await box.words('team show gone')).status).toBe(1)
    })
  })

  describe('product and changelog', () => {
    test('a new product is a draft, and so is its changelog', async () => {
      const product = await box.json('product', 'create', 'acme/new', '--name', 'New')
      expect(product).toMatchObject({
        status: 'draft',
        changelog: { name: 'New changelog', status: 'draft' },
      })
      expect((await box.seenByApi('/public/teams/acme/products/new/changelog')).status).toBe(404)
    })

    test('publish shows product and changelog in one step, and says what is still hidden', async () => {
      const published = await box.words('publish acme/new')
      expect(published.stderr).toContain('no version is published')
      const seen = await box.seenByApi('/public/teams/acme/products/new/changelog')
      expect(seen.data?.changelog).toMatchObject({ status: 'published' })
    })

    test('a product set back to draft is hidden at once', async () => {
      await box.json('product', 'update', 'acme/new', '--status', 'draft')
      expect((await box.seenByApi('/public/teams/acme/products/new/changelog')).status).toBe(404)
      expect(await box.json('product', 'show', 'acme/new')).toMatchObject({
        status: 'draft',
        changelog: { status: 'published' },
      })
    })

    test('a changelog has a name and a status of its own', async () => {
      await box.json('changelog', 'update', 'acme/app', '--name', 'What is new')
      expect((await box.seenByApi(PUBLIC)).data?.changelog?.name).toBe('What is new')
      await box.json('changelog', 'update', 'acme/app', '--status', 'draft')
      expect((await box.seenByApi(PUBLIC)).status).toBe(404)
      await box.json('changelog', 'update', 'acme/app', '--status', 'published')
      expect(await box.json('changelog', 'show', 'acme/app')).toMatchObject({
        name: 'What is new',
        status: 'published',
        product: { slug: 'app', name: 'App' },
      })
    })

    test('list counts what is published and what is not', async () => {
      const [app] = await box.json<Record<string, unknown>[]>('product', 'list', 'acme')
      expect(app).toMatchObject({ slug: 'app', publishedCount: 0, draftCount: 0 })
    })

    test('a changelog name that was derived follows the product, one that was given stays, and the command says which', async () => {
      await box.json('product', 'create', 'acme/named', '--name', 'Old', '--status', 'published')
      const renamed = await box.run(['product', 'update', 'acme/named', '--name', 'New', '--json'])
      expect(JSON.parse(renamed.stdout)).toMatchObject({ name: 'New', changelog: { name: 'New changelog' } })
      expect(renamed.stderr).toBe('Its changelog is called "New changelog" now.\n')
      const seen = await box.seenByApi('/public/teams/acme/products/named/changelog')
      expect(seen.data?.changelog?.name).toBe('New changelog')

      await box.json('changelog', 'update', 'acme/named', '--name', 'What is new')
      const kept = await box.words('product update acme/named --name Newer')
      expect(kept.stdout).toBe('Updated product acme/named (Newer): published.\n')
      expect(kept.stderr).toBe(
        `Its changelog is still called "What is new". To rename it: changelogd changelog update acme/named --name 'Newer changelog'\n`,
      )
      expect(await box.json('changelog', 'show', 'acme/named')).toMatchObject({ name: 'What is new' })
      expect((await box.words('product update acme/named --name Newer --status draft')).stderr).toBe('')
    })

    test('a locked changelog keeps its name, also a derived one, and a product that is locked with its new name does not', async () => {
      await box.json('product', 'create', 'acme/frozen', '--name', 'Old')
      await box.json('changelog', 'update', 'acme/frozen', '--status', 'locked')
      const { stderr } = await box.words('product update acme/frozen --name New')
      expect(stderr).toContain(
        `still called "Old changelog". To rename it: changelogd changelog update acme/frozen --status draft --name 'New changelog'`,
      )
      await box.run(['changelog', 'update', 'acme/frozen', '--status', 'draft', '--name', 'New changelog'])
      expect(
        await box.json('product', 'update', 'acme/frozen', '--name', 'Last', '--status', 'locked'),
      ).toMatchObject({ changelog: { name: 'Last changelog' } })
      await box.json('product', 'update', 'acme/frozen', '--status', 'draft')
      for (const name of ['named', 'frozen']) await box.words(`product delete acme/${name} --yes`)
    })

    test('a deleted product is gone from the API', async () => {
      expect((await box.words('product delete acme/new')).status).toBe(1)
      expect((await box.words('product delete acme/new --yes')).status).toBe(0)
      expect((await box.words('product show acme/new')).status).toBe(1)
    })
  })

  describe('version', () => {
    test('a new version is a draft: seen with a key, not without', async () => {
      const version = await box.json('version', 'create', 'acme/app', '1.0.0', '--title', 'First release')
      expect(version).toMatchObject({ version: '1.0.0', status: 'draft', changeCount: 0, description: null })
      expect((await box.seenByApi(PUBLIC)).data?.versions).toEqual([])
      const { token } = await box.json<{ token: string }>('key', 'create', 'acme')
      const seen = await box.seenByApi(`/teams/acme/products/app/changelog/versions/${version.id}`, token)
      expect(seen.data).toMatchObject({ version: '1.0.0', status: 'draft', publishedAt: version.publishedAt })
    })

    test('publishing stamps publishedAt with now, and moving back to draft hides it at once', async () => {
      const before = Date.now()
      const version = await box.json<{ id: string; publishedAt: string }>(
        'version',
        'publish',
        'acme/app',
        '1.0.0',
      )
      expect(Date.parse(version.publishedAt)).toBeWithin(before, Date.now() + 1)
      const [seen] = (await box.seenByApi(PUBLIC)).data?.versions ?? []
      expect(seen).toMatchObject({ id: version.id, publishedAt: version.publishedAt, status: 'published' })
      await box.json('version', 'draft', 'acme/app', version.id)
      expect((await box.seenByApi(PUBLIC)).data?.versions).toEqual([])
      expect((await box.seenByApi(`${PUBLIC}/versions/${version.id}`)).status).toBe(404)
    })

    test('publishing again leaves the date of the first time', async () => {
      const once = await box.json('version', 'publish', 'acme/app', '1.0.0')
      expect(await box.json('version', 'publish', 'acme/app', '1.0.0')).toEqual(once)
    })

    test('a date that the author gave stays when it is published', async () => {
      const date = ['--date', '2024-02-29T12:00:00+01:00', '--description', 'Long awaited.']
      await box.json('version', 'create', 'acme/app', '0.9.0', '--title', 'Early', ...date)
      const version = await box.json('version', 'publish', 'acme/app', '0.9.0')
      expect(version).toMatchObject({ publishedAt: '2024-02-29T11:00:00.000Z', description: 'Long awaited.' })
      const order = (await box.seenByApi(PUBLIC)).data?.versions?.map((each) => each.version)
      expect(order).toEqual(['1.0.0', '0.9.0'])
    })

    test('update changes what it names and nothing else', async () => {
      const before = await box.json('version', 'show', 'acme/app', '0.9.0')
      const after = await box.json(
        'version',
        'update',
        'acme/app',
        '0.9.0',
        '--title',
        'Earlier',
        '--label',
        '0.9',
      )
      expect(before).toMatchObject({ ...after, title: 'Early', version: '0.9.0' })
      await box.json('version', 'update', 'acme/app', '0.9', '--description', '')
      expect(await box.json('version', 'show', 'acme/app', '0.9')).toMatchObject({ description: null })
    })

    test('list is newest first, and delete takes the changes with it', async () => {
      await box.json('change', 'add', 'acme/app', '0.9', '--type', 'fixed', 'A thing')
      const versions = await box.json<{ version: string }[]>('version', 'list', 'acme/app')
      expect(versions.map((version) => version.version)).toEqual(['1.0.0', '0.9'])
      const asked = await box.words('version delete acme/app 0.9')
      expect(asked).toMatchObject({ status: 1 })
      expect(asked.stderr).toContain('1 change')
      expect((await box.words('version delete acme/app 0.9 --yes')).status).toBe(0)
      expect((await box.seenByApi(PUBLIC)).data?.versions).toHaveLength(1)
    })
  })

  describe('change', () => {
    const titles = async () => {
      const { id } = await box.json<{ id: string }>('version', 'show', 'acme/app', '1.0.0')
      const seen = await box.seenByApi(`${PUBLIC}/versions/${id}`)
      expect(seen.data?.changeCount).toBe(seen.data?.changes?.length as number)
      return seen.data?.changes?.map((change) => change.title)
    }
    const add = (title: string, ...more: string[]) =>
      box.json<{ id: string; position: number }>(
        'change',
        'add',
        'acme/app',
        '1.0.0',
        '--type',
        'added',
        title,
        ...more,
      )

    test('changes keep the order they are given', async () => {
      await add('b')
      await add('d')
      await add('a', '--position', '1')
      expect(await add('c', '--position', '3', '--description', 'More.')).toMatchObject({ position: 3 })
      expect(await add('e', '--position', '99')).toMatchObject({ position: 5 })
      expect(await titles()).toEqual(['a', 'b', 'c', 'd', 'e'])
    })

    test('a moved change gets the position that was given, and the others close up', async () => {
      const list = await box.json<{ id: string; title: string }[]>('change', 'list', 'acme/app', '1.0.0')
      const id = (title: string) => list.find((change) => change.title === title)?.id as string
      await box.json('change', 'move', id('a'), '--position', '3')
      expect(await titles()).toEqual(['b', 'c', 'a', 'd', 'e'])
      await box.json('change', 'move', id('e'), '--position', '1')
      expect(await titles()).toEqual(['e', 'b', 'c', 'a', 'd'])
      await box.json('change', 'move', id('e'), '--position', '1000')
      expect(await titles()).toEqual(['b', 'c', 'a', 'd', 'e'])
      expect((await box.words(`change delete ${id('c')}`)).status).toBe(1)
      expect((await box.words(`change delete ${id('c')} --yes`)).status).toBe(0)
      expect(await titles()).toEqual(['b', 'a', 'd', 'e'])
      const left = await box.json<{ position: number }[]>('change', 'list', 'acme/app', '1.0.0')
      expect(left.map((change) => change.position)).toEqual([1, 2, 3, 4])
    })

    test('a type has the heading that its author gave it, and another type its own', async () => {
      const { id } = await add('f', '--type-label', '🚀 New & shiny')
      const label = async () => {
        const { id: version } = await box.json<{ id: string }>('version', 'show', 'acme/app', '1.0.0')
        return (await box.seenByApi(`${PUBLIC}/versions/${version}`)).data?.changes?.at(-1)?.typeLabel
      }
      expect(await label()).toBe('🚀 New & shiny')
      expect(await box.json('change', 'update', id, '--title', 'g')).toMatchObject({
        typeLabel: '🚀 New & shiny',
      })
      expect(await box.json('change', 'update', id, '--type-label', '')).toMatchObject({ typeLabel: 'Added' })
      await box.json('change', 'update', id, '--type-label', 'New')
      await box.json('change', 'update', id, '--type', 'bug-fixes')
      expect(await label()).toBe('Bug fixes')
      const empty = await box.run(['change', 'update', id, '--type-label', ' '])
      expect(empty.stderr).toContain('The heading of the type must not be empty')
      await box.json('change', 'delete', id, '--yes')
    })

    test('update changes type, title and description', async () => {
      const [first] = await box.json<{ id: string }[]>('change', 'list', 'acme/app', '1.0.0')
      const id = first?.id as string
      const update = ['--type', 'security', '--title', 'B', '--description', 'Why']
      expect(await box.json('change', 'update', id, ...update)).toMatchObject({
        id,
        type: 'security',
        title: 'B',
        description: 'Why',
        position: 1,
      })
      expect(await box.json('change', 'update', id, '--description', '')).toMatchObject({ description: null })
    })
  })

  describe('what is locked', () => {
    const refused = [
      ['version', 'create', 'acme/app', '9', '--title', 'No'],
      ['version', 'update', 'acme/app', '1.0.0', '--title', 'No'],
      ['version', 'publish', 'acme/app', '1.0.0'],
      ['version', 'draft', 'acme/app', '1.0.0'],
      ['version', 'delete', 'acme/app', '1.0.0', '--yes'],
      ['change', 'add', 'acme/app', '1.0.0', '--type', 'added', 'No'],
      ['changelog', 'update', 'acme/app', '--name', 'No'],
    ]
    for (const what of ['product', 'changelog'] as const)
      test(`a locked ${what} keeps its content, and the refusal says how to unlock it`, async () => {
        const [change] = await box.json<{ id: string }[]>('change', 'list', 'acme/app', '1.0.0')
        const before = await box.json('version', 'show', 'acme/app', '1.0.0')
        const id = change?.id as string
        await box.json(what, 'update', 'acme/app', '--status', 'locked')
        const attempts = [
          ...refused,
          ['change', 'update', id, '--title', 'No'],
          ['change', 'move', id, '--position', '2'],
          ['change', 'delete', id, '--yes'],
        ]
        for (const attempt of attempts) {
          const result = await box.run(attempt)
          expect([attempt, result.status, result.stdout]).toEqual([attempt, 1, ''])
          expect(result.stderr).toContain(`changelogd ${what} update acme/app --status draft`)
        }
        expect(await box.json('version', 'show', 'acme/app', '1.0.0')).toEqual(before)
        await box.json(what, 'update', 'acme/app', '--status', 'published')
      })

    test('a product whose changelog is locked is not deleted, nor is its team', async () => {
      await box.json('changelog', 'update', 'acme/app', '--status', 'locked')
      for (const command of ['product delete acme/app --yes', 'team delete acme --yes']) {
        const { status, stderr } = await box.words(command)
        expect([status, stderr]).toEqual([1, expect.stringContaining('locked')])
      }
      await box.json('changelog', 'update', 'acme/app', '--status', 'published')
    })

    test('a locked product keeps its name, and is not deleted, nor is its team', async () => {
      await box.json('product', 'update', 'acme/app', '--status', 'locked')
      for (const attempt of [
        'product update acme/app --name No',
        'product update acme/app --slug no --yes',
        'product delete acme/app --yes',
        'team delete acme --yes',
      ])
        expect(await box.words(attempt)).toMatchObject({ status: 1, stdout: '' })
      await box.json('product', 'update', 'acme/app', '--status', 'published', '--name', 'Unlocked')
      expect((await box.seenByApi(PUBLIC)).data?.product?.name).toBe('Unlocked')
    })
  })

  test('every command says in one line what it did', async () => {
    await using own = new Sandbox(engine)
    for (const [line, said] of [
      ['team create acme', /^Created team acme \(acme\): private, free plan\.$/],
      ['team create t --name T --plan paid', /^Created team t \(T\): private, paid plan\.$/],
      ['team update t --visibility public', /^Updated team t \(T\): public, paid plan\.$/],
      ['product create t/p --name P', /^Created product t\/p \(P\): draft\.$/],
      ['product update t/p --name Q', /^Updated product t\/p \(Q\): draft\.$/],
      ['changelog update t/p --name News', /^Updated the changelog of t\/p \(News\): draft\.$/],
      ['version create t/p 1 --title One', /^Created version 1 of t\/p \(draft, ver_\w+\)\.$/],
      ['version update t/p 1 --title First', /^Updated version 1 of t\/p \(draft, ver_\w+\)\.$/],
      ['version publish t/p 1', /^Published version 1 of t\/p\.$/],
      ['version draft t/p 1', /^Version 1 of t\/p is a draft again and no longer public\.$/],
      ['publish t/p', /^Published product t\/p and its changelog\.$/],
      ['change add t/p 1 --type fixed Bug', /^Added change 1 of t\/p 1: fixed "Bug" \(chg_\w+\)\.$/],
      ['version delete t/p 1 --yes', /^Deleted version 1 of t\/p\.$/],
      ['product delete t/p --yes', /^Deleted product t\/p\.$/],
      ['team delete t --yes', /^Deleted team t\.$/],
    ] as const) {
      const { status, stdout } = await own.words(line)
      expect([line, status]).toEqual([line, 0])
      expect(stdout.trimEnd()).toMatch(said)
    }
  })
})
