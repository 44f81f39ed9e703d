import { closeSync, openSync, writeFileSync, writeSync } from 'node:fs'
import { type Case, type Row, Tally } from '../../support/case.ts'
import { Place, type Result } from '../../support/place.ts'

const MEGABYTE = 1_000_000
const NASTY_SECONDS = 10
const REFUSED = /^changelogd: CHANGELOG\.md: more than [\d,]+ versions\.$/m
const LARGE_MEGABYTES = 20
const TEAMS = 10_000
const APPLY_SECONDS = 5
const EXPORTED = 100_000
const EXPORT_SECONDS = 10

/** What takes a parser of markdown longest, per character. Repeated to fill a megabyte. */
const NASTY: Record<string, string> = {
  'lists in one line': '- ',
  quotes: '> ',
  'lazy quotes': '> a\nb\n\n',
  'nested lists': '- a\n\t- b\n',
  tags: '- <b>x</b>\n',
  emphasis: '*a*\n\n',
  stars: '*_',
  brackets: '[',
  'links that do not end': '[a](',
  definitions: '[x]: y\nz\n\n',
  'definitions in items': '- a\n\n  [x]: y\n',
  tables: '|a|\n|-|\n\n',
  headings: '## *1.0.0*\n',
  code: '- ```\n  a\n',
  'quotes that refer to a definition': '> *a* [x]\n',
  'definitions in items that are escaped': '- a\n\n  b\\\n  [x]: y\n',
}

/** Changelogs that are merely long: how much time and memory they may take, and the text of one version. */
const LARGE: Record<string, { seconds: number; megabytes: number; version: (n: number) => string }> = {
  'versions as generated from commits': {
    seconds: 20,
    megabytes: 400,
    version: (n) => `## [${n}.0.0](https://example.com/compare/v${n}) (2024-01-02)\n\n${commits(n, 5)}`,
  },
  'long versions': {
    seconds: 20,
    megabytes: 400,
    version: (n) => `## [${n}.0.0](https://example.com/compare/v${n}) (2024-01-02)\n\n${commits(n, 100)}`,
  },
  // Many times as many as any product has.
  'tiny versions': {
    seconds: 60,
    megabytes: 700,
    version: (n) =>
      `## [${n}.0.0] - 2024-01-02\n\n### Added\n\n- A change number ${n} with some words about it\n- Another (#${n})\n\n### Fixed\n\n- A bug ${n}\n\n`,
  },
}

function commits(n: number, count: number): string {
  const issue = `([#${n}](https://example.com/issues/${n}))`
  const change = `* **core:** a change of ${n} with some words ${issue} ([abcdef${n}](https://example.com/commit/${n}))\n`
  return ['Features', 'Bug Fixes'].map((section) => `### ${section}\n\n${change.repeat(count)}\n`).join('')
}

export default {
  name: 'large-files',
  how: `Markdown files of ${LARGE_MEGABYTES} MB, and files of 1 MB that a markdown parser finds hard, are imported; ${TEAMS} teams are applied; ${EXPORTED} versions with four sections each are exported. The system says how much processor time and memory each command took.`,
  async run({ of }) {
    return [
      await nasty(Object.entries(NASTY).slice(0, of(Number.POSITIVE_INFINITY, 4))),
      await large(),
      await applied(),
      await exported(of(EXPORTED, EXPORTED / 10)),
    ]
  },
} satisfies Case

const seconds = ({ cpuSeconds }: Result): string => `${cpuSeconds.toFixed(1)} s`

async function nasty(kinds: [string, string][]): Promise<Row> {
  const tally = new Tally(`Any 1 MB of markdown is imported, or refused with a reason, in ${NASTY_SECONDS} s`)
  const figures: string[] = []
  for (const [name, unit] of kinds) {
    await using place = new Place()
    const body = unit.repeat(MEGABYTE / 2 / unit.length)
    writeFileSync(place.at('CHANGELOG.md'), `## 1.1.0\n\n${body}\n\n## 1.0.0\n\n${body}\n`)
    const result = await imported(place)
    figures.push(`${name} ${seconds(result)}`)
    tally.count(
      (result.status === 0 || REFUSED.test(result.stderr)) && result.cpuSeconds < NASTY_SECONDS,
      () => `${name}: ${seconds(result)} ${result.stderr}`,
    )
  }
  return tally.row(figures.join(', '))
}

async function large(): Promise<Row> {
  const tally = new Tally(
    `A changelog of ${LARGE_MEGABYTES} MB is imported in 20 s and 400 MB; one of nothing but tiny versions in 60 s and 700 MB`,
  )
  const figures: string[] = []
  for (const [name, { version, ...most }] of Object.entries(LARGE)) {
    await using place = new Place()
    const file = openSync(place.at('CHANGELOG.md'), 'w')
    let count = Math.floor((LARGE_MEGABYTES * MEGABYTE) / version(10_000).length)
    const figure = `${count} ${name}`
    for (; count > 0; count--) writeSync(file, version(count))
    closeSync(file)
    const result = await imported(place)
    const measured = `${figure} ${seconds(result)}, ${result.megabytes} MB`
    figures.push(measured)
    tally.count(
      result.status === 0 && result.cpuSeconds < most.seconds && result.megabytes < most.megabytes,
      () => `${measured} ${result.stderr}`,
    )
  }
  return tally.row(figures.join('; '))
}

const imported = (place: Place): Promise<Result> =>
  place.run(['import', 'acme/app', 'CHANGELOG.md', '--create'])

async function applied(): Promise<Row> {
  const tally = new Tally(`${TEAMS} teams are applied in ${APPLY_SECONDS} s`)
  await using place = new Place()
  const team = (n: number) => `  team-${n}:\n    name: Team ${n}\n    visibility: public\n`
  writeFileSync(
    place.at('teams.yaml'),
    `teams:\n${Array.from({ length: TEAMS }, (_, n) => team(n)).join('')}`,
  )
  const result = await place.run(['apply', 'teams.yaml', '--yes'])
  tally.count(
    result.status === 0 && result.cpuSeconds < APPLY_SECONDS,
    () => `${seconds(result)} ${result.stderr}`,
  )
  return tally.row(seconds(result))
}

async function exported(versions: number): Promise<Row> {
  const tally = new Tally(
    `${versions} versions with four sections each are exported as markdown in ${EXPORT_SECONDS} s`,
  )
  await using place = new Place()
  await place.must('migrate')
  const types = ['added', 'changed', 'removed', 'fixed']
  place.fill((seed) => {
    const { changelogId } = seed.product(seed.team('acme'), 'app')
    for (let n = 0; n < versions; n++)
      seed.version(changelogId, `1.${n}.0`, { changes: types.map((type) => ({ type, title: `Title ${n}` })) })
  })
  const result = await place.run(['export', 'acme/app'])
  tally.count(
    result.status === 0 && result.cpuSeconds < EXPORT_SECONDS,
    () => `${seconds(result)} ${result.stderr}`,
  )
  return tally.row(`${seconds(result)}, ${result.megabytes} MB`)
}
