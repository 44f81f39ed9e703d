import { type Acting, ALL_RIGHTS } from '../acts/acting.ts'
import { type Hint, OutcomeUnknown, Refusal, withHint } from '../domain/refusal.ts'
import { checkSlug } from '../domain/rules.ts'
import { jsonText } from '../domain/text/controls.ts'
import { createWaiting, type Waiting } from '../store/engines/wait.ts'
import { open } from '../store/open.ts'
import type { Records } from '../store/records/records.ts'
import type { WritableStore } from '../store/store.ts'
import { upgradeNotice } from '../store/upkeep/migration.ts'
import type { Deletion } from '../transfer/undo/deletion.ts'
import type { Context } from './context.ts'
import { databaseFrom } from './settings.ts'
import { keptJson, keptNote, type Message, say, wrap } from './terminal/text.ts'

/** Runs commands: opens the store, runs one transaction, and only then prints. */

export interface Common {
  db?: string | undefined
  json?: true | undefined
  /** Seconds to wait for other commands and the engine; by default without a limit for commands. */
  wait?: number | undefined
}

export interface Confirming {
  yes?: true | undefined
}

export interface Forgetting {
  /** Keeps nothing for undo. */
  forget?: true | undefined
}

export interface Writing {
  /** Allows the command to create the database; `behind links`, even at a dangling link. */
  creates?: boolean | 'behind links'
  /** Makes what is missing beside pictures, once the result is printed. */
  derives?: boolean
  /** The hint if there is no database; by default `migrate`. */
  begin?: Hint
}

/** One JSON value or text for standard output, and notes for standard error. */
export interface Outcome {
  json: unknown
  text: string
  notes?: readonly Message[]
  /** Text that cannot be shown again: printed even if the commit is not confirmed. */
  once?: string
}

type Work = (records: Records) => Promise<Outcome>

/** Reads one state of the data and prints. Never creates or migrates a database. */
export const reading = async (context: Context, options: Common, work: Work) =>
  print(context, options, await snapshotOf(context, options, work))

/**
 * Writes in one transaction and prints. If it is refused, nothing is printed or kept. Deletions and breaking changes are confirmed first, by `--yes` or at the terminal: `announce` names
 * them, or null if there are none. No lock is held during the question, so it is announced again under the lock: a difference
 * is refused.
 */
export const writing = (
  context: Context,
  options: Common & Writing & Confirming,
  work: Work,
  announce?: (records: Records) => Promise<string | null>,
) =>
  withStore(context, options, async (store) => {
    const warning = announce ? await store.snapshot(announce) : null
    if (warning !== null) await confirmed(context, options, warning)
    const outcome = await committed(context, options, store, async (records) => {
      if (announce) refuseIfChanged(warning, await announce(records))
      return work(records)
    })
    await print(context, options, outcome)
  })

/** Runs the transaction of a command. If its outcome is unknown, `once` is printed nevertheless. */
export async function committed(context: Context, options: Common, store: WritableStore, work: Work) {
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
      hint: error.advice,
      cause: error,
      result: done.json,
    })
  }
}

/** Prints the warning and asks, unless `--yes`; refuses without confirmation. */
export async function confirmed(context: Context, { yes }: Confirming, warning: string): Promise<void> {
  await say(context, warning)
  if (yes) return
  const canAsk = context.terminal.input
  if (canAsk && (await context.confirm('Continue?'))) return
  const hint = canAsk ? undefined : 'To confirm, add --yes.'
  throw new Refusal('Nothing was changed.', { kind: 'unconfirmed', hint })
}

/** Throws a `Refusal` if the announced deletions are no longer the current ones. */
export function refuseIfChanged(announced: string | null, current: string | null): void {
  if (announced !== current)
    throw new Refusal('Nothing was changed, because the data changed in the meantime. Run the command again.')
}

/**
 * Opens the store for `work`, and migrates the database first, except in a dry run. Only with `creates` a missing
 * database is created: other commands would find nothing in it.
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
  using store = await opening.catch((error: unknown) => {
    const isMissing = error instanceof Refusal && error.kind === 'no_database'
    throw isMissing && options.begin
      ? withHint(error, { ...options.begin, text: `${ANOTHER} ${options.begin.text}` })
      : error
  })
  const notice = upgradeNotice(address, store.migration)
  if (notice !== null) await say(context, notice)
  const result = await work(store)
  // Loaded here: most commands need none.
  if (options.derives) await (await import('../transfer/pictures/derive.ts')).derivePictures(store)
  return result
}

const ANOTHER = 'To use another database, set --db or DATABASE_URL.'

/** Reads one state of the data: never creates or migrates a database. */
export async function snapshotOf<T>(
  context: Context,
  options: Common,
  work: (records: Records) => Promise<T>,
): Promise<T> {
  const address = databaseFrom(context, options.db)
  using store = await open(address, 'read', waitingFor(context, options), context.now)
  return await store.snapshot(work)
}

/** Announces a wait of more than a second, once. */
export const waitingFor = (context: Pick<Context, 'stderr'>, { wait }: Common): Waiting =>
  createWaiting(wait === undefined ? undefined : wait * 1_000, (what) =>
    context.stderr(`Waiting for ${what} …\n`),
  )

/** With `--json`, standard output is exactly one JSON value. */
export async function print(context: Context, options: Common, outcome: Outcome): Promise<void> {
  if (options.json) await context.stdout(`${jsonText(outcome.json, 2)}\n`)
  else if (outcome.text !== '') await context.stdout(`${fitted(context, outcome.text)}\n`)
  for (const note of outcome.notes ?? []) await say(context, note)
}

/** A sentence, wrapped at the width of the terminal. A text with several lines fits already. */
const fitted = ({ terminal }: Context, text: string): string =>
  text.includes('\n') ? text : wrap(text.split(' '), terminal.width).join('\n')

/** What an update of a slug does, to be confirmed; null if the slug stays. */
export function renaming(what: string, team: string, { slug }: { slug: string }, to: { slug?: string }) {
  if (to.slug === undefined || to.slug === slug) return null
  checkSlug(to.slug)
  return `This renames ${what} to ${team}${to.slug}. Pages and feeds will redirect from its old URLs. The API will return 404 there.`
}

/** Who runs a command may do everything. */
export const actor = (context: Context, records: Records): Acting => ({
  records,
  now: context.now(),
  who: null,
  rights: ALL_RIGHTS,
})

export interface Deleting<T, Given extends unknown[] = []> {
  find(records: Records, ...given: Given): Promise<T>
  name(found: T): string
  /** The text to confirm. */
  warning(found: T, records: Records): string | Promise<string>
  json(found: T): object
  /** What to delete; or deletes what is not kept for undo. */
  delete(found: T, records: Records): Deletion | Promise<void>
}

export const deleting = <T>(
  context: Context,
  options: Common & Confirming & Forgetting,
  record: Deleting<T>,
): Promise<void> =>
  writing(
    context,
    options,
    async (records) => {
      const found = await record.find(records)
      const name = record.name(found)
      const deletion = await record.delete(found, records)
      // Loaded here: a server needs none.
      const { ACTS } = await import('../acts/acts.ts')
      const keeping = { what: name, forget: options.forget }
      const kept = deletion ? await ACTS.delete.run(actor(context, records), keeping, deletion) : null
      return {
        json: { ...record.json(found), deleted: true, ...keptJson(kept, options) },
        text: `Deleted ${name}.`,
        notes: kept ? [keptNote(kept)] : [],
      }
    },
    async (records) => record.warning(await record.find(records), records),
  )
