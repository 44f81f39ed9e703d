import { writeFileSync } from 'node:fs'
import { Random } from '../../../../test/support/random.ts'
import { type Case, type Row, Tally } from '../../support/case.ts'
import { copyDatabase, Place } from '../../support/place.ts'

const VERSIONS = 200
const TEAMS = 100

export default {
  name: 'command-kill',
  how: 'Commands are killed with SIGKILL at random moments between their start and their end. The export of the database afterwards must be that from before, or have everything the command writes.',
  async run({ of }) {
    await using place = new Place()
    const keyId = place.fill((seed) => {
      const team = seed.team('acme')
      const { changelogId } = seed.product(team, 'app')
      seed.version(changelogId, '0.1.0', { changes: [{ type: 'added', title: 'Search' }] })
      seed.product(team, 'lib')
      return seed.key(team).id
    })
    writeFileSync(place.at('CHANGELOG.md'), changelog())
    await place.must('follow', 'acme/lib', place.at('CHANGELOG.md'))
    const before = place.at('before.db')
    await place.must('backup', before)
    await place.must('team', 'update', 'acme', '--name', 'Restored')
    await place.must('backup', place.at('other.db'))
    writeFileSync(place.at('teams.yml'), teams())

    const commands: [string, string[], Check, number?][] = [
      ['import', ['import', 'acme/app', place.at('CHANGELOG.md')], counts('version', 1, 1 + VERSIONS)],
      ['apply', ['apply', place.at('teams.yml')], counts('team', 1, 1 + TEAMS)],
      [
        'restore',
        ['restore', place.at('other.db'), '--yes'],
        either(await place.export(before), await place.export()),
      ],
      ['key rotate', ['key', 'rotate', keyId], oneToken(await place.export(before))],
      ['worker', ['worker', '--once'], counts('version', 1, 1 + VERSIONS), of(100, 4)],
    ]
    const rows: Row[] = []
    for (const [name, args, check, kills = of(30, 4)] of commands)
      rows.push(await killOften(place, before, [name, args, check], kills))
    return rows
  },
} satisfies Case

/** How much of its work a command has done, by the export of the database afterwards. */
type Check = (exported: string) => 'nothing' | 'all' | 'a part'

async function killOften(
  place: Place,
  before: string,
  [name, args, check]: [string, string[], Check],
  kills: number,
): Promise<Row> {
  const random = new Random()
  const tally = new Tally(`\`${name}\` does all or nothing, also when it is killed`)
  place.database = place.at(`${name}.db`)
  copyDatabase(before, place.database)
  const began = performance.now()
  await place.must(...args)
  const lasts = performance.now() - began
  tally.count(check(await place.export()) === 'all', () => 'not everything is there without a kill')
  let completed = 0
  for (let kill = 0; kill < kills; kill++) {
    place.database = place.at(`${name}-${kill}.db`)
    copyDatabase(before, place.database)
    const { status } = await place.run(args, { killAfter: random.next() * lasts * 1.1 })
    if (status === 0) completed++
    const done = place.isWhole() ? check(await place.export()) : 'damage'
    tally.count(
      done === 'all' || (done === 'nothing' && status !== 0),
      () => `status ${status}: ${done} was done`,
    )
  }
  return tally.row(
    `${kills - completed} killed in time, ${completed} had ended; it takes ${lasts.toFixed(0)} ms`,
  )
}

const recordsOf = (exported: string): Record<string, unknown>[] =>
  exported
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))

const counts =
  (kind: string, none: number, all: number): Check =>
  (exported) => {
    const found = recordsOf(exported).filter((record) => typeof record[kind] === 'object').length
    return found === all ? 'all' : found === none ? 'nothing' : 'a part'
  }

const either =
  (before: string, after: string): Check =>
  (exported) =>
    exported === after ? 'all' : exported === before ? 'nothing' : 'a part'

/** Exactly one token, the old or the new one, and nothing else changed. */
function oneToken(before: string): Check {
  const withoutToken = (exported: string) => exported.replace(/"tokens":\[\{[^{}]*\}\]/, '"tokens":[one]')
  return (exported) => {
    if (exported === before) return 'nothing'
    return withoutToken(exported) === withoutToken(before) ? 'all' : 'a part'
  }
}

function changelog(): string {
  const release = (n: number) =>
    `## [1.${n}.0] - 2020-01-01\n\n### Added\n\n- One thing of release ${n}\n- Another thing\n\n### Fixed\n\n- A fault\n`
  return `# Changelog\n\n${Array.from({ length: VERSIONS }, (_, n) => release(n)).join('\n')}`
}

const teams = (): string =>
  `teams:\n${Array.from({ length: TEAMS }, (_, n) => `  team-${n}:\n    name: T\n    products:\n      app: { name: App, status: published }\n`).join('')}`
