import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { SETTINGS, type Setting } from '../../../src/config/settings.ts'

const page = readFileSync(join(import.meta.dir, '../../../docs/operating.md'), 'utf8')
const rows = page
  .split('\n')
  .filter((line) => line.startsWith('| `'))
  .map((line) => line.split(' | '))

test.each(Object.values<Setting>(SETTINGS).map((setting) => [setting.name, setting] as const))(
  'the table of settings has %s with its flag and its default',
  (name, setting) => {
    const [names = '', flags = '', defaults = ''] = rows.find(([cell]) => cell?.includes(`\`${name}\``)) ?? []
    const at = names.split(', ').findIndex((each) => each.includes(`\`${name}\``))
    expect(at).not.toBe(-1)
    expect(flags).toContain(setting.flag === undefined ? '' : `\`--${setting.flag}\``)
    const own = defaults.split(', ')[at] ?? defaults
    expect(own).toContain(setting.default === undefined ? '' : `\`${setting.default}\``)
  },
)
