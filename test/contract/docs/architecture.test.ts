import { describe, expect, test } from 'bun:test'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import manifest from '../../../package.json'

const root = join(import.meta.dir, '../../..')
const read = (path: string): string => readFileSync(join(root, path), 'utf8')
const page = read('docs/architecture.md')

/** What a text has in backticks, outside of blocks of code. */
const quoted = (text: string): string[] =>
  [...text.replace(/^```[\s\S]*?^```$/gm, '').matchAll(/`([^`\n]+)`/g)].map(([, part = '']) => part)

/** A file by its ending, or a directory by its slash; the page's paths may leave out `src/`. */
const isPath = (text: string): boolean => /^[\w.-][\w./-]*(\/|\.(ts|json|md|sql|sh|css))$/.test(text)
const exists = (path: string): boolean => existsSync(join(root, path)) || existsSync(join(root, 'src', path))

describe.each(['docs/architecture.md', 'CONTRIBUTING.md'])('%s', (name) => {
  test('names only files and directories that exist', () => {
    const paths = quoted(read(name)).filter(isPath)
    expect(paths.length).toBeGreaterThan(2)
    expect(paths.filter((path) => !exists(path))).toEqual([])
  })
})

test('the architecture page has a line for every room', () => {
  const directories = (path: string): string[] =>
    readdirSync(join(root, path), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => `${path}/${name}`)
  const top = directories('src')
  const rooms = [...top, ...top.flatMap(directories)].map((path) => `${path.slice('src/'.length)}/`)
  const table = quoted(page.slice(page.indexOf('\n## Directories'), page.indexOf('\n## Six ideas')))
  expect(rooms.filter((room) => !table.includes(room))).toEqual([])
})

/** Lower rooms know nothing of higher ones, and those of one level nothing of each other. */
const LEVELS = [
  ...[
    ['domain'],
    ['log', 'files', 'outgoing', 'words'],
    ['config'],
    ['formats', 'store'],
    ['notes', 'transfer'],
  ],
  ...[['acts'], ['sources', 'announce', 'backups'], ['worker'], ['cli', 'http'], ['desk'], ['run']],
]
const levelOf = (room: string): number => LEVELS.findIndex((rooms) => rooms.includes(room))

test('imports run one way, from the command line and the server down to the domain', () => {
  const src = join(root, 'src')
  const wrong = readdirSync(src, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && levelOf(path.split(sep)[0] ?? '') !== -1)
    .flatMap((path) => {
      const [room = ''] = path.split(sep)
      const imports = read(join('src', path)).matchAll(/(?:from|import\(|require\() ?'(\.[^']+)'/g)
      return [...imports]
        .map(([, target = '']) => relative(src, join(src, path, '..', target)))
        .filter((target) => {
          const [other = ''] = target.split(sep)
          return other !== room && levelOf(other) >= levelOf(room)
        })
        .map((target) => `${path} imports ${target}`)
    })
  expect(wrong).toEqual([])
})

test('the page gives a reason for every dependency, and for nothing else', () => {
  const named = quoted(page.slice(page.indexOf('\n## Dependencies')).replace(/^(\|[^|]*\|).*$/gm, '$1'))
  const all = Object.keys({ ...manifest.dependencies, ...manifest.devDependencies })
  expect(named.toSorted()).toEqual(all.toSorted())
})
