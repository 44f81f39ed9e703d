/**
 * `bun release/environment.ts`: writes release/changelogd.env, which the packages install as
 * /etc/changelogd/changelogd.env. It has every setting of `src/config/settings.ts`.
 */
import { join } from 'node:path'
import { sentence, wrap } from '../src/cli/terminal/text.ts'
import { SETTINGS, type Setting } from '../src/config/settings.ts'

export const ENVIRONMENT_FILE = join(import.meta.dir, 'changelogd.env')

/** Where the service has its database. Commands that are given this file use it too. */
const DATABASE = 'file:/var/lib/changelogd/changelogd.db'

const HEAD = `# Settings of the service changelogd. After a change: systemctl restart changelogd
#
# One NAME=value a line, without quotes; a line with # has no effect. A setting that is commented out has the value
# that is shown, or none. The manual page changelogd(1) describes them all.
`

export const environmentFile = (): string => [HEAD, ...Object.values<Setting>(SETTINGS).map(entry)].join('\n')

function entry(setting: Setting): string {
  const file = setting.secret
    ? ` Or leave it empty and set ${setting.name}_FILE to the path of a file that has the value.`
    : ''
  const comment = wrap((sentence(setting.meaning) + file).split(' '), WIDTH)
  const assignment =
    setting === SETTINGS.database
      ? `${setting.name}=${DATABASE}`
      : `#${setting.name}=${setting.default ?? ''}`
  return [...comment.map((line) => `# ${line}`), assignment, ''].join('\n')
}

const WIDTH = 100

if (import.meta.main) await Bun.write(ENVIRONMENT_FILE, environmentFile())
