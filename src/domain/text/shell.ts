/** A word quoted for a shell, for the commands in messages. One that begins with a dash must be the last word. */
export const shellWord = (text: string): string => {
  const word = quoted(text)
  return text.startsWith('-') ? `-- ${word}` : word
}

/** A command of this program as data: a terminal shows its line, and a page a button. */
export interface Command {
  readonly name: string
  readonly args: readonly string[]
  /** Null and false options are left out. */
  readonly options?: Readonly<Record<string, string | boolean | null>>
}

/** The line that runs a command of this program. A line for a shell stays as it is. */
export function commandLine(command: Command | string): string {
  if (typeof command === 'string') return command
  const { name, args, options = {} } = command
  const flags = Object.entries(options).flatMap(([flag, value]) => {
    if (value === null || value === false) return []
    return value === true ? [`--${flag}`] : [`--${flag}`, quoted(value)]
  })
  const dashed = args.findIndex((arg) => arg.startsWith('-'))
  const words = args.map(quoted)
  const ordered = dashed === -1 ? [...words, ...flags] : words.toSpliced(dashed, 0, ...flags, '--')
  return ['changelogd', name, ...ordered].join(' ')
}

export const commandWords = (words: readonly string[]): string => words.map(quoted).join(' ')

const quoted = (text: string): string =>
  /^[\w.@/+:…-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
