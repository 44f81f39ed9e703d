import { Database } from 'bun:sqlite'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { getTableName } from 'drizzle-orm'
import { snapshotsOf } from '../../../src/announce/content.ts'
import type { Announcing } from '../../../src/announce/deliver.ts'
import { createAnnouncer } from '../../../src/announce/job.ts'
import { createLinks } from '../../../src/announce/message.ts'
import { observe } from '../../../src/announce/observe.ts'
import { newSecret, type Reach } from '../../../src/announce/send.ts'
import { isPostgres } from '../../../src/domain/addresses/database.ts'
import { isChat } from '../../../src/domain/hook-kinds.ts'
import { Notice } from '../../../src/domain/notice.ts'
import type { Hook, Instant, VersionDraft } from '../../../src/domain/records.ts'
import type { Bookkeeping } from '../../../src/store/bookkeeping/bookkeeping.ts'
import { openBookkeeping } from '../../../src/store/bookkeeping/open.ts'
import { createWaiting } from '../../../src/store/engines/wait.ts'
import { open } from '../../../src/store/open.ts'
import type { Records } from '../../../src/store/records/records.ts'
import type { VersionUpdate } from '../../../src/store/records/types.ts'
import { POSTGRES_BOOKKEEPING } from '../../../src/store/tables/postgres.ts'
import { findProduct, findTeam, findVersion } from '../../../src/transfer/find.ts'
import { blockingDatabase } from '../postgres/blocking.ts'
import { postgres } from '../postgres/cluster.ts'
import { scratch } from '../scratch.ts'
import type { Engine } from '../servers/server.ts'

export const START = Date.UTC(2026, 10, 16, 12)
export const SECOND = 1_000
export const MINUTE = 60 * SECOND
export const HOUR = 60 * MINUTE
const PUBLIC_URL = 'https://news.acme.test'
const APP = { team: 'acme', product: 'app' }

/** A database with a public product, a worker's announcer on a clock of its own, and what it reports. */
export class Rig {
  readonly notices: string[] = []
  /** Those of its notices that are errors. */
  readonly alarms: string[] = []
  readonly errors: unknown[] = []
  /** How receivers are reached. */
  reach: Partial<Reach> = {}
  private own: ReturnType<Rig['announcer']> | undefined
  private constructor(
    readonly database: string,
    public bookkeeping: Bookkeeping,
    private readonly place: ReturnType<typeof scratch>,
    private readonly clock: { now: Instant },
  ) {}

  get now(): Instant {
    return this.clock.now
  }

  set now(now: Instant) {
    this.clock.now = now
  }

  static async on(engine: Engine): Promise<Rig> {
    const place = scratch()
    const database =
      engine === 'SQLite' ? join(place.path, 'changelogd.db') : await (await postgres()).create()
    ;(await open(database, 'create', createWaiting())).close()
    const clock = { now: START }
    const bookkeeping = await openBookkeeping(database, { clock: () => clock.now })
    const rig = new Rig(database, bookkeeping, place, clock)
    await rig.write(async ({ teams, products }, now) => {
      const team = await teams.create({ slug: 'acme', name: 'Acme', visibility: 'public', plan: 'free' }, now)
      for (const slug of ['app', 'web'])
        await products.create(team, { slug, name: slug === 'app' ? 'App' : 'Web', status: 'published' }, now)
    })
    return rig
  }

  /** Another worker on the same database, with a clock that may differ. */
  announcer(bookkeeping = this.bookkeeping) {
    const announcing: Announcing = {
      ...{ snapshot: this.snapshots(), bookkeeping, links: createLinks(PUBLIC_URL, 'on') },
      reach: { allowPrivate: true, mailServer: null, version: '0.0.0', ...this.reach },
      now: () => this.now,
      report: (event) => {
        if (!(event instanceof Notice)) return this.errors.push(event)
        this.notices.push(event.message)
        if (event.level === 'error') this.alarms.push(event.message)
      },
    }
    return createAnnouncer(announcing)
  }

