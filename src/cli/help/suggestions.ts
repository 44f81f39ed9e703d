import { nearest } from '../../domain/text/nearest.ts'

/**
 * Words that people try instead of a command, the commands that do that, and what those are called in a group, if it
 * has one of them. None for deleting or hiding may lead to a command that publishes.
 */
const INTENTS = [
  {
    words: ['delete', 'remove', 'rm', 'destroy', 'erase', 'drop', 'purge'],
    commands: 'team delete, product delete, version delete or change delete',
    verbs: ['delete', 'remove'],
  },
  {
    words: ['unpublish', 'hide', 'unrelease', 'retract', 'draft'],
    commands: 'version draft, or product update --status draft',
    verbs: ['draft', 'update'],
  },
  { words: ['rename', 'mv'], commands: 'team update, product update or version update', verbs: ['update'] },
  {
    words: ['create', 'new'],
    commands: 'team create, product create or version create',
    verbs: ['create', 'add'],
  },
  { words: ['add'], commands: 'change add', verbs: ['create'] },
  { words: ['list', 'ls'], commands: 'status', verbs: ['list'] },
  { words: ['show', 'view'], commands: 'team show, product show or version show', verbs: ['show', 'list'] },
  { words: ['schedule'], commands: 'version schedule', verbs: [] },
  { words: ['unschedule'], commands: 'version unschedule', verbs: [] },
  { words: ['yank', 'withdraw'], commands: 'version update --yanked', verbs: [] },
  { words: ['unyank'], commands: 'version update --no-yanked', verbs: [] },
]

/** The command that a mistyped one of a group, or of the program, probably means. `commands` are the existing ones. */
export function meantCommand(word: string, commands: readonly string[], isInGroup: boolean): string | null {
  const found = nearest(word, [...commands, ...INTENTS.flatMap(({ words }) => words)])
  if (found === null || commands.includes(found)) return found
  const intent = INTENTS.find(({ words }) => words.includes(found))
  if (!isInGroup || intent?.verbs.length === 0) return intent?.commands ?? null
  return intent?.verbs.find((verb) => commands.includes(verb)) ?? null
}
