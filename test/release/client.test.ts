import { expect, test } from 'bun:test'
import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { CLIENT_TYPES } from '../../release/npm/client-types.ts'
import { builtClient, installClient } from '../support/documents/client-package.ts'
import { scratch } from '../support/scratch.ts'

const root = join(import.meta.dir, '../..')
const files = await builtClient()
const file = (name: string): string => files.get(name) ?? ''

test('the package of the client has code, types, README and license, and says where they are', () => {
  const manifest = JSON.parse(file('package.json'))
  expect(manifest).toMatchObject({ name: '@changelogd/client', version: '1.2.3', type: 'module' })
  const exported = manifest.exports as Record<string, Record<string, string>>
  const named = Object.values(exported).flatMap((each) => Object.values(each))
  expect([...files.keys()].sort()).toEqual(
    ['LICENSE', 'README.md', 'package.json', 'schemas.d.ts', ...named.map((path) => path.slice(2))].sort(),
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
  expect(file('client.js')).not.toMatch(/^\/\//m)
})

test('the types of the client are those of the API: bun release/npm/client-types.ts', async () => {
  using directory = scratch()
  const { path } = directory
  const { success, stderr } = Bun.spawnSync([process.execPath, 'release/npm/client-types.ts', path], {
    cwd: root,
  })
  expect({ success, stderr: String(stderr) }).toEqual({ success: true, stderr: '' })
  for (const name of CLIENT_TYPES)
    expect(await Bun.file(join(path, name)).text()).toBe(await Bun.file(join(root, 'client', name)).text())
})

/** What the types of the widget take, and what they refuse. */
const TYPED = {
  'react.tsx': `import type {} from '@changelogd/client/widget/react'
    export const right = <changelog-widget className="a" lang="de" src="/a" href="/b" limit="3" align="end" />
    // @ts-expect-error: no such attribute.
    export const wrong = <changelog-widget sources="/a" />`,
  'vue.ts': `import type {} from '@changelogd/client/widget/vue'
    import type { GlobalComponents } from 'vue'
    type Props = InstanceType<GlobalComponents['changelog-widget']>['$props']
    export const right: Props = { class: 'a', lang: 'de', src: '/a', href: '/b', limit: 3, align: 'end' }
    // @ts-expect-error: neither a number nor a text.
    export const wrong: Props = { limit: true }`,
  'plain.ts': `import type { ChangelogWidgetElement } from '@changelogd/client/widget'
    export const element: ChangelogWidgetElement = document.createElement('changelog-widget')
    element.limit = 3
    export const limit: string = element.limit
    // @ts-expect-error: no such value.
    element.align = 'middle'`,
}

test('the types of the widget are right for React, Vue and scripts, and so is the example of the docs', async () => {
  using directory = scratch()
  installClient(directory.path, files)
  for (const name of ['react', '@types', 'vue'])
    symlinkSync(join(root, 'node_modules', name), join(directory.path, 'node_modules', name))
  const page = await Bun.file(join(root, 'docs/guides/embed.md')).text()
  const [, example = ''] = /^```tsx\n(.*?)^```$/ms.exec(page) ?? []
  const options = {
    ...{ strict: true, exactOptionalPropertyTypes: true, noEmit: true, skipLibCheck: true, types: [] },
    ...{ lib: ['ESNext', 'DOM'], module: 'ESNext', jsx: 'react-jsx' },
  }
  const written = { ...TYPED, 'docs.tsx': example }
  for (const [name, text] of Object.entries(written)) await Bun.write(join(directory.path, name), text)
  // What newer compilers no longer know, projects still use.
  for (const [compiler, moduleResolution] of [
    ['typescript', 'Bundler'],
    ['typescript-5', 'node10'],
  ] as const) {
    const compilerOptions = { ...options, moduleResolution }
    await Bun.write(join(directory.path, 'tsconfig.json'), JSON.stringify({ compilerOptions }))
    const tsc = join(root, 'node_modules', compiler, 'bin/tsc')
    const { stdout, exitCode } = Bun.spawnSync([process.execPath, tsc], { cwd: directory.path })
    expect({ compiler, stdout: String(stdout), exitCode }).toEqual({ compiler, stdout: '', exitCode: 0 })
  }
})
