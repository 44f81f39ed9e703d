import {
  besideDatabase,
  ConfigError,
  type Given,
  isHidden,
  type ReadSetting,
  readSettings,
} from '../../../config/config.ts'
import type { ConfigFile } from '../../../config/file.ts'
import { databaseName } from '../../../domain/addresses/database.ts'
import { databaseCommand, withSettings } from '../../command.ts'
import type { Context } from '../../context.ts'
import { print } from '../../session.ts'
import { sourcesFrom } from '../../settings.ts'
import { fixed, table } from '../../terminal/table.ts'
import { plain } from '../../terminal/text.ts'

const HIDDEN = '********'

/** Takes the settings of `serve`, so that it shows what would run. Needs no database. */
export const configCommand = (context: Context) =>
  withSettings(
    databaseCommand(
      context,
      'config',
      'show each setting, its value and where it comes from',
      ['changelogd config', 'changelogd config --json', 'changelogd config --port 8080'],
      'Hides secrets. Flags override environment variables, which\noverride the --config file. If settings are invalid, lists\nthem and exits with status 1.\n\n',
    ),
  ).action(async (options) => {
    const sources = sourcesFrom(context, options)
    const { settings, problems } = readSettings(sources)
    const file = sources.file?.path ?? null
    const database = settings.find(({ key }) => key === 'database')?.value
    const rows = settings.map((read) => ({
      name: read.setting.name,
      value: shown(read, database, sources.file),
      from: read.given?.from ?? null,
      line: read.given?.line ?? null,
      secretFile: read.given?.secretFile ?? null,
    }))
    await print(context, options, {
      json: { configFile: file, valid: problems.length === 0, problems, settings: rows },
      text: table(
        context,
        ['setting', 'value', 'from'],
        rows.map(({ name, value }, at) => [
          fixed(name),
          plain(value ?? ''),
          plain(origin(settings[at]?.given ?? null, file)),
        ]),
      ),
    })
    if (problems.length > 0) throw new ConfigError(problems)
  })

/** The value in use; null if it is unknown. */
function shown({ key, setting, given, value }: ReadSetting, database: unknown, file: ConfigFile | null) {
  if (!given) return null
  if (key === 'database' && typeof value === 'string') return databaseName(value)
  const beside = { trashDirectory: 'trash', followDirectory: 'mirrors' } as const
  if (key in beside && given.text === '')
    return typeof database === 'string'
      ? besideDatabase(database, file, beside[key as keyof typeof beside])
      : null
  const isEmpty = given.text === '' && given.secretFile === undefined
  return !isEmpty && isHidden(setting, given.text) ? HIDDEN : given.text
}

function origin(given: Given | null, file: string | null): string {
  if (!given) return 'invalid'
  const place = given.from === 'config file' ? `${file}:${given.line}` : given.from
  const where = given.from === 'flag' ? given.source : place
  return given.secretFile === undefined ? where : `${where}, in the file ${given.secretFile}`
}
