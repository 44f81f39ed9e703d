import { isUtf8 } from 'node:buffer'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { codeOf, messageOf } from '../domain/errors.ts'
import { nearest } from '../domain/text/nearest.ts'
import { shellWord } from '../domain/text/shell.ts'
import { readFault, userName } from '../files/access.ts'
import { SETTINGS, type Setting } from './settings.ts'

/**
 * A file of settings as systemd (`EnvironmentFile=`) and Docker (`--env-file`) read it: lines `NAME=value`, empty
 * lines, and comments that begin with `#`. Lines that those two read differently are refused.
 */
export interface ConfigFile {
  readonly path: string
  readonly entries: ReadonlyMap<string, ConfigEntry>
  /** Problems, each with its line. */
  readonly problems: readonly string[]
  /** Set for a service: the base of relative paths, and its database. */
  readonly service?: { readonly directory: string; readonly database: string }
}

interface ConfigEntry {
  readonly text: string
  readonly line: number
}

const SETTING_NAMES: readonly string[] = Object.values<Setting>(SETTINGS).flatMap(({ name, secret }) =>
  secret ? [name, `${name}_FILE`] : [name],
)

/** `source` names the file in problems. A file that cannot be read has no entries. */
export function readConfigFile(path: string, source: string): ConfigFile {
  try {
    return parseConfigFile(path, decoded(readFileSync(path)))
  } catch (error) {
    return { path, entries: new Map(), problems: [unreadable(source, path, error)] }
  }
}

export const unreadable = (source: string, path: string, error: unknown): string =>
  `${source} is ${JSON.stringify(path)}, which cannot be read: ${whyUnreadable(path, error)}`

function whyUnreadable(path: string, error: unknown): string {
  if (codeOf(error) === 'ENOENT') return 'there is no such file'
  const fault = codeOf(error) === 'EACCES' ? readFault(path) : null
  if (!fault) return messageOf(error)
  if (fault.path !== resolve(path)) return `${fault.path} ${fault.reason}`
  const [user, file] = [userName(process.geteuid?.() ?? -1), shellWord(path)]
  return `it ${fault.reason}. To let user ${user} read it: sudo chgrp ${user} ${file} && sudo chmod 640 ${file}`
}

function decoded(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw new Error('it is not UTF-8 text')
  const text = bytes.toString()
  if (text.startsWith('\ufeff'))
    throw new Error('it starts with a byte order mark, which systemd cannot read')
  return text
}

export function parseConfigFile(path: string, content: string): ConfigFile {
  const entries = new Map<string, ConfigEntry>()
  const problems: string[] = []
  for (const [index, text] of content.split(/\r?\n|\r$/).entries()) {
    if (/^[ \t]*(#|$)/.test(text)) continue
    const line = index + 1
    const [, name = '', value = ''] = ASSIGNMENT.exec(text) ?? []
    const fault = lineFault(name, value, entries.get(name))
    if (fault === null) entries.set(name, { text: value, line })
    else problems.push(`${path}:${line}: ${fault}`)
  }
  return { path, entries, problems }
}

const ASSIGNMENT = /^[ \t]*([A-Za-z_][A-Za-z0-9_]*)=(.*)$/

/** Never contains the value, which may be a password. */
function lineFault(name: string, value: string, earlier: ConfigEntry | undefined): string | null {
  if (name === '') return 'this is neither a line such as PORT=3000 nor a # comment'
  if (!SETTING_NAMES.includes(name)) return `there is no setting ${name}${suggestion(name)}`
  if (earlier) return `${name} is already set on line ${earlier.line}`
  if (!/^["']|\\|^\s|\s$|\p{Cc}/u.test(value)) return null
  const instead = SETTING_NAMES.includes(`${name}_FILE`) ? `, or use ${name}_FILE` : ''
  return `${name} has ${READ_DIFFERENTLY}; remove it${instead}`
}

const READ_DIFFERENTLY = 'quotes, a backslash, a control character, or a space at its start or end'

function suggestion(name: string): string {
  const upper = name.toUpperCase()
  const near = SETTING_NAMES.find((each) => each === upper) ?? nearest(upper, SETTING_NAMES)
  return near === null ? '' : `: did you mean ${near}?`
}
