import { OutcomeUnknown, Refusal, withHint } from '../domain/refusal.ts'
import { jsonText } from '../domain/text/controls.ts'
import { upgradeNotice } from '../store/migration.ts'
import { open } from '../store/open.ts'
import type { Records } from '../store/records/types.ts'
import type { ReadableStore, WritableStore } from '../store/store.ts'
import { createWaiting, type Waiting } from '../store/wait.ts'
import type { Context } from './context.ts'
import { databaseFrom } from './settings.ts'
import { wrapMessages } from './terminal/text.ts'
import type { Trash } from './trash/trash.ts'

/** How a command runs: it opens the store, runs one transaction, and only then prints. */

/** The options that every command takes. */
export interface Common {
  db?: string | undefined
  json?: true | undefined
  /** How long to wait for other commands, in seconds; without it, until they are done. And for an engine that does not answer. */
  wait?: number | undefined
}

/** How a command that writes uses the database. */
export interface Writing {
  /** Whether it may create one; `behind links`, even where a link leads to nothing. */
  creates?: boolean | 'behind links'
  /** What a refusal suggests where there is none; without it, `migrate`. */
  begin?: string
}

/** What a command prints: one JSON value or text on standard output, and notes on standard error. */
export interface Outcome {
  json: unknown
  text: string
  /** Whether the text is what others wrote, so that it is not wrapped at the width of the terminal. */
  isVerbatim?: true
  notes?: string[]
  /** The part of the text that can never be shown again: it is printed even if it is not known whether it was committed. */
  once?: string
}

/** Reads one state of the data and prints. Never creates or migrates a database. */
export const reading = (context: Context, options: Common, work: (records: Records) => Promise<Outcome>) =>
  withReadableStore(context, options, async (store) => print(context, options, await store.snapshot(work)))

/** Writes in one transaction and prints. Nothing is printed, and nothing kept, if it is refused. */
export const writing = (
  context: Context,
  options: Common & Writing,
  work: (records: Records) => Promise<Outcome>,
) =>
  withStore(context, options, async (store) =>
    print(context, options, await committed(context, options, store, work)),
  )

/** Runs the transaction of a command. If its outcome is not known, what can be shown only once is shown nevertheless. */
export async function committed(
  context: Context,
  options: Common,
  store: WritableStore,
  work: (records: Records) => Promise<Outcome>,
): Promise<Outcome> {
  let done: Outcome | undefined
  try {
    return await store.transaction(async (records) => {
      done = await work(records)
      return done
    })
  } catch (error) {
    if (!(error instanceof OutcomeUnknown) || done?.once === undefined) throw error
    if (!options.json) await context.stdout(`${done.once}\n`)
    throw new OutcomeUnknown(`${error.message} If it was committed, the token works.`, {
      hint: error.hint,
      cause: error,
      result: done.json,
    })
  }
}

/**
 * Writes what deletes or breaks something. What `work` deletes, it can keep in the trash. `announce` says what that is, or null if there is nothing to confirm; then it must be
 * confirmed, by `--yes` or at the terminal. No lock is held during the question, so under the lock it is announced again:
 * anything else than what was confirmed is refused.
 */
export const writingConfirmed = (
  context: Context,
  options: Common & { yes?: true | undefined },
  announce: (records: Records) => Promise<string | null>,
  work: (records: Records, trash: Trash) => Promise<Outcome>,
) =>
  withStore(context, options, async (store) => {
    const warning = await store.snapshot(announce)
    if (warning !== null) await confirmed(context, options, warning)
    // Loaded here: a server would start later with it, and needs none.
    const { withTrash } = await import('./trash/trash.ts')
    const outcome = await withTrash(context, options, (trash, settle) =>
      committed(context, options, store, async (records) => {
        refuseIfChanged(warning, await announce(records))
        const done = await work(records, trash)
        await settle()
        return done
      }),
    )
    await print(context, options, outcome)
  })

