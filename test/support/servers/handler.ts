import { join } from 'node:path'
import { readConfig } from '../../../src/config/config.ts'
import { pick } from '../../../src/domain/objects.ts'
import { Unavailable } from '../../../src/domain/refusal.ts'
import { createHandler } from '../../../src/http/handler.ts'
import type { Counters } from '../../../src/http/metrics/counters.ts'
import { createWaiting } from '../../../src/store/engines/wait.ts'
import { openForServing } from '../../../src/store/open.ts'
import { mapReads, withReads } from '../../../src/store/queries/reads.ts'
import { openNow } from '../../../src/store/sqlite/serve.ts'
import { type Store, TooLong } from '../../../src/store/store.ts'
import { scratch } from '../scratch.ts'
import { seeder } from '../seed.ts'
import { type Engine, newDatabase, PLENTY, type Settings } from './server.ts'

/** A store for serving over a new database of an engine, and what writes into that database. */
export async function openStoreOn(engine: Engine, clock: () => number = Date.now, longReadMs?: number) {
  const directory = scratch()
  const { database, seed } = await newDatabase(engine, directory.path)
  const store = await openForServing(database, {
    ...{ waiting: createWaiting(), report: () => {}, clock },
    ...(longReadMs !== undefined && { longReadMs }),
  })
  return opened(directory, { database, seed, store: engine === 'SQLite' ? store : patient(store) })
}

/** On a busy machine, PostgreSQL may take longer than a read waits: it is asked again. */
function patient(store: Store): Store {
  const again = async <T>(read: () => Promise<T> | T): Promise<T> => {
    for (;;)
      try {
        return await read()
      } catch (error) {
        if (!(error instanceof Unavailable) || error instanceof TooLong) throw error
        await Bun.sleep(1)
      }
  }
  const reads = mapReads((name, given) => {
    const read = store[name] as (...given: unknown[]) => Promise<never>
    return again(() => read(...(given as unknown[])))
  })
  return { ...store, ...reads, snapshot: (work) => again(() => store.snapshot(work)) }
}

/** The same over a SQLite file. */
export function openStore() {
  const directory = scratch()
  const database = join(directory.path, 'changelogd.db')
  const seed = seeder(database)
  const store = openNow(database)
  return opened(directory, { database, seed, store })
}

/** The parts of a store, which end together. */
const opened = <Parts extends { seed: { db: { close(): void } }; store: Store }>(
  directory: Disposable,
  parts: Parts,
) => ({
  ...parts,
  [Symbol.dispose]: () => {
    parts.store.close()
    parts.seed.db.close()
    directory[Symbol.dispose]()
  },
})

/**
 * The server without its listener, for promises that the transport has no part in. `around` may act between the
 * calls to the real store.
 */
export function openHandler(
  settings: Settings = {},
  around: (store: Store) => Store = (store) => store,
  counters: Counters | null = null,
) {
  return handlerOver(openStore(), settings, around, counters)
}

/** For `around`: `note` hears of each of these reads before the store does. */
export const noting =
  <Name extends ReadName>(names: readonly Name[], note: (...given: Parameters<Store[Name]>) => void) =>
  (store: Store): Store =>
    withReads(store, (reads) => {
      const noted =
        (name: Name) =>
        (...given: Parameters<Store[Name]>) => {
          note(...given)
          return (reads[name] as (...given: unknown[]) => unknown)(...given)
        }
      return Object.fromEntries(names.map((name) => [name, noted(name)]))
    })
type ReadName = Extract<keyof Store, 'findGrant' | `read${string}`>

/** For `around`: the store of an engine that goes away at some moment, five seconds after it has last answered. */
export function createOutage() {
  let isAway = false
  return {
    begin: () => {
      isAway = true
    },
    around: (store: Store): Store => ({
      ...withReads(store, (reads) =>
        pick(
          mapReads((name, given) => {
            if (isAway) throw new Unavailable('The engine is away.')
            return reads[name](...given)
          }),
          'readChangelog',
          'readStamp',
        ),
      ),
      unconfirmedFor: () => (isAway ? 5_000 : 0),
    }),
  }
}

/** The same over a database of an engine, where a clock decides what is published. */
export const openHandlerOn = async (
  engine: Engine,
  clock: () => number,
  settings: Settings = {},
  around: (store: Store) => Store = (store) => store,
) => handlerOver(await openStoreOn(engine, clock), settings, around)

function handlerOver(
  { database, store, ...rest }: ReturnType<typeof openStore> | Awaited<ReturnType<typeof openStoreOn>>,
  settings: Settings,
  around: (store: Store) => Store,
  counters: Counters | null = null,
) {
  const errors: unknown[] = []
  const lines: string[] = []
  let connections = 0
  const handle = createHandler({
    config: readConfig({}, { ...PLENTY, ...settings, DATABASE_URL: database }),
    store: around(store),
    logger: { log: (line) => lines.push(line), report: (error) => errors.push(error) },
    counters,
  })
  const send = async (
    method: string,
    path: string,
    headers: Record<string, string> = {},
    signal: AbortSignal | null = null,
    body: RequestInit['body'] = null,
  ) => {
    // Each is a connection of its own.
    const peer = { address: '127.0.0.1', port: ++connections }
    return handle(new Request(`http://localhost${path}`, { method, headers, signal, body }), () => peer)
  }
  return {
    ...rest,
    store,
    /** The errors that it has logged. */
    errors,
    /** The lines of its access log. */
    lines,
    send,
    get: (path: string, headers: Record<string, string> = {}) => send('GET', path, headers),
  }
}
