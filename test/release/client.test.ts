import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { CLIENT_TYPES } from '../../release/npm/client-types.ts'
import { builtClient } from '../support/documents/client-package.ts'
import { scratch } from '../support/scratch.ts'

const root = join(import.meta.dir, '../..')
const files = await builtClient()
const file = (name: string): string => files.get(name) ?? ''

test('the package of the client has code, types, README and license, and says where they are', () => {
  const manifest = JSON.parse(file('package.json'))
  expect(manifest).toMatchObject({ name: '@changelogd/client', version: '1.2.3', type: 'module' })
  const { types, default: code } = manifest.exports['.']
  expect([...files.keys()].sort()).toEqual(
    ['LICENSE', 'README.md', 'package.json', 'schemas.d.ts', types.slice(2), code.slice(2)].sort(),
  )
  const dependent = Object.keys(manifest).filter((name) => /dependencies|scripts/i.test(name))
  expect(dependent).toEqual([])
})

test('the client has at most 3 KB compressed', () => {
  expect(Bun.gzipSync(file('client.js')).length).toBeLessThanOrEqual(3_072)
})

test('the client imports nothing, and uses nothing that only Node or Bun have', () => {
  const { imports } = new Bun.Transpiler({ loader: 'js' }).scan(file('client.js'))
  expect(imports).toEqual([])
  expect(file('client.js')).not.toMatch(/\b(require|process|Buffer|Bun|Deno|window)\b/)
})

test('the types of the client are those of the API: bun release/npm/client-types.ts', async () => {
  using directory = scratch()
  const path = join(directory.path, 'schemas.d.ts')
  const { success, stderr } = Bun.spawnSync([process.execPath, 'release/npm/client-types.ts', path], {
    cwd: root,
  })
  expect({ success, stderr: String(stderr) }).toEqual({ success: true, stderr: '' })
  expect(await Bun.file(path).text()).toBe(await Bun.file(join(root, CLIENT_TYPES)).text())
})
