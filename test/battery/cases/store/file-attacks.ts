import { copyFileSync, existsSync, mkdirSync, renameSync, rmSync, symlinkSync, truncateSync } from 'node:fs'
import { dirname } from 'node:path'
import { bearer, keyedPath, publicPath } from '../../../support/server.ts'
import { type Case, Tally } from '../../support/case.ts'
import { Place, type Server } from '../../support/place.ts'
import { getOnce, json, RawConnection, type Response } from '../../support/socket.ts'

/** By then the server has noticed what happened to its files. */
const NOTICED_MS = 1_000
/** For how long afterwards nothing old may be seen. */
const WATCHED_MS = 1_500

const path = publicPath('acme', 'app')

/** The team's name tells the states apart: `old` is there before the attack, `other` in the other database. */
const OLD = 'old'
const ALL_BEFORE_THE_COMMAND = ['before', OLD, 'other']

interface Attack {
  /** Whether the data that was there is gone afterwards. */
  replaces: boolean
  /** What happens to the database `db`, beside which another one is. */
  run(db: string, other: string): void
}

const remove = (db: string, ...suffixes: string[]) => {
  for (const suffix of suffixes) rmSync(db + suffix)
}

const ATTACKS: Record<string, Attack> = {
  'remove -shm': { replaces: false, run: (db) => remove(db, '-shm') },
  'remove -wal': { replaces: false, run: (db) => remove(db, '-wal') },
  'remove -shm and -wal': { replaces: false, run: (db) => remove(db, '-shm', '-wal') },
  'mv another database into place': { replaces: true, run: (db, other) => renameSync(other, db) },
  'mv another database into place, and remove -shm and -wal': {
    replaces: true,
    run: (db, other) => {
      remove(db, '-shm', '-wal')
      renameSync(other, db)
    },
  },
  'rm the database': { replaces: true, run: (db) => remove(db, '') },
  'rm all its files': { replaces: true, run: (db) => remove(db, '', '-wal', '-shm') },
  'cp another database over it': { replaces: true, run: (db, other) => copyFileSync(other, db) },
  'truncate it': { replaces: true, run: (db) => truncateSync(db, 0) },
  'mv its directory': { replaces: true, run: (db) => renameSync(dirname(db), `${dirname(db)}-moved`) },
}

export default {
  name: 'file-attacks',
  how: 'The files of the database are removed, replaced, overwritten, truncated or moved under a running server, and then changed with a command. From one second after each of these steps, requests over an open connection and over new ones must show the new data or return an error.',
  async run({ of }) {
    const fresh = new Tally(
      'One second after its files were changed the server shows what is there now, or 503: never the old data',
    )
    const health = new Tally('/healthz is 200 exactly while the API answers')
    const working = new Tally('No status but 200, 404 and 503 during an attack')
    let recovered = 0
    let attacks = 0
    for (let round = 0; round < of(3, 1); round++)
      for (const [name, attack] of Object.entries(ATTACKS)) {
        attacks++
        if (await attacked(name, attack, fresh, health, working)) recovered++
      }
    const symlink = new Tally(
      'A key that is disabled after its database was moved behind a symbolic link is refused',
    )
    for (let round = 0; round < of(3, 1); round++) await moved(symlink)
    return [
      fresh.row(`${attacks} attacks; after ${recovered} of them the server answered with the new data`),
      health.row(''),
      working.row(''),
      symlink.row(''),
    ]
  },
} satisfies Case

/** Whether the server shows the new data in the end. */
async function attacked(
  name: string,
  attack: Attack,
  fresh: Tally,
  health: Tally,
  working: Tally,
): Promise<boolean> {
  await using place = new Place()
  place.database = place.at('data/changelogd.db')
  mkdirSync(place.at('data'))
  const other = place.at('other.db')
  place.fill((seed) => seed.product(seed.team('acme', { name: 'before' }), 'app'))
  place.fill((seed) => seed.product(seed.team('acme', { name: 'other' }), 'app'), other)
  // Checkpointed: the file alone is the whole database.
  await place.must('team', 'list', '--db', other)
  const server = await place.serve()
  // Committed while the server runs, so that there is something in the log.
  await place.must('team', 'update', 'acme', '--name', OLD)
  using open = await RawConnection.open(server.port)
  await open.get(path)

  attack.run(place.database, other)
  await watch(server, open, name, attack.replaces ? [OLD] : [], fresh, health, working)
  // The next command: it may fail, but what it writes must be seen.
  const { status } = await place.run(['team', 'update', 'acme', '--name', 'new'], { killAfter: 10_000 })
  const old = status === 0 ? ALL_BEFORE_THE_COMMAND : attack.replaces ? [OLD] : []
  const last = await watch(server, open, `${name}, then a command`, old, fresh, health, working)
  return last === 'new' || last === 'other'
}

/** Checks that nothing old is seen once the server must have noticed, and gives the last name seen over a new connection. */
async function watch(
  server: Server,
  open: RawConnection,
  name: string,
  old: readonly string[],
  fresh: Tally,
  health: Tally,
  working: Tally,
): Promise<string | null> {
  const began = performance.now()
  let last: string | null = null
  for (let n = 0; performance.now() - began < NOTICED_MS + WATCHED_MS; n++) {
    const late = performance.now() - began > NOTICED_MS
    // Cached and not.
    const target = n % 2 === 0 ? path : `${path}?n=${n}`
    const responses = [await open.get(target).catch(() => null), await getOnce(server.port, target)]
    for (const [index, response] of responses.entries()) {
      const seen = nameIn(response)
      if (index === 1) last = seen
      working.count(
        response !== null && [200, 404, 503].includes(response.status),
        () => `${name}: ${response?.status ?? 'no response'}`,
      )
      if (late)
        fresh.count(
          seen === null || !old.includes(seen),
          () => `${name}: "${seen}" over ${index === 0 ? 'an open' : 'a new'} connection`,
        )
    }
    await Bun.sleep(40)
  }
  const [healthy, api] = [
    await getOnce(server.port, '/healthz'),
    await getOnce(server.port, `${path}?health`),
  ]
  health.count(
    (healthy?.status === 200) === (api !== null && api.status < 500),
    () => `${name}: /healthz ${healthy?.status}, API ${api?.status}`,
  )
  return last
}

const nameIn = (response: Response | null): string | null =>
  response?.status === 200 ? json<{ data: { team: { name: string } } }>(response).data.team.name : null

/** The server is killed, the database moved to another directory and linked to, and the server started again. */
async function moved(tally: Tally): Promise<void> {
  await using place = new Place()
  const { id, token } = place.fill((seed) => {
    const team = seed.team('acme')
    seed.product(team, 'app')
    return seed.key(team)
  })
  const first = await place.serve()
  await getOnce(first.port, path)
  await place.must('team', 'update', 'acme', '--name', 'Acme')
  await first.stop('SIGKILL')
  mkdirSync(place.at('elsewhere'))
  for (const suffix of ['', '-wal'])
    if (existsSync(place.database + suffix))
      renameSync(place.database + suffix, `${place.at('elsewhere/changelogd.db')}${suffix}`)
  symlinkSync(place.at('elsewhere/changelogd.db'), place.database)
  const second = await place.serve()
  using open = await RawConnection.open(second.port)
  const ask = async () => (await open.get(keyedPath('acme', 'app'), bearer(token))).status
  const before = await ask()
  await place.must('key', 'disable', id)
  const after = await ask()
  tally.count(before === 200 && after === 401, () => `${before} before, ${after} after it was disabled`)
}
