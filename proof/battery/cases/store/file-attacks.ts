import { existsSync, mkdirSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { dirname } from 'node:path'
import { bearer, keyedPath, publicPath } from '../../../../test/support/servers/server.ts'
import { type Case, Tally } from '../../support/case.ts'
import { Place, PROGRAM, type Server } from '../../support/place.ts'
import { getOnce, json, RawConnection, type Response } from '../../support/socket.ts'

/** By then the server has noticed what happened to its files. */
const NOTICED_MS = 1_000
/** For how long afterwards nothing old may be seen. */
const WATCHED_MS = 1_500

const path = publicPath('acme', 'app')

/**
 * The team's name tells the states apart: `old` is there before the attack, `earlier` in a copy of the file from before
 * that, `other` in another database.
 */
const OLD = 'old'
const ALL_BEFORE_THE_COMMAND = ['earlier', OLD, 'other']

interface Attack {
  /** The name that is there afterwards, or null if there is no whole database. */
  leaves: string | null
  /** What happens to the database `db`, beside which another one and a copy are. */
  run(db: string, other: string, earlier: string): void
}

const remove = (db: string, ...suffixes: string[]) => {
  for (const suffix of suffixes) rmSync(db + suffix)
}

const run = (...command: string[]) => {
  if (Bun.spawnSync(command).exitCode !== 0) throw new Error(command.join(' '))
}

const ATTACKS: Record<string, Attack> = {
  'remove -shm': { leaves: OLD, run: (db) => remove(db, '-shm') },
  'remove -wal': { leaves: OLD, run: (db) => remove(db, '-wal') },
  'remove -shm and -wal': { leaves: OLD, run: (db) => remove(db, '-shm', '-wal') },
  'mv another database into place': { leaves: 'other', run: (db, other) => renameSync(other, db) },
  'mv another database into place, and remove -shm and -wal': {
    leaves: 'other',
    run: (db, other) => {
      remove(db, '-shm', '-wal')
      renameSync(other, db)
    },
  },
  'rm the database': { leaves: null, run: (db) => remove(db, '') },
  'rm all its files': { leaves: null, run: (db) => remove(db, '', '-wal', '-shm') },
  'put a link to another database in its place': {
    leaves: 'other',
    run: (db, other) => {
      remove(db, '')
      symlinkSync(other, db)
    },
  },
  'restore an earlier copy': {
    leaves: 'earlier',
    run: (db, _, earlier) => run(PROGRAM, 'restore', earlier, '--yes', '--db', db),
  },
  'mv its directory': { leaves: null, run: (db) => renameSync(dirname(db), `${dirname(db)}-moved`) },
}

class Tallies {
  readonly fresh = new Tally(
    'One second after its files were changed the server shows what is there now, or 503: never the old data',
  )
  readonly served = new Tally('Where a whole database is there afterwards, the server serves it')
  readonly whole = new Tally('After a clean end of the server that database is whole')
  readonly health = new Tally('/healthz is 200 exactly while the API answers')
  readonly working = new Tally('No status but 200, 404 and 503 during an attack')
}

export default {
  name: 'file-attacks',
  how: 'The files of the database are removed, replaced, restored, moved or replaced by a link under a running server, and then changed with a command; also under a server that was started after another one was killed. From one second after each of these steps, requests over an open connection and over new ones must show the new data or return an error. If what is there is a whole database, they must show it within two and a half seconds.',
  async run({ of }) {
    const tallies = new Tallies()
    let attacks = 0
    for (const isAfterCrash of [false, true])
      for (const [name, attack] of Object.entries(ATTACKS)) {
        attacks++
        await attacked(`${name}${isAfterCrash ? ' after a crash' : ''}`, attack, isAfterCrash, tallies)
      }
    const symlink = new Tally(
      'A key that is disabled after its database was moved behind a symbolic link is refused',
    )
    for (let round = 0; round < of(3, 1); round++) await moved(symlink)
    return [
      tallies.fresh.row(`${attacks} attacks`),
      tallies.served.row(''),
      tallies.whole.row(''),
      tallies.health.row(''),
      tallies.working.row(''),
      symlink.row(''),
    ]
  },
} satisfies Case

async function attacked(name: string, attack: Attack, isAfterCrash: boolean, tallies: Tallies) {
  await using place = new Place()
  place.database = place.at('data/changelogd.db')
  mkdirSync(place.at('data'))
  const [other, earlier] = [place.at('other.db'), place.at('earlier.db')]
  place.fill((seed) => seed.product(seed.team('acme', { name: 'earlier' }), 'app'))
  place.fill((seed) => seed.product(seed.team('acme', { name: 'other' }), 'app'), other)
  // Checkpointed: the file alone is the whole database.
  for (const database of [place.database, other]) await place.must('team', 'list', '--db', database)
  run('cp', '-p', place.database, earlier)
  let server = await place.serve()
  // Committed while the server runs, so that there is something in the log.
  await place.must('team', 'update', 'acme', '--name', OLD)
  if (isAfterCrash) {
    await server.stop('SIGKILL')
    server = await place.serve()
  }
  using open = await RawConnection.open(server.port)
  await open.get(path)

  attack.run(place.database, other, earlier)
  const gone = attack.leaves === OLD ? [] : [OLD]
  const seen = await watch(server, open, name, gone, tallies)
  // The next command: it may fail, but what it writes must be seen.
  const { status } = await place.run(['team', 'update', 'acme', '--name', 'new'], { killAfter: 10_000 })
  const after = status === 0 ? ALL_BEFORE_THE_COMMAND : gone
  const last = await watch(server, open, `${name}, then a command`, after, tallies)
  const ended = await server.stop()
  if (attack.leaves === null) return
  tallies.served.count(
    seen === attack.leaves && status === 0 && last === 'new',
    () => `${name}: "${seen}", then after a command that ended with ${status} "${last}"`,
  )
  tallies.whole.count(
    ended === 0 && place.isWhole(),
    () =>
      `${name}: the server ended with ${ended}, and the database is ${place.isWhole() ? '' : 'not '}whole`,
  )
}

/** Checks that nothing old is seen once the server must have noticed, and gives the last name seen over a new connection. */
async function watch(
  server: Server,
  open: RawConnection,
  name: string,
  old: readonly string[],
  { fresh, health, working }: Tallies,
): Promise<string | null> {
  const began = performance.now()
  let last: string | null = null
  for (let n = 0; performance.now() - began < NOTICED_MS + WATCHED_MS; n++) {
    const late = performance.now() - began > NOTICED_MS
    // Cached and not.
    const target = n % 2 === 0 ? path : `${path}?since=${new Date(n).toISOString()}`
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
