import { nearest } from '../../domain/text/nearest.ts'
import { commandWords } from '../../domain/text/shell.ts'

/** Guesses what an unknown command means. */

/** Words that people try, by intent. None for deleting or hiding may lead to a command that publishes. */
const WORDS = {
  delete: ['delete', 'remove', 'rm', 'destroy', 'erase', 'drop', 'purge'],
  hide: ['unpublish', 'hide', 'unrelease', 'retract', 'draft'],
  rename: ['rename', 'mv'],
  create: ['create', 'new'],
  add: ['add'],
  list: ['list', 'ls'],
  show: ['show', 'view'],
  schedule: ['schedule'],
  unschedule: ['unschedule'],
} as const
type Intent = keyof typeof WORDS

/** The option that renames each kind of record. */
const NAMES: Readonly<Record<string, string>> = {
  team: '--slug',
  product: '--slug',
  version: '--label',
  change: '--title',
}

/**
 * The command that `word` means, with the following arguments: a whole command line, or the nearest of `commands`.
 * `noun` is its group. Null if nothing is near.
 */
export function meantCommand(
  noun: string | null,
  word: string,
  rest: readonly string[],
  commands: readonly string[],
): { line: string } | { command: string } | null {
  const found = nearest(word, [...commands, ...Object.values(WORDS).flat()])
  if (found === null) return null
  if (commands.includes(found)) return { command: found }
  const line = lineFor(wishOf(found), noun, rest, commands)
  return line === null ? null : { line: `changelogd ${line}` }
}

const wishOf = (word: string): Intent =>
  Object.entries(WORDS).find(([, words]) => (words as readonly string[]).includes(word))?.[0] as Intent

function lineFor(
  wish: Intent,
  group: string | null,
  rest: readonly string[],
  commands: readonly string[],
): string | null {
  const named = rest.slice(0, rest.findIndex((each) => each.startsWith('-')) >>> 0)
  const noun = group ?? nounOf(wish, named)
  if (wish === 'show' && noun === 'change') return null
  const has = (verb: string) => group === null || commands.includes(verb)
  if (wish === 'list') return group === null ? line('status', ...rest) : null
  if (wish === 'schedule' || wish === 'unschedule')
    return group === null ? line('version', wish, ...rest) : null
  if (wish === 'hide') return hidingLine(noun, rest, has)
  if (wish === 'rename') return has('update') && Object.hasOwn(NAMES, noun) ? renamingLine(noun, named) : null
  const verb =
    wish === 'add' && noun !== 'change' ? 'create' : noun === 'change' && wish === 'create' ? 'add' : wish
  if (!has(verb)) return null
  if (named.length > 0 || group !== null) return line(noun, verb, ...rest)
  const nouns = ['team', 'product', 'version', ...(verb === 'delete' ? ['change'] : [])]
  return new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(nouns.map((each) => `${each} ${verb}`))
}

/** What the arguments name: a team, a product, a version, or a change. */
function nounOf(wish: Intent, [first = '', ...more]: readonly string[]): string {
  if (wish === 'add') return 'change'
  if (!first.includes('/')) return 'team'
  // The new name comes last.
  const parts = more.length - (wish === 'rename' ? 1 : 0)
  return parts > 1 ? 'change' : parts > 0 ? 'version' : 'product'
}

function hidingLine(noun: string, rest: readonly string[], has: (verb: string) => boolean): string | null {
  if (noun === 'version') return has('draft') ? line('version', 'draft', ...rest) : null
  if (!has('update')) return null
  if (noun === 'team') return line('team', 'update', ...rest, '--visibility', 'private')
  return noun === 'product' || noun === 'changelog'
    ? line(noun, 'update', ...rest, '--status', 'draft')
    : null
}

/** Whatever is missing is left open. */
function renamingLine(noun: string, named: readonly string[]): string {
  const parts = { team: 1, product: 1, version: 2, change: 3 }[noun] ?? 1
  const words = Array.from({ length: parts + 1 }, (_, at) => named[at])
  const open = (word: string | undefined) => (word === undefined ? '…' : commandWords([word]))
  return [noun, 'update', ...words.slice(0, parts).map(open), NAMES[noun], open(words[parts])].join(' ')
}

const line = (...words: readonly string[]): string => commandWords(words)

/** The options that most commands take; those with a value are true. */
const COMMON: Readonly<Record<string, boolean>> = {
  '--config': true,
  '--db': true,
  '--wait': true,
  '--json': false,
}

/** What to say of options that are given before the command, where none is taken; null if there are none of those. */
export function misplacedOption(args: readonly string[]): string | null {
  const flagOf = (word = '') => word.replace(/=.*$/s, '')
  const first = flagOf(args[0])
  let end = 0
  while (Object.hasOwn(COMMON, flagOf(args[end]))) {
    const word = args[end] ?? ''
    end += COMMON[flagOf(word)] && !word.includes('=') ? 2 : 1
  }
  if (end === 0) return null
  const rest = args.length > end ? line(...args.slice(end)) : '…'
  return `${first} goes after the command: changelogd ${rest} ${line(...args.slice(0, end))}`
}
