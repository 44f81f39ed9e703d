import { CommanderError } from '@commander-js/extra-typings'
import { ConfigError } from '../config.ts'
import { Refusal } from '../domain/refusal.ts'
import { applyCommand } from './apply.ts'
import { backupCommand, restoreCommand } from './backup.ts'
import { changeCommand } from './change.ts'
import { changelogCommand } from './changelog.ts'
import { noun } from './command.ts'
import { addCompletion } from './completion.ts'
import type { Context } from './context.ts'
import { demoCommand } from './demo.ts'
import { doctorCommand } from './doctor.ts'
import { exportCommand } from './export.ts'
import { getCommand } from './get.ts'
import { importCommand } from './import.ts'
import { keyCommand } from './key.ts'
import { migrateCommand } from './migrate.ts'
import { productCommand } from './product.ts'
import { publishCommand } from './publish.ts'
import { healthcheckCommand, serveCommand } from './serve.ts'
import { statusCommand } from './status.ts'
import { teamCommand } from './team.ts'
import { versionCommand } from './version.ts'

/** The whole command line, on one screen. */
export function createProgram(context: Context) {
  const program = noun(context, 'changelogd', 'Keeps product changelogs and serves them over HTTP.', [
    'changelogd demo && changelogd serve',
    'changelogd status',
    'changelogd help version',
  ]).version(context.version, '-V, --version', 'show the version of this program')

  program
    .commandsGroup('What is written:')
    .addCommand(teamCommand(context))
    .addCommand(productCommand(context))
    .addCommand(changelogCommand(context))
    .addCommand(versionCommand(context))
    .addCommand(changeCommand(context))
    .addCommand(keyCommand(context))
    .addCommand(applyCommand(context))
    .addCommand(importCommand(context))
    .addCommand(exportCommand(context))
    .commandsGroup('What is seen:')
    .addCommand(publishCommand(context))
    .addCommand(statusCommand(context))
    .addCommand(getCommand(context))
    .commandsGroup('How it runs:')
    .addCommand(serveCommand(context))
    .addCommand(demoCommand(context))
    .addCommand(migrateCommand(context))
    .addCommand(backupCommand(context))
    .addCommand(restoreCommand(context))
    .addCommand(doctorCommand(context))
    .addCommand(healthcheckCommand(context))
  addCompletion(context, program)
  return program
}

/**
 * Runs one command line and says the exit status: 0 done; 1 refused, with why and what to do on standard
 * error; 2 wrong usage, with the command's own usage there.
 */
export async function run(context: Context, args: readonly string[]): Promise<number> {
  try {
    await createProgram(context).parseAsync(args, { from: 'user' })
    return 0
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
    for (const line of explain(error)) context.stderr(`changelogd: ${line}\n`)
    return 1
  }
}

function explain(error: unknown): readonly string[] {
  if (error instanceof Refusal) return [error.message]
  if (error instanceof ConfigError) return error.problems
  return [`This is a defect, please report it: ${error instanceof Error ? error.stack : String(error)}`]
}
