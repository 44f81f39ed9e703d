import { ConfigError, readSetting, readSettings } from '../../../config/config.ts'
import { databaseName } from '../../../domain/addresses/database.ts'
import { nullIf, withoutPeriod } from '../../../domain/errors.ts'
import { type Finding, ok, type PrintedFinding, runChecks } from '../../../domain/finding.ts'
import { Refusal } from '../../../domain/refusal.ts'
import { plural } from '../../../domain/text/plural.ts'
import { checkDatabase } from '../../../store/open.ts'
import { databaseCommand, withSettings } from '../../command.ts'
import type { Context } from '../../context.ts'
import { print } from '../../session.ts'
import { databaseFrom, sourcesFrom } from '../../settings.ts'
import { type Paint, paintFor } from '../../terminal/color.ts'
import { columns } from '../../terminal/table.ts'
import { plain, remedyText } from '../../terminal/text.ts'
import { DATABASE_CHECKS } from './checks.ts'
import { SETTING_CHECKS } from './settings.ts'

/** Takes the settings of `serve`, so that it checks what would run. Changes nothing. */
export const doctorCommand = (context: Context) =>
  withSettings(
    databaseCommand(context, 'doctor', 'check the database, its files and the settings', [
      'changelogd doctor',
      'changelogd doctor --json',
      'changelogd doctor --host 0.0.0.0 --trusted-proxies 10.0.0.0/8',
    ]),
  ).action(async (options) => {
    const database = await databaseOf(context, options.db)
    const homePage = await Promise.try(readSetting, 'homePage', sourcesFrom(context, options)).catch(() => '')
    const examined = (database: string) => ({ context, database, db: options.db, homePage: String(homePage) })
    const found = [
      ...(database === null ? [] : await checkDatabase(database)),
      ...(database === null ? [] : await runChecks(DATABASE_CHECKS, examined(database))),
      ...(await settingFindings(context, options)),
    ]
    const findings = found.map((finding) => printed(context, finding))
    const wrong = findings.filter((finding) => finding.state === 'wrong').length
    const rows = findings.map((finding) => row(paintFor(context), finding))
    await print(context, options, {
      json: {
        database: database && databaseName(database),
        healthy: wrong === 0,
        findings,
      },
      text: columns(context, rows).join('\n'),
    })
    if (wrong > 0) throw new Refusal(`Found ${plural(wrong, 'problem')}, listed above.`)
  })

/** Null if the settings do not say which it is: then their checks say so. */
const databaseOf = (context: Context, flag: string | undefined): Promise<string | null> =>
  Promise.try(databaseFrom, context, flag).catch(nullIf((error) => error instanceof ConfigError))

async function settingFindings(context: Context, options: object): Promise<Finding[]> {
  const sources = sourcesFrom(context, options)
  const examined = { read: readSettings(sources), file: sources.file, now: context.now() }
  const findings = await runChecks(SETTING_CHECKS, examined)
  return findings.length > 0 ? findings : [{ ...ok('no problems'), check: 'settings' }]
}

const printed = (context: Context, { remedy, ...finding }: Finding): PrintedFinding => ({
  ...finding,
  remedy: remedy === undefined ? null : remedyText(context, remedy),
})

function row(paint: Paint, { state, check, message, remedy }: PrintedFinding): string[] {
  const color = { ok: paint.green, warn: paint.yellow, wrong: paint.red }[state]
  return [color(state), check, plain(remedy === null ? message : `${withoutPeriod(message)}. ${remedy}`)]
}
