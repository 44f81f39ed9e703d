import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { SETTINGS, type Setting } from '../../../src/config/settings.ts'

const page = readFileSync(join(import.meta.dir, '../../../docs/reference/settings.md'), 'utf8')
const settings = Object.values<Setting>(SETTINGS)
/** What is below each heading that is the name of a setting. */
const sections = new Map(
  page
    .split(/^##+ /m)
    .flatMap((text): [string, string][] =>
      text.startsWith('`') ? [[text.slice(1, text.indexOf('`', 1)), text]] : [],
    ),
)

test('the page of settings has an anchor for each, and no other', () => {
  expect([...sections.keys()].sort()).toEqual(settings.map(({ name }) => name).sort())
})

test.each(settings.map((setting) => [setting.name, setting] as const))(
  'the page of settings says of %s its flag, its default and whether it is a secret',
  (name, setting) => {
    const [, defaults = '', flags = ''] = /^Default: ([^·\n]*)(.*)$/m.exec(sections.get(name) ?? '') ?? []
    expect(defaults).toMatch(/\S/)
    expect(flags.includes(`\`--${setting.flag}\``)).toBe(setting.flag !== undefined)
    if (setting.default !== undefined) expect(defaults).toContain(`\`${setting.default}\``)
    expect(/\*\*secret/i.test(sections.get(name) ?? '')).toBe(setting.secret !== undefined)
  },
)
