import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { builtClient, installClient } from '../../support/documents/client-package.ts'
import { describeNeeding } from '../../support/needs.ts'
import { Sandbox } from '../../support/sandbox.ts'

const root = join(import.meta.dir, '../../..')
const SHOWN = 'https://changelog.example.com'

const page = await Bun.file(join(root, 'client/README.md')).text()
const blocks = [...page.matchAll(/^```tsx?\n(?:\/\/ (\S+\.tsx?)\n)?([\s\S]*?)^```$/gm)].map(
  ([, name, text = '']) => ({ name, text }),
)
/** Those without a name are one program. */
const program = blocks.flatMap(({ name, text }) => (name === undefined ? [text] : [])).join('\n')
/** What it prints is in its comments. */
const printed = [...program.matchAll(/(?:^|\) )\/\/ (.*)$/gm)].map(([, line]) => `${line}\n`).join('')
const examples = blocks.flatMap(({ name, text }) => (name === undefined ? [] : [{ name, text }]))

/**
 * The least of each framework that its example uses, as installing all four takes minutes. With their own types the examples were
 * checked when they were written: Astro 7.3, Docusaurus 3.10, VitePress 1.6, Next.js 16.4.
 */
const FRAMEWORKS = {
  'node_modules/astro-content/index.ts': `
    interface Collection<Entry> { loader: () => Promise<Entry[]> }
    export const defineCollection = <Entry extends { id: string }>(config: Collection<Entry>) => config`,
  'node_modules/@docusaurus/types/index.ts': `
    interface Loaded<Content> { content: Content; actions: { setGlobalData(data: unknown): void } }
    export interface Plugin<Content> {
      name: string
      loadContent?: () => Promise<Content>
      contentLoaded?: (loaded: Loaded<Content>) => Promise<void>
    }`,
  'node_modules/vitepress/index.ts': `
    interface Loader<Data> { load: (watched: string[]) => Promise<Data> }
    export const defineLoader = <Data>(loader: Loader<Data>) => loader`,
  'jsx.ts': `
    declare global {
      namespace JSX {
        interface Element { type: string; children: unknown[] }
        interface IntrinsicElements { p: { key?: string; children?: unknown } }
      }
      var element: (type: string, attributes: object, ...children: unknown[]) => JSX.Element
    }
    globalThis.element = (type, attributes, ...children) => ({ type, ...attributes, children })`,
}

/** Runs what each framework would run, and prints what it gets. */
const RUN = `
  import './jsx.ts'
  import { collections } from './src/content.config.ts'
  import plugin from './plugins/changelog.ts'
  import loader from './changelog.data.ts'
  import Page, { revalidate } from './app/changelog/page.tsx'
  import type { VersionWithChanges } from '@changelogd/client'

  const print = (name: string, versions: VersionWithChanges[]) =>
    console.log(name, ...versions.map(({ version, changes }) => version + ': ' + changes.length + ' changes'))
  print('Astro', await collections.releases.loader())
  const { name, loadContent, contentLoaded } = plugin()
  const setGlobalData = (data: unknown) => print(name, (data as { versions: VersionWithChanges[] }).versions)
  await contentLoaded?.({ content: await loadContent?.() ?? [], actions: { setGlobalData } })
  print('VitePress', await loader.load([]))
  console.log('Next.js', revalidate, ...(await Page()).map(({ children }) => children.join('')))
`

const TSCONFIG = {
  compilerOptions: {
    target: 'ESNext',
    module: 'ESNext',
    moduleResolution: 'Bundler',
    moduleDetection: 'force',
    lib: ['ESNext', 'DOM'],
    types: ['bun-types'],
    typeRoots: [join(root, 'node_modules')],
    paths: { 'astro:content': ['./node_modules/astro-content/index.ts'] },
    jsx: 'react',
    jsxFactory: 'element',
    strict: true,
    noEmit: true,
    allowImportingTsExtensions: true,
    skipLibCheck: true,
  },
  files: ['program.ts', 'run.ts'],
}

/** A project with the package and the examples, and a server with the changelog that they read. */
const box = new Sandbox()
let token: string
beforeAll(async () => {
  await box.json('team', 'create', 'acme', '--name', 'Acme', '--visibility', 'public', '--plan', 'paid')
  await box.json('product', 'create', 'acme/app', '--name', 'App')
  await box.json('import', 'acme/app', join(root, 'test/fixtures/app.md'))
  await box.json('publish', 'acme/app')
  token = (await box.json<{ token: string }>('key', 'create', 'acme')).token
  const url = await box.serve()
  installClient(box.directory, await builtClient())
  const written = [
    ...examples,
    ...Object.entries(FRAMEWORKS).map(([name, text]) => ({ name, text })),
    { name: 'program.ts', text: program },
    { name: 'program.js', text: new Bun.Transpiler({ loader: 'ts' }).transformSync(program) },
    { name: 'run.ts', text: RUN },
    { name: 'package.json', text: '{"type":"module"}' },
    { name: 'tsconfig.json', text: JSON.stringify(TSCONFIG) },
  ]
  for (const { name, text } of written) await Bun.write(box.at(name), text.replaceAll(SHOWN, url))
})
afterAll(() => box.close())

const run = (...command: string[]) => box.runProgram(command, { CHANGELOGD_KEY: token })

test('the examples type-check against the package', async () => {
  expect(await run(join(root, 'node_modules/.bin/tsc'))).toMatchObject({ status: 0, stdout: '' })
})

test('the examples print what they say', async () => {
  expect(printed.split('\n').length).toBeGreaterThan(5)
  expect(await run(process.execPath, 'program.ts')).toEqual({ status: 0, stdout: printed, stderr: '' })
})

describeNeeding('node', Bun.which('node') !== null, 'under Node', () => {
  test('the examples print the same', async () => {
    expect(await run('node', 'program.js')).toEqual({ status: 0, stdout: printed, stderr: '' })
  })
})

test('the examples for frameworks read the versions, each in ten lines', async () => {
  const changes = '1.1.0: 2 changes 1.0.0: 0 changes'
  expect(await run(process.execPath, 'run.ts')).toEqual({
    status: 0,
    stdout: `Astro ${changes}\nchangelog ${changes}\nVitePress ${changes}\nNext.js 3600 ${changes}\n`,
    stderr: '',
  })
  const linesOf = (text: string) => text.split('\n').filter((line) => line.trim() !== '').length
  expect(examples.map(({ text }) => linesOf(text) <= 10)).toEqual([true, true, true, true])
})
