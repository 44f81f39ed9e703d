import { expect, test } from 'bun:test'
import { ENVIRONMENT_FILE, environmentFile } from '../../release/environment.ts'
import { SETTINGS } from '../../src/config/settings.ts'
import { Sandbox } from '../support/sandbox.ts'
import { listening } from '../support/servers/process.ts'

test('changelogd.env has every setting: to write it again, bun release/environment.ts', async () => {
  expect(await Bun.file(ENVIRONMENT_FILE).text()).toBe(environmentFile())
  for (const { name } of Object.values(SETTINGS))
    expect(environmentFile()).toMatch(new RegExp(`^#?${name}=`, 'm'))
})

test('a server starts with the values that changelogd.env shows', async () => {
  await using box = new Sandbox()
  const shown = [...environmentFile().matchAll(/^#?([A-Z_]+)=(.*)$/gm)].map(([, name, value]) => [
    name,
    value,
  ])
  const settings = { ...Object.fromEntries(shown), DATABASE_URL: box.database, PORT: '0' }
  const url = await listening(box.start(['serve'], settings))
  expect((await fetch(`${url}/readyz`)).status).toBe(200)
})