  /** Lets the worker look, and waits until everything that is due was tried. */
  async round(other?: ReturnType<Rig['announcer']>): Promise<void> {
    this.own ??= this.announcer()
    const announcer = other ?? this.own
    await announcer.round(this.now, AbortSignal.timeout(600_000))
    await announcer.ended()
    if (this.errors.length > 0) throw new Error('The worker reported an error.', { cause: this.errors[0] })
  }

  /** Finds out what is new, and sends nothing yet. */
  async look(): Promise<void> {
    await observe(this.snapshots(), this.bookkeeping, this.now)
  }

  private snapshots() {
    return snapshotsOf(() => open(this.database, 'read', createWaiting(), () => this.now))
  }

  /** A worker that has just been started. */
  restart(): void {
    this.own = undefined
  }

  /** Loses everything that the worker remembers. */
  async loseBookkeeping(): Promise<void> {
    this.bookkeeping.close()
    this.restart()
    if (isPostgres(this.database)) {
      using db = blockingDatabase(this.database)
      for (const table of Object.values(POSTGRES_BOOKKEEPING)) db.run(`DELETE FROM ${getTableName(table)}`)
    } else
      for (const suffix of ['', '-wal', '-shm']) rmSync(`${this.database}-worker${suffix}`, { force: true })
    await this.reopen()
  }

  /** Opens what the worker remembers as a program does that has just been started. */
  async reopen(): Promise<void> {
    this.bookkeeping.close()
    this.restart()
    this.bookkeeping = await openBookkeeping(this.database, { clock: () => this.now })
  }

  /** Writes past the program, as one of an older schema does. */
  run(statement: string): void {
    using db = isPostgres(this.database) ? blockingDatabase(this.database) : new Database(this.database)
    db.run(statement)
  }

  /** The same in the file of the worker, on SQLite. */
  runInBookkeeping(statement: string): void {
    using db = new Database(`${this.database}-worker`)
    db.run(statement)
  }

  /** Passes time, with a round after each step. */
  async pass(ms: number, step = MINUTE): Promise<void> {
    const end = this.now + ms
    while (this.now < end) {
      this.now = Math.min(end, this.now + step)
      await this.round()
    }
  }

  async write<T>(work: (records: Records, now: Instant) => Promise<T>): Promise<T> {
    const store = await open(this.database, 'write', createWaiting(), () => this.now)
    try {
      return await store.transaction((records) => work(records, this.now))
    } finally {
      store.close()
    }
  }

  /** Adds a hook, as the command does. */
  async hook(
    url: string,
    {
      kind = 'webhook',
      product,
      events,
      stable,
      delay = 0,
    }: Partial<Pick<Hook, 'kind' | 'events' | 'stable' | 'delay'>> & {
      product?: string
    } = {},
  ): Promise<Hook & { secret: string }> {
    const isSecret = isChat(kind)
    const hook = await this.write(async (records, now) => {
      const team = await findTeam(records, 'acme')
      const own = product === undefined ? null : await findProduct(records, { team: 'acme', product })
      return records.hooks.create(
        team,
        { product: own, kind, url: isSecret ? null : url, events, stable, delay },
        now,
      )
    })
    const secret = isSecret ? url : newSecret()
    if (kind !== 'mail') await this.bookkeeping.hookSecrets.put(hook.id, secret, this.now, this.now)
    await this.round()
    return { ...hook, secret }
  }

  /** Publishes a version, or creates what the draft says. */
  publish(
    label: string,
    draft: Partial<VersionDraft> & { changes?: string[] } = {},
    of = APP,
  ): Promise<string> {
    const { changes = [`Change of ${label}`], ...fields } = draft
    return this.write(async (records, now) => {
      const product = await findProduct(records, of)
      const whole = {
        label,
        title: label,
        status: 'published' as const,
        date: null,
        description: null,
        ...fields,
      }
      const version = await records.versions.create(product, whole, now)
      for (const title of changes)
        await records.changes.add(product, version, { type: 'added', title, description: null }, null)
      return version.id
    })
  }

  edit(label: string, update: VersionUpdate): Promise<void> {
    return this.write(async (records, now) => {
      const { product, version } = await findVersion(records, APP, label)
      await records.versions.update(product, version, update, now)
    })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.bookkeeping.close()
    this.place[Symbol.dispose]()
  }
}
