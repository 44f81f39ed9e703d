import { existsSync, realpathSync } from 'node:fs'
import { ConfigError, readDatabase } from '../../../config.ts'
import { Refusal } from '../../../domain/refusal.ts'
import { databaseCommand } from '../../command.ts'
import type { Context } from '../../context.ts'
import { print } from '../../session.ts'
import { settingOptions } from '../../settings.ts'
import { type Paint, paintFor } from '../../terminal/colour.ts'
import { columns } from '../../terminal/table.ts'
import { counted, plain } from '../../terminal/text.ts'
import { databaseFindings } from './database.ts'
import { fileFindings } from './files.ts'
import { attempt, type Finding } from './finding.ts'
import { settingFindings } from './settings.ts'

/** Takes the settings that `serve` takes, so that what is examined is what would run. Changes nothing. */
export function doctorCommand(context: Context) {
  const command = databaseCommand(
    context,
    'doctor',
    'look for what is wrong with the database, its files and the settings',
    [
      'changelogd doctor',
      'changelogd doctor --json',
      'changelogd doctor --host 0.0.0.0 --trusted-proxies 10.0.0.0/8',
    ],
  )
  for (const option of settingOptions()) command.addOption(option)
  return command.action(async (options) => {
    const findings = [...storeFindings(context, options.db), ...settingFindings(context, options)]
    const wrong = findings.filter((finding) => finding.state === 'wrong').length
    await print(context, options, {
      json: {
        healthy: wrong === 0,
        findings: findings.map((finding) => ({ ...finding, remedy: finding.remedy ?? null })),
      },
      text: columns(
        context,
        findings.map((finding) => row(paintFor(context), finding)),
      ).join('\n'),
    })
    if (wrong > 0) throw new Refusal(`${counted(wrong, 'thing')} wrong: the lines say what to do.`)
  })
}

function storeFindings(context: Context, flag: string | undefined): Finding[] {
  try {
    const named = readDatabase(flag, context.env)
    // What belongs to a database stands beside the file, not beside a link to it.
    const database = existsSync(named) ? realpathSync(named) : named
    return [
      ...attempt('database', () => databaseFindings(database)),
      ...attempt('files', () => fileFindings(database)),
    ]
  } catch (error) {
    // The settings say so themselves.
    if (error instanceof ConfigError) return []
    throw error
  }
}

function row(paint: Paint, { state, check, message, remedy }: Finding): string[] {
  const colour = { ok: paint.green, warn: paint.yellow, wrong: paint.red }[state]
  return [colour(state), check, plain(remedy === undefined ? message : `${message}. ${remedy}`)]
}
