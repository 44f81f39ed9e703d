import { describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { sandboxForEach } from '../../support/sandbox.ts'

describe('a command with the name that something had', () => {
  const box = sandboxForEach(async (fresh) => {
    await fresh.json('team', 'create', 'acme', '--visibility', 'public')
    await fresh.json('product', 'create', 'acme/app', '--name', 'App', '--status', 'published')
    await fresh.json('version', 'create', 'acme/app', '1.0.0', '--status', 'published')
  })

  const must = async (line: string) => expect([line, (await box.words(line)).status]).toEqual([line, 0])
  const refusal = (line: string) => box.refusal(...line.split(' '))
  const changelog = () => {
    writeFileSync(`${box.directory}/CHANGELOG.md`, '# Changelog\n\n## 1.1.0 - 2026-01-02\n\n- More\n')
    return `${box.directory}/CHANGELOG.md`
  }

  test('says what it is called now', async () => {
    await must('product update acme/app --slug console --yes')
    const product = 'There is no product acme/app: it was renamed. The product is now acme/console.'
    for (const line of ['product show acme/app', 'version list acme/app', `import acme/app ${changelog()}`])
      expect(await refusal(line)).toContain(product)
    await must('team update acme --slug acme-inc --yes')
    const team = 'There is no team acme: it was renamed. The team is now acme-inc.'
    for (const line of ['team show acme', 'hook list acme', 'product show acme/other'])
      expect(await refusal(line)).toContain(team)
    expect(await refusal('version list acme/app')).toContain('is now acme-inc/console.')
  })

  test('does not create another one by --create, --all or apply, which would end its redirects', async () => {
    const file = changelog()
    const exported = `${box.directory}/app.jsonl`
    writeFileSync(exported, (await box.words('export acme/app --format json')).stdout)
    const all = `${box.directory}/all.jsonl`
    writeFileSync(all, (await box.words('export --all')).stdout)
    await must('product update acme/app --slug console --yes')
    const before = await box.state()
    expect(await refusal(`import --all ${all}`)).toContain('The product is now acme/console.')
    for (const line of [`import acme/app ${file} --create --publish`, `import acme/app ${exported} --create`])
      expect(await refusal(line)).toContain('The product is now acme/console.')
    expect(await box.state()).toEqual(before)
    await must('team update acme --slug acme-inc --yes')
    expect(await refusal(`import acme/new ${file} --create`)).toContain('The team is now acme-inc.')
    expect(await refusal(`import --all ${all}`)).toContain('The team is now acme-inc.')
    const state = `${box.directory}/state.json`
    writeFileSync(state, JSON.stringify({ teams: { acme: { name: 'Acme' } } }))
    expect((await box.run(['apply', state])).stderr).toContain('The team is now acme-inc.')
    writeFileSync(state, JSON.stringify({ teams: { 'acme-inc': { products: { app: { name: 'App' } } } } }))
    await must(`apply ${state}`)
    expect((await box.response('/changelog/acme/app/1.0.0')).status).toBe(308)
    // Who asks for exactly that gets it.
    await must('team create acme')
    await must(`import acme/app ${file} --create`)
  })

  test('that is no slug is refused before it says what the rename does', async () => {
    for (const line of ['product update acme/app --slug My_App', 'team update acme --slug My_Team']) {
      const { status, stderr } = await box.words(line)
      expect(status).toBe(1)
      expect(stderr).not.toContain('This renames')
    }
  })
})
