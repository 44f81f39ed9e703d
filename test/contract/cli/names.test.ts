import { expect, test } from 'bun:test'
import { sandboxForEach } from '../../support/sandbox.ts'

const box = sandboxForEach((fresh) => fresh.demo())

test('no word for deleting or hiding, however mistyped, leads to a command that publishes', async () => {
  for (const word of ['deleet', 'delte', 'destroy', 'erase', 'unpublsh', 'unrelease', 'hide'])
    for (const line of [word, `${word} acme/app`, `version ${word} acme/app 0.1.0`]) {
      const [told] = (await box.words(line)).stderr.split('\n')
      expect(told).not.toMatch(/release\?|publish\?|: changelogd (\w+ )?(release|publish)\b/)
    }
})

test('a command that is suggested for another one works as it is', async () => {
  for (const line of [
    'list acme',
    'version rename acme/app 0.1.0 0.1.1',
    'unpublish acme/app 0.1.1',
    'publish acme/app 0.1.1',
    'delete acme/app --yes',
  ]) {
    const [, told = ''] = /: changelogd (.*)/.exec((await box.words(line)).stderr) ?? []
    expect((await box.words(told)).status).toBe(0)
  }
})

test('status of a team shows its products alone', async () => {
  const { stdout } = await box.words('status hooli')
  expect(stdout).toContain('hooli/phone')
  expect(stdout).not.toContain('acme')
  const { teams } = await box.json<{ teams: { slug: string }[] }>('status', 'acme')
  expect(teams.map(({ slug }) => slug)).toEqual(['acme'])
})

test('latest is the newest published version where one is shown or edited, unless a version has that label', async () => {
  expect(await box.json('version', 'show', 'acme/app', 'latest')).toMatchObject({ version: '0.1.0' })
  expect(await box.json<unknown[]>('change', 'list', 'acme/app', 'latest')).toHaveLength(1)
  expect(await box.json('preview', 'acme/app', 'latest')).toMatchObject({ version: '0.1.0' })
  const editing = { EDITOR: "sed -i 's/^- .*/- Edited/'" }
  const edited = await box.run(['edit', 'acme/app', 'latest'], editing)
  expect(edited.stdout).toContain('Updated version 0.1.0 of acme/app')
  const created = await box.run(['edit', 'acme/new', 'latest', '--create'], editing)
  expect(created.stderr).toContain('No version can be labelled latest')
  box.write(`update version set label = 'latest' where label = '0.2.0'`)
  expect(await box.json('version', 'show', 'acme/app', 'latest')).toMatchObject({ status: 'draft' })
})

test('a change can be added to the unreleased draft before there is one', async () => {
  const { stdout, stderr } = await box.words('change add acme/beta unreleased -t added Search')
  expect(stderr).toBe('')
  expect(stdout).toStartWith(
    'Created the draft Unreleased of acme/beta.\nAdded change 1 of acme/beta Unreleased',
  )
  expect((await box.words('change add acme/beta Unreleased --type added More')).stderr).toBe('')
  expect(await box.json<unknown[]>('change', 'list', 'acme/beta', 'Unreleased')).toHaveLength(2)
})

test('a heading that is no type can be given with --type-label', async () => {
  const type = ['--type', 'new-feature', '--type-label', 'New Feature!']
  expect((await box.run(['change', 'add', 'acme/app', '0.2.0', 'x', ...type])).status).toBe(0)
})
