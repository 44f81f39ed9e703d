import { writeFileSync } from 'node:fs'
import { address, type Instant } from '../../src/domain/records.ts'
import { DAY_MS } from '../../src/domain/time/time.ts'
import { createTurns } from '../../src/domain/turns.ts'
import { Quotas } from '../../src/sources/quotas.ts'
import type { Bookkeeping } from '../../src/store/bookkeeping/bookkeeping.ts'
import { openBookkeeping } from '../../src/store/bookkeeping/open.ts'
import { createWaiting } from '../../src/store/engines/wait.ts'
import { FollowJob } from '../../src/worker/following/follow-job.ts'
import { logChecks, type OnChecked } from '../../src/worker/following/report.ts'
import type { Following } from '../../src/worker/following/sync-source.ts'
import { Sandbox } from './sandbox.ts'
import { PlayedHost } from './servers/played-host.ts'

export const EVERY = 900_000
export const START = Date.parse('2026-11-16T12:00:00Z')
export const { signal } = new AbortController()
export const changelog = (...labels: string[]) =>
  labels.map((label) => `## [${label}] - 2026-01-02\n\n- Number ${label}\n\n`).join('')

/** A job on a database of its own, with a clock that the test sets. */
export class Worked {
  now: Instant = START
  readonly checked: string[] = []
  readonly notices: string[] = []
  picturesMaxBytes = 1_000_000
  bookkeeping!: Bookkeeping
  job!: FollowJob

  private constructor(readonly box: Sandbox) {}

  static async start(): Promise<Worked> {
    const worked = new Worked(await Sandbox.on('SQLite'))
    await worked.box.json('team', 'create', 'acme', '--name', 'Acme')
    await worked.begin()
    return worked
  }

  /** As a worker that has just started. A round ends with its last check, however busy this machine is. */
  async begin(lookMs = DAY_MS): Promise<void> {
    this.bookkeeping?.close()
    this.bookkeeping = await openBookkeeping(this.box.database, { clock: () => this.now })
    const { box, bookkeeping } = this
    const now = () => this.now
    const following: Following = {
      ...{ database: box.database, bookkeeping, waiting: createWaiting(), now },
      imports: createTurns(),
      picturesMaxBytes: this.picturesMaxBytes,
      context: {
        database: box.database,
        ...{ env: {}, allowPrivate: true, gitDirectory: box.at('mirrors'), knownHosts: null },
        quotas: new Quotas(),
      },
    }
    const log = logChecks(({ event, message }) => this.notices.push(`${event} ${message}`))
    const onChecked: OnChecked = (followed, outcome, before) => {
      this.checked.push(`${address(followed.product)} ${outcome.state}`)
      log(followed, outcome, before)
    }
    this.job = new FollowJob(following, onChecked, lookMs)
  }

  /** What was checked in a round at a time, and when the next one is. */
  async round(at: Instant = this.now) {
    this.now = at
    const next = await this.job.round(at, signal)
    return { checked: this.checked.splice(0).sort(), next }
  }

  async follow(name: string, ...labels: string[]): Promise<void> {
    writeFileSync(this.box.at(`${name}.md`), changelog(...labels))
    await this.box.json('follow', `acme/${name}`, `${name}.md`, '--create')
  }

  /** Follows a repository of a host that is played here as acme/app. */
  async followHost() {
    const host = new PlayedHost('github')
    host.releases = [{ tag: 'v1.0', body: '- First' }]
    const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: host.handler, development: false })
    const origin = `http://127.0.0.1:${server.port}`
    const options = ['--host-kind', 'github', '--follow-private', '--create', '--no-check']
    await this.box.json('follow', 'acme/app', `${origin}/acme/app`, ...options)
    return { host, origin, [Symbol.dispose]: () => void server.stop(true) }
  }

  async close(): Promise<void> {
    this.bookkeeping.close()
    await this.box.close()
  }
}
