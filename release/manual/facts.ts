import { sentence } from '../../src/cli/terminal/text.ts'
import { SETTINGS, type Setting, shownDefault } from '../../src/config/settings.ts'

/** What the manual says beside the command table: about the environment, files and exit statuses. */

/** The settings as variables, each with what it means. */
export const settings = (): [name: string, meaning: string][] =>
  Object.values<Setting>(SETTINGS).map((setting) => [
    setting.secret ? `${setting.name}, ${setting.name}_FILE` : setting.name,
    [
      sentence(setting.meaning),
      // A password may be any text.
      ...(setting === SETTINGS.passwordProtectionPassword ? [] : [`It must be ${setting.allowed}.`]),
      ...(setting.secret ? [`With _FILE: the path of a file that has the value.`] : []),
      ...(shownDefault(setting) ? [`Default: ${shownDefault(setting)}.`] : []),
      ...(setting.flag ? [`Option: --${setting.flag}.`] : []),
    ].join(' '),
  ])

export const OTHER_VARIABLES: [name: string, meaning: string][] = [
  ['CHANGELOGD_CONFIG', 'A file with settings, if --config names no other.'],
  ['CHANGELOGD_KEY', 'The token of an API key for changelogd get.'],
  ['VISUAL, EDITOR', 'The editor that changelogd edit runs.'],
  ['NO_COLOR', 'If it is not empty, the output has no colors.'],
  ['NOTIFY_SOCKET', 'Set by systemd: where serve says that it is up, and that it stops.'],
]

export const EXIT_STATUSES: [status: string, meaning: string][] = [
  ['0', 'Done.'],
  ['1', 'Refused, or failed. Standard error says why and what to do.'],
  ['2', 'Wrong usage. Standard error has the usage of the command.'],
  ['141', 'Standard output was closed before everything was written.'],
]

export const FILES: [path: string, meaning: string][] = [
  [
    'data/changelogd.db',
    'The database of a program that no package installed, if neither --db nor DATABASE_URL names another.',
  ],
  [
    '/etc/changelogd/changelogd.env',
    'The settings of the service, where a package has installed it. Its program, /usr/bin/changelogd, uses them for every command unless --db, --config, DATABASE_URL or CHANGELOGD_CONFIG is given.',
  ],
  ['/var/lib/changelogd/changelogd.db', 'The database of the service.'],
]
