import { CommanderError, type CommandUnknownOpts } from '@commander-js/extra-typings'
import { commit, isBinary, platform } from '../build-info.ts'
import { jsonText } from '../domain/text/controls.ts'
import { addHelpCommand, commandGroup } from './command.ts'
import { completing, configFileOf, type GivenOptions } from './config-file.ts'
import type { Context, Surroundings } from './context.ts'
import { calledCommand, errorJson, errorMessages, wantsJson } from './errors.ts'
import { checkCommand } from './help/help.ts'
import { say } from './terminal/text.ts'

/** The whole command line on one screen. Only the command that runs is loaded. */
const COMMANDS = {
  'Content:': {
    team: async () => (await import('./commands/team.ts')).teamCommand,
    product: async () => (await import('./commands/product.ts')).productCommand,
    changelog: async () => (await import('./commands/changelog.ts')).changelogCommand,
    version: async () => (await import('./commands/version/version.ts')).versionCommand,
    change: async () => (await import('./commands/change/change.ts')).changeCommand,
    picture: async () => (await import('./commands/picture.ts')).pictureCommand,
    desk: async () => (await import('./commands/operations/desk.ts')).deskCommand,
    edit: async () => (await import('./commands/edit/edit.ts')).editCommand,
    key: async () => (await import('./commands/key/key.ts')).keyCommand,
    hook: async () => (await import('./commands/hook/hook.ts')).hookCommand,
    apply: async () => (await import('./commands/apply/apply.ts')).applyCommand,
    import: async () => (await import('./commands/import/import.ts')).importCommand,
    export: async () => (await import('./commands/export.ts')).exportCommand,
    follow: async () => (await import('./commands/follow/follow.ts')).followCommand,
    sync: async () => (await import('./commands/follow/sync.ts')).syncCommand,
    undo: async () => (await import('./commands/undo/undo.ts')).undoCommand,
  },
  'Publishing:': {
    release: async () => (await import('./commands/release.ts')).releaseCommand,
    publish: async () => (await import('./commands/publish.ts')).publishCommand,
    preview: async () => (await import('./commands/preview/preview.ts')).previewCommand,
    status: async () => (await import('./commands/status.ts')).statusCommand,
    get: async () => (await import('./commands/get.ts')).getCommand,
  },
  'Operations:': {
    serve: async () => (await import('./commands/operations/server-commands.ts')).serveCommand,
    worker: async () => (await import('./commands/operations/server-commands.ts')).workerCommand,
    demo: async () => (await import('./commands/operations/demo.ts')).demoCommand,
    migrate: async () => (await import('./commands/operations/migrate.ts')).migrateCommand,
    backup: async () => (await import('./commands/backup/backup.ts')).backupCommand,
    restore: async () => (await import('./commands/backup/restore.ts')).restoreCommand,
    config: async () => (await import('./commands/operations/config.ts')).configCommand,
    doctor: async () => (await import('./commands/doctor/doctor.ts')).doctorCommand,
    healthcheck: async () => (await import('./commands/operations/healthcheck.ts')).healthcheckCommand,
  },
}

const VERSION_FLAGS = ['-V', '--version']

/** The program with the command that `args` begin with, without any for `--version`, else with all of them. */
export async function createProgram(context: Context, args: readonly string[] = []) {
  const program = commandGroup(
    context,
    'changelogd',
    'Stores product changelogs and serves them over HTTP.',
    ['changelogd demo && changelogd serve', 'changelogd status', 'changelogd help version create'],
  )
  // `follow` takes options itself, which must not take those of its commands.
  program.enablePositionalOptions()
  // Only then it is worth loading the schema's migrations.
  const isVersion = args.some((arg) => VERSION_FLAGS.includes(arg))
  const version = isVersion ? await buildText(context.version) : context.version
  program.version(version, VERSION_FLAGS.join(', '), 'show version, commit, schema and platform')

  const [first = ''] = args
  const isAsked =
    VERSION_FLAGS.includes(first) || Object.values(COMMANDS).some((group) => Object.hasOwn(group, first))
  for (const [title, group] of Object.entries(COMMANDS)) {
    program.commandsGroup(title)
    for (const [name, load] of Object.entries(group))
      if (!isAsked || name === first) {
        const loaded: CommandUnknownOpts = addHelpCommand(context, (await load())(context))
        program.addCommand(loaded.hook('preSubcommand', refuseEarlyOptions))
      }
  }
  addHelpCommand(context, program)
  if (!isAsked) (await import('./completion/completion.ts')).addCompletion(context, program)
  return program
}

/** Refuses options before the name of a command below this one, which would not get them. */
function refuseEarlyOptions(group: CommandUnknownOpts, called: CommandUnknownOpts): void {
  const early = group.options.find((each) => group.getOptionValueSource(each.attributeName()) === 'cli')
  if (early) group.error(`error: ${early.long} must come after ${called.name()}.`)
}

/** The output of `--version`. The first line is the version alone, so that a script can read it. */
async function buildText(version: string): Promise<string> {
  const { SCHEMA_VERSION: sqlite } = await import('../store/sqlite/migrations.ts')
  const { SCHEMA_VERSION: postgres } = await import('../store/postgres/migrations.ts')
  const unknown = `unknown, ${isBinary ? 'not built from a clean checkout' : 'runs from source'}`
  const schema = `${sqlite} (SQLite), ${postgres} (PostgreSQL)`
  return `${version}\ncommit: ${commit ?? unknown}\nschema: ${schema}\nplatform: ${platform}`
}

/**
 * Runs one command line and returns its exit status: 0 for success; 1 for a refusal, explained on standard error;
 * 2 for wrong usage, with the usage of the command there. With `--json`, standard output has the error too, unless the
 * command has printed its result.
 */
export async function run(outer: Surroundings, args: readonly string[]): Promise<number> {
  let hasPrinted = false
  const stdout: Context['stdout'] = (text) => {
    hasPrinted ||= text.length > 0
    return outer.stdout(text)
  }
  let program: CommandUnknownOpts | undefined
  // The options that have been parsed so far.
  const given = (): GivenOptions => (program ? calledCommand(program).opts() : {})
  const complete = completing(given)
  const context: Context = { ...outer, stdout, configFile: configFileOf(given, outer), complete }
  try {
    program = await createProgram(context, args)
    checkCommand(program, args, Object.values(COMMANDS).flatMap(Object.keys))
    await program.parseAsync(args, { from: 'user' })
    return 0
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return 0
    for (const message of errorMessages(error, complete)) await say(context, message)
    const command = program && calledCommand(program)
    if (command && wantsJson(command, args) && !hasPrinted) {
      const json = errorJson(error, command, complete)
      await context.stdout(`${jsonText(json, 2)}\n`)
    }
    return error instanceof CommanderError ? 2 : 1
  }
}
