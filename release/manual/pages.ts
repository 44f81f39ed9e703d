import type { CommandUnknownOpts } from '@commander-js/extra-typings'
import { createProgram } from '../../src/cli/program.ts'
import { sentence } from '../../src/cli/terminal/text.ts'
import { argumentItems, commonOptions, details, examples, ownOptions, shown, synopsis } from './command.ts'
import { emptyContext } from './context.ts'
import { EXIT_STATUSES, FILES, OTHER_VARIABLES, settings } from './facts.ts'
import { bold, italic, item, page, paragraph, section, subsection, syntax } from './roff.ts'

/** What each page has in its title line: a date as 2026-01-02, and the version of the program. */
export interface Edition {
  readonly date: string
  readonly version: string
}

/** The manual: changelogd.1, and a page for each command, such as changelogd-import.1, by the names of their files. */
export async function manualPages(edition: Edition): Promise<Map<string, string>> {
  const program: CommandUnknownOpts = await createProgram(emptyContext(edition.version))
  const pages: [name: string, parts: string[]][] = [
    ['changelogd', programPage(program)],
    ...shown(program).map((command): [string, string[]] => [pageName(command), commandPage(command)]),
  ]
  return new Map(
    pages.map(([name, parts]) => [
      `${name}.1`,
      page(name, edition.date, `changelogd ${edition.version}`, parts),
    ]),
  )
}

const pageName = (command: CommandUnknownOpts): string => `changelogd-${command.name()}`

const reference = (name: string): string => `${bold(name)}(1)`

const DESCRIPTION =
  'changelogd stores the changelogs of products in a database, which is an SQLite file or on PostgreSQL, and serves them over HTTP as JSON, web pages and feeds. The server only reads. The other commands make all changes, also while it runs, and the next request shows them. Each has a manual page; changelogd help shows the same in short.'

const PRECEDENCE =
  'An option takes precedence over its variable. A variable takes precedence over the line of that name in the file that --config or CHANGELOGD_CONFIG names. That file has lines NAME=value, comments that begin with #, and no quotes. An empty value counts as not set.'

function programPage(program: CommandUnknownOpts): string[] {
  const groups = Map.groupBy(shown(program), (command) => command.helpGroup())
  return [
    ...name('changelogd', program.description()),
    section('Synopsis'),
    `${bold('changelogd')} ${italic('command')} [${italic('options')}] [${italic('arguments')}]`,
    section('Description'),
    paragraph(DESCRIPTION),
    section('Commands'),
    ...[...groups].flatMap(([group, commands]) => [
      subsection(group.replace(/:$/, '') || 'Other'),
      ...commands.map((command) => item(reference(pageName(command)), sentence(command.description()))),
    ]),
    section('Options'),
    ...ownOptions(program),
    section('Environment'),
    paragraph(PRECEDENCE),
    ...settings().map(variable),
    subsection('Other variables'),
    ...OTHER_VARIABLES.map(variable),
    ...exitStatuses(),
    section('Files'),
    ...FILES.map(([path, meaning]) => item(italic(path), meaning)),
    ...examples(program, section('Examples')),
  ]
}

const exitStatuses = (): string[] => [
  section('Exit status'),
  ...EXIT_STATUSES.map(([status, meaning]) => item(bold(status), meaning)),
]

const variable = ([names, meaning]: readonly [string, string]): string => item(syntax(names), meaning)

function commandPage(command: CommandUnknownOpts): string[] {
  const below = shown(command)
  // A group may be a command too, as `follow` is.
  const isCalled = below.length === 0 || command.registeredArguments.length > 0
  const all = isCalled ? [command, ...below] : below
  const common = commonOptions(all)
  return [
    ...name(pageName(command), command.description()),
    section('Synopsis'),
    ...all.flatMap(synopsis),
    section('Description'),
    paragraph(sentence(command.description())),
    ...(isCalled
      ? [...argumentItems(command), ...details(command), section('Options'), ...ownOptions(command)]
      : []),
    ...(below.length > 0
      ? [section('Commands'), ...below.flatMap(subcommand), section('Common options')]
      : []),
    ...common,
    ...exitStatuses(),
    ...(isCalled ? examples(command, section('Examples')) : []),
    section('See also'),
    `${reference('changelogd')}, which has the settings in its section ENVIRONMENT`,
  ]
}

/** A command of a group, on the group's page. */
const subcommand = (command: CommandUnknownOpts): string[] => [
  subsection(`changelogd ${command.parent?.name()} ${command.name()}`),
  paragraph(sentence(command.description())),
  ...argumentItems(command),
  ...ownOptions(command),
  ...details(command),
  ...examples(command, paragraph('Examples:')),
]

const name = (page: string, description: string): string[] => [
  section('Name'),
  paragraph(`${page} - ${description.charAt(0).toLowerCase()}${description.slice(1).replace(/\.$/, '')}`),
]
