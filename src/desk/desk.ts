import type { Config } from '../config/config.ts'
import { deskSettings } from '../config/desk.ts'
import { SETTINGS } from '../config/settings.ts'
import { PICTURE_LIMITS } from '../domain/pictures.ts'
import type { Instant } from '../domain/records.ts'
import { createTurns } from '../domain/turns.ts'
import { PRIVATE } from '../http/entrance.ts'
import type { Logger } from '../http/handler.ts'
import { cannotListen } from '../http/listening/listen-error.ts'
import { createSite } from '../http/site/site.ts'
import type { Bookkeeping } from '../store/bookkeeping/bookkeeping.ts'
import { createWaiting } from '../store/engines/wait.ts'
import { open } from '../store/open.ts'
import type { Store } from '../store/store.ts'
import { pageLanguage } from '../words/languages.ts'
import { assets } from './assets.ts'
import { signedOutPage } from './pages/refused.ts'
import { createPublicPages, createUnsavedPages } from './preview.ts'
import { readShortForm } from './request/form.ts'
import { createTokens } from './request/tokens.ts'
import { createDoor } from './request/writer.ts'
import { withDeskHeaders } from './respond.ts'
import { route } from './routes.ts'
import { type Desk, PUBLIC, type Visit } from './visit.ts'
import { DESK_WORDS } from './words/words.ts'

export interface RunningDesk {
  /** A new address: one that works once, or the public one. */
  newUrl(): string
  /** True if addresses work once. */
  readonly isLocal: boolean
  stop(): Promise<void>
}

interface DeskOptions {
  config: Config
  /** For pages of unsaved texts. */
  store: Store
  bookkeeping: Bookkeeping
  logger: Logger
  /** Enter makes a new address where it runs. */
  hasTerminal: boolean
  /** Notes who did what. */
  note(event: string, facts: Readonly<Record<string, string>>): void
  now?: () => Instant
}

const { deskHost, deskPort } = SETTINGS

type Opened = Awaited<ReturnType<typeof open>>

/** How long a save waits for commands and for the engine. */
const WAIT_MS = 10_000

/** Longer than a save may wait: Bun closes connections on which nothing happens. */
const IDLE_SECONDS = 120

/** Longer bodies are not read. Forms have their own, shorter limit, apart from a picture. */
const MOST_BYTES = 4_000_000 + PICTURE_LIMITS.given

/** Serves the desk, and closes its store and bookkeeping at the end. Throws a `Refusal` if it cannot. */
export function startDesk(options: DeskOptions): RunningDesk {
  const { config, store, bookkeeping, logger, hasTerminal, note, now = Date.now } = options
  const settings = deskSettings(config)
  const { access } = settings
  const door = createDoor(settings)
  const tokens = createTokens()
  const site = createSite(config, () => origin())
  /** For one piece of work, as a command does: the desk keeps no state of it. */
  const opened = async <T>(mode: 'read' | 'write', work: (store: Opened) => Promise<T>): Promise<T> => {
    using store = await open(config.database, mode, createWaiting(WAIT_MS), now)
    return await work(store)
  }
  // They would wait for each other's lock by chance.
  const inTurn = createTurns()
  const desk: Desk = {
    config,
    site,
    door,
    hasTerminal,
    base: door.base,
    language: pageLanguage(config.siteLanguage),
    words: DESK_WORDS[config.siteLanguage],
    read: (work) => opened('read', (store) => store.snapshot(work)),
    write: (work) =>
      inTurn('', () => opened('write', (store) => store.transaction((records) => work(records, now())))),
    bookkeeping,
    publicPage: createPublicPages(config, store, logger, door.base + PUBLIC),
    pageOf: createUnsavedPages(config, store, logger, door.base),
    report: logger.report,
    note,
    now,
  }
  const origin = () => (access.kind === 'proxy' ? access.origin : server.url.origin)

  const handle = async (request: Request, peer: string | undefined): Promise<Response> => {
    const url = URL.parse(request.url)
    if (!url || request.headers.get('host') !== new URL(origin()).host)
      return plain(400, 'This address is not the desk’s.')
    const asset = assets(site, url.pathname)
    if (asset) return asset
    const entered = door.enter(request, url.pathname)
    if (entered) return entered
    const writer = door.writerOf(request, peer)
    if (!writer) return signedOutPage(desk, await readShortForm(request))
    const path = url.pathname
    if (!path.startsWith(`${door.base}/`)) return plain(404, 'There is no such page.')
    const token = tokens.of(writer)
    const visit: Visit = { desk, writer, url, path: path.slice(door.base.length), token, form: null }
    return route(visit, request, {
      isOurs: isFrom(request, origin()),
      isValid: (given) => tokens.isValid(writer, given),
    })
  }

  const server = listen(
    settings.host,
    settings.port,
    async (request, peer) => withDeskHeaders(await handle(request, peer)),
    logger,
  )

  return {
    newUrl: () => (door.open ? server.url.origin + door.open() : origin()),
    isLocal: access.kind === 'local',
    stop: async () => {
      await server.stop()
      store.close()
      bookkeeping.close()
    },
  }
}

function listen(
  hostname: string,
  port: number,
  handle: (request: Request, peer: string | undefined) => Promise<Response>,
  logger: Logger,
) {
  try {
    return Bun.serve({
      hostname,
      port,
      reusePort: false,
      development: false,
      maxRequestBodySize: MOST_BYTES,
      idleTimeout: IDLE_SECONDS,
      fetch: (request, server) => handle(request, server.requestIP(request)?.address),
      error: (error) => {
        logger.report(error)
        return plain(500, 'The desk failed. Its log says more.')
      },
    })
  } catch (error) {
    throw cannotListen({ host: hostname, port }, error, `Set another ${deskPort.name} or ${deskHost.name}.`)
  }
}

const plain = (status: number, text: string): Response =>
  new Response(`${text}\n`, { status, headers: { 'content-type': 'text/plain; charset=utf-8', ...PRIVATE } })

/** Browsers that send no referrer call the origin of a form `null`, and say that it is the same. */
function isFrom({ headers }: Request, origin: string): boolean {
  const given = headers.get('origin')
  if (given === origin) return true
  return (given === null || given === 'null') && headers.get('sec-fetch-site') === 'same-origin'
}
