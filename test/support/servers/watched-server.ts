import { Database } from 'bun:sqlite'
import { expect } from 'bun:test'
import { dirname, join } from 'node:path'
import { runHere } from '../commands/in-process.ts'
import { type Seeder, seeder } from '../seed.ts'
import { until } from '../until.ts'
import { bearer, keyedPath, publicPath, type Subject, startServer } from './server.ts'

const PUBLIC = publicPath('acme', 'app')
const KEYED = keyedPath('acme', 'app')

/** Fills a database with a team of this name, a published version and a key, all of it in the one file. */
function fill(seed: Seeder, name: string): string {
  const team = seed.team('acme', { name })
  seed.version(seed.product(team, 'app').changelogId, '1.0.0')
  const { token } = seed.key(team)
  seed.db.run('PRAGMA wal_checkpoint(TRUNCATE)')
  seed.db.close()
  return token
}

/** The result of an integrity check of a database, and the name of its team. */
export function contents(path: string): unknown[] {
  using db = new Database(path)
  return [
    ...db.query('PRAGMA integrity_check').values(),
    ...db.query('SELECT name FROM team').values(),
  ].flat()
}

/** A server of a database whose team is called "old", with cached responses, whose files are about to change. */
export async function startWatchedServer(subject: Subject) {
  const server = await startServer(subject)
  const token = fill(server.seed, 'old')
  let log = ''
  const reading = (async () => {
    const decoder = new TextDecoder()
    for await (const chunk of server.child.stderr) log += decoder.decode(chunk, { stream: true })
  })()

  /** The name of the team that a route returns, or the status if that is not 200. */
  const name = async (path = PUBLIC, headers = {}): Promise<string> => {
    const response = await server.get(path, headers)
    const { data } = (await response.json()) as { data?: { team: { name: string } } }
    return data?.team.name ?? String(response.status)
  }
  for (let time = 0; time < 2; time++)
    expect([await name(), await name(KEYED, bearer(token))]).toEqual(['old', 'old'])

  return Object.assign(server, {
    name,
    /** All that the server has logged so far. */
    log: () => log,
    /** Resolves when the server has logged this. */
    logged: (text: string) => until(() => log.includes(text)),
    /** Resolves when it has reopened the database so many times. */
    reopened: (times = 1) => until(() => log.split('Reopened').length > times),
    /** Resolves when all of the API, and the health check, is unavailable. */
    unavailable: () =>
      until(async () => {
        const paths = ['/healthz', PUBLIC, `${PUBLIC}/versions/ver_x`, KEYED]
        const found = await Promise.all(paths.map((path) => server.get(path, bearer(token))))
        return found.every(({ status }) => status === 503)
      }),
    /** The path of another file next to the database. */
    beside: (name: string) => join(dirname(server.database), name),
    /** Creates another database next to it, whose team has this name, and gives its path. */
    another: (name: string): string => {
      const path = join(dirname(server.database), `${name}.db`)
      fill(seeder(path), name)
      return path
    },
    /** Renames the team with a command. */
    rename: async (to: string) => {
      const args = ['team', 'update', 'acme', '--name', to, '--db', server.database]
      const { status, stderr } = await runHere(args, { cwd: dirname(server.database), env: {} })
      if (status !== 0) throw new Error(stderr)
    },
    /** Ends the server, and gives the lines of its log. */
    end: async (): Promise<string[]> => {
      server.child.kill('SIGTERM')
      expect(await server.child.exited).toBe(0)
      await reading
      return withoutTimes(log.trimEnd())
    },
  })
}

const withoutTimes = (log: string): string[] => log.split('\n').map((line) => line.replace(/^\S+Z /, ''))
