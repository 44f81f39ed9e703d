import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { scripts } from '../../../package.json'

const root = join(import.meta.dir, '../../..')

/** The program that a script runs last: what comes before installs and builds. */
const entryPoints = Object.values(scripts).flatMap((script) => script.match(/\S+\.ts(?!.*\.ts)/)?.[0] ?? [])

test('every command of the project is named here', () => {
  const guide = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8')
  const named = [...guide.matchAll(/`bun run (\w+)/g)].map(([, name]) => name)
  const others = ['test', 'start']
  expect(Object.keys(scripts).filter((name) => ![...named, ...others].includes(name))).toEqual([])
})

test('a script that documents name for a fresh checkout installs what it needs', () => {
  const files = ['README.md', ...new Bun.Glob('docs/**/*.md').scanSync(root)]
  const named = files.flatMap((file) => [
    ...readFileSync(join(root, file), 'utf8').matchAll(/bun@[\d.]+ run (\w+)/g),
  ])
  const names = [...new Set(named.map(([, name]) => name as keyof typeof scripts))]
  expect(names.sort()).toEqual(['build', 'start', 'test'])
  for (const name of names) expect(scripts[name]).toMatch(/^(?:echo [^&]+&& )?bun install --frozen-lockfile/)
})

test('everything that a command imports is there', async () => {
  expect(entryPoints.length).toBeGreaterThan(5)
  const entrypoints = entryPoints.map((file) => join(root, file))
  const { success, logs } = await Bun.build({ entrypoints, target: 'bun', packages: 'external' })
  expect({ success, logs }).toEqual({ success: true, logs: [] })
})