/** Prints the warning, and resolves if it is confirmed by `--yes` or at the terminal; refuses otherwise. */
export async function confirmed(
  context: Context,
  options: { yes?: true | undefined },
  warning: string,
): Promise<void> {
  await context.stderr(`${warning}\n`)
  if (options.yes) return
  if (!context.terminal.input)
    throw new Refusal('Nothing was changed, because this must be confirmed.', {
      kind: 'unconfirmed',
      hint: 'To confirm it, add --yes.',
    })
  if (!(await context.confirm('Continue?')))
    throw new Refusal('Nothing was changed.', { kind: 'unconfirmed' })
}

/** Throws a `Refusal` that names the differences if the announced change is no longer what would be done. */
export function refuseIfChanged(announced: string | null, current: string | null): void {
  if (announced === current) return
  const [before, now] = [announced, current].map((text) => new Set(text?.split('\n')))
  const lines = [
    ...[...(now ?? [])].filter((line) => !before?.has(line)).map((line) => `Now: ${line}`),
    ...[...(before ?? [])].filter((line) => !now?.has(line)).map((line) => `No longer: ${line}`),
  ]
  throw new Refusal(
    [
      'Nothing was changed, because the data has changed since this was announced. Run the command again.',
      ...lines,
    ].join('\n  '),
  )
}

/**
 * Opens the store that the options name, for as long as `work` takes, and migrates the database first if need be; a dry
 * run does not. Only what `creates` may create a database: any other command would find nothing in a new one.
 */
export async function withStore<T>(
  context: Context,
  options: Common & Writing & { dryRun?: true | undefined },
  work: (store: WritableStore) => Promise<T>,
): Promise<T> {
  const creating = options.creates === 'behind links' ? 'create behind links' : 'create'
  const mode = options.dryRun ? 'dry run' : options.creates ? creating : 'write'
  const address = databaseFrom(context, options.db)
  const opening = open(address, mode, waitingFor(context, options), context.now)
  const store = await opening.catch((error: unknown) => {
    const isMissing = error instanceof Refusal && error.kind === 'no_database'
    throw isMissing && options.begin ? withHint(error, `${ANOTHER} ${options.begin}`) : error
  })
  return closing(store, async () => {
    const notice = upgradeNotice(address, store.migration)
    if (notice !== null) await context.stderr(`${notice}\n`)
    return work(store)
  })
}

const ANOTHER = 'To use another database, set --db or DATABASE_URL.'

/** Opens it for reading only: never creates or migrates a database. */
export async function withReadableStore<T>(
  context: Context,
  options: Common,
  work: (store: ReadableStore) => Promise<T>,
): Promise<T> {
  const address = databaseFrom(context, options.db)
  return closing(await open(address, 'read', waitingFor(context, options), context.now), work)
}

/** How a command waits for others, and for the engine. A wait of more than a second is announced, once. */
export const waitingFor = (context: Pick<Context, 'stderr'>, { wait }: Common): Waiting =>
  createWaiting(wait === undefined ? undefined : wait * 1_000, (what) =>
    context.stderr(`Waiting for ${what} …\n`),
  )

async function closing<S extends ReadableStore, T>(store: S, work: (store: S) => Promise<T>): Promise<T> {
  try {
    return await work(store)
  } finally {
    store.close()
  }
}

/** Prints the outcome of a command. With `--json`, standard output is exactly one JSON value. */
export async function print(context: Context, options: Common, outcome: Outcome): Promise<void> {
  const width = outcome.isVerbatim ? Number.POSITIVE_INFINITY : context.terminal.width
  if (options.json) await context.stdout(`${jsonText(outcome.json, 2)}\n`)
  else if (outcome.text !== '') await context.stdout(`${wrapMessages(outcome.text, width)}\n`)
  for (const note of outcome.notes ?? []) await context.stderr(`${note}\n`)
}
