import { expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { TARGETS } from '../../build.ts'
import { scripts, version } from '../../package.json'
import { PACKAGES, RUSH, UPGRADES } from '../../proof/corpus/packages.ts'
import { Checkout } from '../support/checkout.ts'
import { describeNeeding } from '../support/needs.ts'

const root = join(import.meta.dir, '../..')
const guide = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8')

/** What `bun run test` runs itself, and what starts a server. */
const OTHERS = ['test', 'check', 'build', 'start']
/** A hundred times as long as the longest takes on a quiet machine. */
const MOST_MS = 1_000_000

interface Short {
  command: Exclude<keyof typeof scripts, 'test' | 'check' | 'build' | 'start'>
  /** What makes it short. */
  args: readonly string[]
  /** Programs without which it is left out. */
  needs?: readonly string[]
  prepare?(checkout: Checkout): Promise<unknown>
  /** What it prints when it has done its work. */
  says: RegExp
  /** What it writes. */
  writes?(checkout: Checkout): unknown
}

const SHORT: readonly Short[] = [
  { command: 'mutate', args: ['--quick', 'gate'], says: /^All, in [\d.]+ minutes: 1 of 1 killed/m },
  {
    command: 'battery',
    args: ['--quick', '--only', 'signals', '--only', 'random-paths'],
    says: /^\| signals \| [\s\S]*^\| random-paths \| /m,
  },
  {
    command: 'battery:nodes',
    args: ['--quick', '--only', 'shared-limit'],
    needs: ['redis-server'],
    says: /^\| shared-limit \| /m,
  },
  {
    command: 'corpus',
    args: ['--quick', '--cache', 'cache'],
    prepare: ({ path }) => fillCache(join(path, 'cache')),
    says: /^\| \*\*1 upgrades\*\* \| [\s\S]*\| 0\.25 \| /m,
  },
  {
    command: 'bench',
    // A row without the reference on Node, which would be installed and compiled for minutes.
    args: ['--quick', '--only', 'long'],
    needs: ['taskset', 'wrk', 'nginx', 'redis-server', 'node', 'npm'],
    says: /^ {2}the same, 500 versions: changelogd \/ looking +[\d.]+/m,
  },
  {
    command: 'screenshots',
    args: [],
    needs: ['chromium'],
    says: /changelog-light\.webp {2}\d+ KB[\s\S]*changelog-dark\.webp {2}\d+ KB/,
  },
  {
    command: 'generate',
    args: ['add-motto'],
    prepare: ({ path }) => addColumn(join(path, 'src/store/tables/schema.ts')),
    says: /add-motto\.sql/,
    writes: ({ path }) =>
      expect(['sqlite', 'postgres'].map((engine) => lastMigration(join(path, 'drizzle', engine)))).toEqual([
        'ALTER TABLE `team` ADD `motto` text;',
        'ALTER TABLE "team" ADD COLUMN "motto" text COLLATE "C";',
      ]),
  },
  {
    command: 'release',
    args: ['--quick'],
    needs: ['git', 'dpkg-deb', 'rpmbuild'],
    prepare: commitAll,
    says: /^Built changelogd [\d.]+ in dist\/release-quick\.\n.*programs in these files are placeholders/m,
    writes: ({ path }) => {
      const names = readdirSync(join(path, 'dist/release-quick')).sort()
      const sums = readFileSync(join(path, 'dist/release-quick/SHA256SUMS'), 'utf8')
      expect(names).toEqual(releaseFiles(version).sort())
      expect([...sums.matchAll(/ {2}(.+)$/gm)].map(([, name]) => name)).toEqual(
        names.filter((name) => name !== 'SHA256SUMS'),
      )
    },
  },
]

test('every command of the project is named here and has a short form', () => {
  const named = [...guide.matchAll(/`bun run ([\w:]+)/g)].map(([, name]) => name)
  const all = Object.keys(scripts).filter((name) => !OTHERS.includes(name))
  expect(SHORT.map(({ command }) => command as string).sort()).toEqual(all.sort())
  expect(all.filter((name) => !named.includes(name))).toEqual([])
})

for (const { command, args, needs = [], prepare, says, writes } of SHORT) {
  // Debian puts nginx where only root looks.
  const PATH = `${process.env.PATH}:/usr/sbin`
  const missing = needs.filter((name) => Bun.which(name, { PATH }) === null)
  const line = ['bun run', command, ...args].join(' ')
  describeNeeding(missing.join(' and '), missing.length === 0, line, () => {
    test(
      'runs to its end, and leaves nothing elsewhere',
      async () => {
        using checkout = new Checkout()
        await prepare?.(checkout)
        // What comes before installs and builds, as this run has done.
        const last = scripts[command].split(' && ').at(-1) ?? ''
        const { status, output } = await checkout.run([...last.split(' '), ...args])
        expect({ status, output }).toEqual({ status: 0, output: expect.stringMatching(says) })
        writes?.(checkout)
        expect(checkout.leftovers()).toEqual([])
      },
      MOST_MS,
    )
  })
}

const releaseFiles = (version: string): string[] => [
  ...['NOTES.md', 'SHA256SUMS', 'install.sh'],
  ...['.cdx.json', '.tgz', '-1.aarch64.rpm', '-1.x86_64.rpm'].map((end) => `changelogd-${version}${end}`),
  ...['amd64', 'arm64'].map((cpu) => `changelogd_${version}_${cpu}.deb`),
  ...TARGETS.map((target) => `changelogd-${version}-${target}.tar.gz`),
  ...['client', ...TARGETS].map((part) => `changelogd-${part}-${version}.tgz`),
]

/** Files of the project under the names of packages, so that none is downloaded. */
async function fillCache(directory: string): Promise<void> {
  const fixture = (name: string) => Bun.file(join(root, 'test/fixtures', name)).text()
  const keep = (name: string, text: string) => Bun.write(join(directory, name.replace('/', '+')), text)
  const [older = '', newer = ''] = UPGRADES[0] ?? []
  const text = await fixture('keep-a-changelog.md')
  await keep(PACKAGES[0] ?? '', await fixture('release-please.md'))
  await keep(older, text)
  await keep(newer, text)
  const [rush = ''] = RUSH
  const entry = {
    version: '1.0.0',
    tag: `${rush}_v1.0.0`,
    date: 'Mon, 18 Feb 2019 17:13:23 GMT',
    comments: { patch: [{ comment: 'A fix' }] },
  }
  await keep(`${rush}.json`, JSON.stringify({ name: rush, entries: [entry] }))
  await keep(rush, `# Change Log - ${rush}\n\n## 1.0.0\n${entry.date}\n\n### Patches\n\n- A fix\n`)
}

/** Adds a column to the table of teams. */
async function addColumn(schema: string): Promise<void> {
  const text = await Bun.file(schema).text()
  await Bun.write(schema, text.replace('slug: text()', 'motto: text(), slug: text()'))
}

function lastMigration(directory: string): string {
  const name = readdirSync(directory)
    .filter((each) => each.endsWith('.sql'))
    .sort()
    .at(-1)
  return readFileSync(join(directory, name ?? ''), 'utf8').trim()
}

async function commitAll(checkout: Checkout): Promise<void> {
  const identity = ['-c', 'user.name=Test', '-c', 'user.email=test@localhost']
  for (const args of [
    ['init', '--quiet'],
    ['add', '.'],
    [...identity, 'commit', '--quiet', '-m', 'All'],
  ])
    expect(await checkout.run(['git', ...args])).toMatchObject({ status: 0 })
}
