import { expect, test } from 'bun:test'
import { createProgram } from '../../../src/cli/program.ts'
import { contextWith } from '../../support/commands/context.ts'
import { prepareCommands } from '../../support/commands/writing-commands.ts'
import { Sandbox } from '../../support/sandbox.ts'

/** Every command, in this order on one database. */
const STORY = `
  team list; team show acme; team create new --name New; team update new --name Renamed
  product list acme; product show acme/app; product create new/app --name App; product update new/app --name Renamed
  changelog show acme/app; changelog update new/app --name Renamed
  version list acme/app; version show acme/app 0.1.0; version create acme/app 9.0.0
  version update acme/app 9.0.0 --title Nine; version publish acme/app 9.0.0; version draft acme/app 9.0.0
  version schedule acme/app 0.2.0 --at 2099-12-01T09:00Z; version unschedule acme/app 0.2.0
  change list acme/app 0.1.0; change add acme/app 0.1.0 Another --type added
  change update acme/app 0.1.0 1 --title Renamed; change move acme/app 0.1.0 1 --position 2
  change delete acme/app 0.1.0 1 --yes; undo --last; version delete acme/app 9.0.0 --yes
  edit acme/app 0.2.0; release acme/app 9.1.0; publish acme/beta; preview acme/app 0.1.0
  picture add acme/app shot.png; picture list acme/app
  picture remove acme/app pictures/6a5e14493e3558e82abffe80b191eabf-1280x720.webp
  key list acme; key show acme/one; key create acme --label new; key disable acme/one; key enable acme/off
  key attach acme/one app; key detach acme/one changelogd; key rotate acme/one; key delete acme/one --yes
  status; get /healthz; config; doctor; demo; migrate; export acme/app
  import acme/app CHANGELOG.md --prune-drafts --yes; import --all everything.jsonl
  follow acme/app CHANGELOG.md; follow list; follow show acme/app; follow pause acme/app; follow resume acme/app
  sync acme/app; worker --once; follow remove acme/app
  hook add acme https://example.org/hook; hook list; hook show acme/example.org; hook disable acme/example.org; hook enable acme/example.org
  hook update acme/example.org --name news; hook rotate acme/news; hook deliveries acme/news; hook remove acme/news --yes
  product delete acme/app --yes; team delete acme --yes; undo --last; apply new.yml --prune --yes`
  .split(/[;\n]/)
  .flatMap((line) => line.trim() || [])

/** Other tests run these: they serve, ask a server or a receiver, are about a file, or for a shell. */
const ELSEWHERE =
  'serve, desk, healthcheck, backup, backup list, backup verify, restore, completion, complete, hook test, hook replay, hook dismiss'

interface Walkable {
  name(): string
  commands: readonly Walkable[]
}

/** The commands that do something, with the names of their groups. */
const commandsOf = (command: Walkable, path: string[] = []): string[] => {
  const inner = command.commands.filter((each) => each.name() !== 'help')
  return inner.length === 0
    ? [path.join(' ')]
    : inner.flatMap((each) => commandsOf(each, [...path, each.name()]))
}

test('every command there is runs on PostgreSQL', async () => {
  await using box = await Sandbox.on('PostgreSQL')
  await prepareCommands(box.directory, (...args) => box.json(...args))
  const env = { PUBLIC_URL: 'https://example.org', EDITOR: box.at('editor.sh') }
  for (const line of STORY) {
    const { status, stderr } = await box.run(line.split(' '), env)
    expect({ line, status, stderr: status === 0 ? '' : stderr }).toEqual({ line, status: 0, stderr: '' })
  }
  const isRun = (command: string) =>
    ELSEWHERE.split(', ').includes(command) || STORY.some((line) => `${line} `.startsWith(`${command} `))
  expect(commandsOf(await createProgram(contextWith())).filter((command) => !isRun(command))).toEqual([])
})

test('the binary reads and writes on PostgreSQL, and eight writers at once lose nothing', async () => {
  await using box = await Sandbox.on('PostgreSQL', { way: 'the binary', isBare: true })
  expect((await box.run(['team', 'list', '--json'])).stdout).toContain('"code": "no_database"')
  await box.demo()
  const added = Array.from({ length: 8 }, (_, at) =>
    box.run(['change', 'add', 'acme/app', '0.2.0', `${at}`, '--type', 'added', '--position', '1']),
  )
  expect((await Promise.all(added)).map(({ status }) => status)).toEqual(added.map(() => 0))
  const list = await box.json<{ position: number }[]>('change', 'list', 'acme/app', '0.2.0')
  expect(list.map(({ position }) => position)).toEqual(list.map((_, at) => at + 1))
  expect(list.length).toBeGreaterThanOrEqual(8)
})
