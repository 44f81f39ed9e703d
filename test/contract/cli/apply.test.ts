import { describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { Sandbox } from '../../support/sandbox.ts'
import { ENGINES, type Engine } from '../../support/servers/server.ts'

interface Applied {
  dryRun: boolean
  steps: {
    action: string
    record: string
    name: string
    changes: Record<string, unknown>
    token?: string
    note?: string
  }[]
}

const FILE = `
teams:
  acme:
    name: Acme
    visibility: public
    plan: paid
    products:
      app: { name: App, status: published }
      old: { name: Old, status: locked, changelog: { name: What was, status: draft } }
    keys:
      ci: { kind: FULL }
      docs: { products: [app], expires: 2099-01-01 }
  quiet:
    name: Quiet
`

/** Where a file is applied to a database that does not exist yet. */
async function applying(engine: Engine = 'SQLite') {
  const box = await Sandbox.on(engine, { isBare: true })
  const write = (text: string): string => {
    writeFileSync(box.at('file.yml'), text)
    return box.at('file.yml')
  }
  return {
    box,
    run: (text: string, ...options: string[]) => box.run(['apply', write(text), ...options]),
    apply: (text: string, ...options: string[]) => box.json<Applied>('apply', write(text), ...options),
    [Symbol.asyncDispose]: () => box.close(),
  }
}
const stepsOf = ({ steps }: Applied) => steps.map((step) => `${step.action} ${step.record} ${step.name}`)

describe('apply', () => {
  test.each(ENGINES)(
    'creates everything as the file says, again changes nothing, and a dry run keeps nothing, on %s',
    async (engine) => {
      await using at = await applying(engine)
      const { box, run, apply } = at
      const planned = await apply(FILE, '--dry-run')
      expect(planned.dryRun).toBe(true)
      expect(planned.steps.every((step) => step.token === undefined)).toBe(true)
      expect(await box.isMissing()).toBe(true)
      const made = await apply(FILE)
      expect(stepsOf(made)).toEqual([
        'create team acme',
        'create product acme/app',
        'create product acme/old',
        'create key acme/ci',
        'create key acme/docs',
        'create team quiet',
      ])
      expect(await box.json('product', 'show', 'acme/app')).toMatchObject({
        status: 'published',
        changelog: { status: 'published' },
      })
      expect(await box.json('product', 'show', 'acme/old')).toMatchObject({
        status: 'locked',
        changelog: { name: 'What was', status: 'draft' },
      })
      const [ci, docs] = await box.json<Record<string, unknown>[]>('key', 'list', 'acme')
      expect(ci).toMatchObject({ label: 'ci', kind: 'FULL' })
      expect(docs).toMatchObject({ kind: 'SELECT', products: ['app'], expiresAt: '2099-01-01T00:00:00.000Z' })
      const token = made.steps.find((step) => step.name === 'acme/ci')?.token ?? ''
      const got = await box.run(['get', '/api/v1/teams/acme/products/old/changelog'], {
        CHANGELOGD_KEY: token,
      })
      expect(got.status).toBe(0)
      expect(await apply(FILE)).toEqual({ dryRun: false, steps: [] })
      expect((await run(FILE)).stdout).toBe('Nothing to change: the database matches the file.\n')

      const edited = FILE.replace('visibility: public', 'visibility: private').replace('[app]', '[app, old]')
      const { stdout } = await run(edited, '--dry-run')
      expect(stdout).toContain('~  team  acme       visibility public → private')
      expect(stdout).toContain('~  key   acme/docs  products app → app old')
      expect(stepsOf(await apply(edited))).toEqual(['update team acme', 'update key acme/docs'])
      expect(stepsOf(await apply(FILE))).toEqual(['update team acme', 'update key acme/docs'])
    },
  )

  test('that renames a product renames its changelog too, unless its name was given, and says which', async () => {
    await using at = await applying()
    const { box, run, apply } = at
    await apply(FILE)
    expect((await apply(FILE.replace('name: App', 'name: The App'))).steps).toEqual([
      {
        action: 'update',
        record: 'product',
        name: 'acme/app',
        changes: { name: { from: 'App', to: 'The App' } },
        note: 'Its changelog is called "The App changelog" now.',
      },
    ])
    const given = FILE.replace('name: App', 'name: Again, changelog: { name: The App changelog }')
    const { steps } = await apply(given)
    expect(steps).toHaveLength(1)
    expect(steps[0]).not.toHaveProperty('note')
    expect(await box.json('changelog', 'show', 'acme/app')).toMatchObject({ name: 'The App changelog' })
    expect((await apply(given)).steps).toEqual([])
    expect((await run(FILE)).stdout).toContain(
      `name Again → App (Its changelog is still called "The App changelog". To rename it: `,
    )
  })

  test('leaves what the file does not name, and deletes it with --prune once that is confirmed', async () => {
    await using at = await applying()
    const { box, run, apply } = at
    await apply(FILE)
    await box.json('team', 'create', 'extra', '--name', 'Extra')
    await box.json('product', 'create', 'acme/more', '--name', 'More')
    await box.json('product', 'create', 'quiet/one', '--name', 'One')
    await box.json('key', 'create', 'acme', '--label', 'hand made')
    expect(stepsOf(await apply(FILE))).toEqual([])
    const asked = await run(FILE, '--prune')
    expect(asked.status).toBe(1)
    for (const line of [
      'This deletes key acme/hand made.',
      'This deletes product acme/more, which is empty.',
      'This deletes team extra, which is empty.',
    ])
      expect(asked.stderr.split('\n')).toContain(line)
    expect(stepsOf(await apply(FILE, '--prune', '--yes'))).toEqual([
      'delete key acme/hand made',
      'delete product acme/more',
      'delete team extra',
    ])
    // The file has no products section for this team, and so nothing to say about them.
    expect((await box.words('product show quiet/one')).status).toBe(0)
    for (const text of ['', '# teams:\n', 'teams:\n']) {
      const { status, stderr } = await run(text, '--prune', '--yes')
      expect([status, stderr]).toEqual([1, expect.stringContaining('teams is missing')])
    }
    expect(stepsOf(await apply('teams:\n  acme:\n    products:\n  quiet:\n', '--prune', '--yes'))).toEqual([])
    expect(await box.json<unknown[]>('product', 'list', 'acme')).toHaveLength(2)
  })

  test('lists all problems of a file at once, with their places, and creates no database', async () => {
    await using at = await applying()
    const result = await at.run(`
teams:
  acme: { name: 5, visibility: secret, owner: me, products: { App: {} } }
`)
    expect(result).toMatchObject({ status: 1, stdout: '' })
    for (const problem of [
      ':3:17: teams.acme.name is wrong',
      ':3:32: teams.acme.visibility is wrong: it must be one of public, private',
      ':3:40: teams.acme.owner is unknown',
      ':3:63: teams.acme.products.App is named wrongly',
    ])
      expect(result.stderr).toContain(at.box.at('file.yml') + problem)
    expect(await at.box.isMissing()).toBe(true)
  })

  test.each(ENGINES)(
    'lists everything that the database refuses at once, and keeps nothing, on %s',
    async (engine) => {
      await using at = await applying(engine)
      const { status, stderr } = await at.run(`
teams:
  free: { name: Free, products: { web: {} }, keys: { ci: {} } }
  paid:
    name: Paid
    plan: paid
    products: { app: { name: App } }
    keys: { docs: { products: [ap] } }
  nameless: { products: { app: { name: App } } }
`)
      expect(status).toBe(1)
      for (const problem of [
        ':3:35: The product web does not exist yet, so the file must give its name.',
        ':3:54: Team free is on the free plan',
        ':8:13: There is no product paid/ap. Did you mean paid/app?',
        ':9:3: The team nameless does not exist yet, so the file must give its name.',
      ])
        expect(stderr).toContain(at.box.at('file.yml') + problem)
      expect(await at.box.json<unknown[]>('team', 'list')).toEqual([])
    },
  )
})
