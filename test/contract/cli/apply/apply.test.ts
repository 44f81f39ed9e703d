import { describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sandboxForEach } from '../../../support/sandbox.ts'
import { ENGINES } from '../../../support/servers/server.ts'

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
describe.each(ENGINES)('apply on %s', (engine) => {
  const box = sandboxForEach(undefined, engine, { isBare: true })

  const write = (text: string): string => {
    const path = join(box.directory, 'file.yml')
    writeFileSync(path, text)
    return path
  }
  const apply = (text: string, ...options: string[]) => box.json<Applied>('apply', write(text), ...options)
  const stepsOf = ({ steps }: Applied) => steps.map((step) => `${step.action} ${step.record} ${step.name}`)

  test('renaming a product renames the changelog too, unless its name was given, and the step says which', async () => {
    await apply(FILE)
    const renamed = FILE.replace('name: App', 'name: The App')
    expect((await apply(renamed)).steps).toEqual([
      {
        action: 'update',
        record: 'product',
        name: 'acme/app',
        changes: { name: { from: 'App', to: 'The App' } },
        note: 'Its changelog is called "The App changelog" now.',
      },
    ])
    expect(await box.json('changelog', 'show', 'acme/app')).toMatchObject({ name: 'The App changelog' })
    const given = FILE.replace('name: App', 'name: Again, changelog: { name: The App changelog }')
    const { steps } = await apply(given)
    expect(steps).toHaveLength(1)
    expect(steps[0]).not.toHaveProperty('note')
    expect(await box.json('changelog', 'show', 'acme/app')).toMatchObject({ name: 'The App changelog' })
    expect((await apply(given)).steps).toEqual([])
    expect((await box.run(['apply', write(FILE)])).stdout).toContain(
      `name Again → App (Its changelog is still called "The App changelog". To rename it: `,
    )
  })

  test('everything is created as the file says, and running it again changes nothing', async () => {
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
    const token = made.steps.find((step) => step.name === 'acme/ci')?.token
    expect((await box.seenByApi('/teams/acme/products/old/changelog', token)).status).toBe(200)
    expect(await apply(FILE)).toEqual({ dryRun: false, steps: [] })
    expect((await box.run(['apply', write(FILE)])).stdout).toBe(
      'Nothing to change: the database matches the file.\n',
    )
  })

  test('a dry run shows the difference and keeps nothing of it', async () => {
    const planned = await apply(FILE, '--dry-run')
    expect(planned.dryRun).toBe(true)
    expect(planned.steps.every((step) => step.token === undefined)).toBe(true)
    expect(await box.isMissing()).toBe(true)
    await apply(FILE)
    const edited = FILE.replace('visibility: public', 'visibility: private').replace('[app]', '[app, old]')
    const { stdout } = await box.run(['apply', write(edited), '--dry-run'])
    expect(stdout).toContain('~  team  acme       visibility public → private')
    expect(stdout).toContain('~  key   acme/docs  products app → app old')
    expect(stepsOf(await apply(edited))).toEqual(['update team acme', 'update key acme/docs'])
    expect(stepsOf(await apply(FILE))).toEqual(['update team acme', 'update key acme/docs'])
  })

  test('what the file does not name stays, and is deleted with --prune once that is confirmed', async () => {
    await apply(FILE)
    await box.json('team', 'create', 'extra', '--name', 'Extra')
    await box.json('product', 'create', 'acme/more', '--name', 'More')
    await box.json('product', 'create', 'quiet/one', '--name', 'One')
    await box.json('key', 'create', 'acme', '--label', 'hand made')
    expect(stepsOf(await apply(FILE))).toEqual([])
    const asked = await box.run(['apply', write(FILE), '--prune'])
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
  })

  test('all problems of a file are listed at once, and nothing of it is applied', async () => {
    const path = write(`
teams:
  acme: { name: 5, visibility: secret, owner: me, products: { App: {}, web: { status: gone } } }
  ok: { name: Fine, keys: { ci: { kind: HALF, products: app, expires: soon } } }
`)
    const result = await box.run(['apply', path])
    expect(result).toMatchObject({ status: 1, stdout: '' })
    for (const place of [
      'teams.acme.name',
      'teams.acme.visibility is wrong: it must be one of public, private',
      'teams.acme.owner is unknown',
      'teams.acme.products.App',
      'teams.acme.products.web.status',
      'teams.ok.keys.ci.kind',
      'teams.ok.keys.ci.products',
      'teams.ok.keys.ci.expires',
    ])
      expect(result.stderr).toContain(place)
    expect(await box.isMissing()).toBe(true)
  })

  test('a team that is written twice is refused, and deletes nothing', async () => {
    await apply(FILE)
    const path = write(`${FILE}  acme:\n    products:\n      app:\n`)
    const { status, stderr } = await box.run(['apply', path, '--prune', '--yes'])
    expect([status, stderr]).toEqual([1, expect.stringContaining(`${path}:15:3: teams.acme is repeated`)])
    expect(stepsOf(await apply(FILE, '--prune', '--yes'))).toEqual([])
  })

  test('everything that the database refuses is listed at once, with its place in the file', async () => {
    const path = write(`
teams:
  free: { name: Free, products: { web: {} }, keys: { ci: {} } }
  paid:
    name: Paid
    plan: paid
    products: { app: { name: App } }
    keys: { docs: { products: [ap] } }
  nameless: { products: { app: { name: App } } }
`)
    const { status, stderr } = await box.run(['apply', path])
    expect(status).toBe(1)
    for (const problem of [
      ':3:35: The product web does not exist yet, so the file must give its name.',
      ':3:54: Team free is on the free plan',
      ':8:13: There is no product paid/ap. Did you mean paid/app?',
      ':9:3: The team nameless does not exist yet, so the file must give its name.',
    ])
      expect(stderr).toContain(`${path}${problem}`)
    expect(await box.json<unknown[]>('team', 'list')).toEqual([])
  })

  test('a rule that is broken in the middle rolls everything back', async () => {
    for (const [text, why] of [
      [FILE.replace('plan: paid', 'plan: free'), 'paid plan'],
      [FILE.replace('[app]', '[nothing]'), 'no product acme/nothing'],
      [FILE.replace('name: Quiet', 'plan: paid'), 'must give its name'],
      ['teams: [', 'not YAML'],
      ['- acme', 'the file is wrong'],
    ] as const) {
      const result = await box.run(['apply', write(text)])
      expect(result).toMatchObject({ status: 1, stdout: '' })
      expect(result.stderr).toContain(why)
      expect(await box.json<unknown[]>('team', 'list')).toEqual([])
    }
  })

  test('a file that says nothing deletes nothing, whatever is pruned', async () => {
    await apply(FILE)
    for (const text of ['', '# teams:\n', 'teams:\n']) {
      const { status, stderr } = await box.run(['apply', write(text), '--prune', '--yes'])
      expect([status, stderr]).toEqual([1, expect.stringContaining('teams is missing')])
    }
    const kept = await apply('teams:\n  acme:\n    products:\n  quiet:\n', '--prune', '--yes')
    expect(stepsOf(kept)).toEqual([])
    expect(await box.json<unknown[]>('product', 'list', 'acme')).toHaveLength(2)
  })
})
