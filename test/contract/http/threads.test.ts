import { expect, test } from 'bun:test'
import { availableParallelism } from 'node:os'
import { scratch } from '../../support/scratch.ts'
import { listening, outputOf, startProcess } from '../../support/servers/process.ts'
import { GATED, publicPath, SUBJECTS, startServer, THE_BINARY } from '../../support/servers/server.ts'
import { listenersOn } from '../../support/threads/listeners.ts'

const PATH = publicPath('acme', 'app')
const TWO = { THREADS: '2' }

/** Connections of their own go to any of the threads. */
const ALONE = { connection: 'close' }

const portOf = (url: string): number => Number(new URL(url).port)

/** Does something so many times, at most a few at once. */
async function times<T>(count: number, work: (at: number) => Promise<T>): Promise<T[]> {
  const results: T[] = []
  let next = 0
  const lane = async () => {
    while (next < count) results.push(await work(next++))
  }
  await Promise.all(Array.from({ length: 16 }, lane))
  return results
}

const count = (values: readonly number[]): Record<number, number> =>
  Object.fromEntries(
    [...new Set(values)].map((value) => [value, values.filter((each) => each === value).length]),
  )

test.each([...SUBJECTS])(
  'each of two threads of $name listens on the one port that is printed once, and shows a commit in the next response',
  async (subject) => {
    await using server = await startServer(subject, TWO)
    const { changelogId } = server.seed.product(server.seed.team('acme'), 'app')
    expect(server.lines).toHaveLength(1)
    expect(listenersOn(portOf(server.url))).toBe(2)
    for (let commit = 1; commit <= 5; commit++) {
      server.seed.version(changelogId, `1.0.${commit}`)
      const { url } = server
      const seen = await times(16, async () => {
        const response = await fetch(url + PATH, { headers: ALONE })
        return ((await response.json()) as { data: { versions: unknown[] } }).data.versions.length
      })
      expect(count(seen)).toEqual({ [commit]: 16 })
    }
  },
)

test('two threads count failed logins together, and refuse the right password after that', async () => {
  await using server = await startServer(THE_BINARY, {
    ...TWO,
    RATE_LIMIT_BURST: '50',
    RATE_LIMIT_PER_MINUTE: '1',
    ...GATED,
  })
  server.seed.product(server.seed.team('acme'), 'app')
  const { url } = server
  const login = (password: string) => ({ ...ALONE, authorization: `Basic ${btoa(`vera:${password}`)}` })
  const wrong = await times(80, async () => (await fetch(url + PATH, { headers: login('guess') })).status)
  expect(count(wrong)).toEqual({ 401: 50, 429: 30 })
  const right = await times(10, async () => (await fetch(url + PATH, { headers: login('secret') })).status)
  expect(count(right)).toEqual({ 429: 10 })
})

test('auto is a thread for each core that the process may use', async () => {
  using directory = scratch()
  const start = async (before: readonly string[]) => {
    const command = [...before, ...THE_BINARY.command, 'serve', '--threads', 'auto', '--port', '0']
    const child = startProcess(command, { cwd: directory.path, env: { PATH: process.env.PATH ?? '' } })
    const listeners = listenersOn(portOf(await listening(child, outputOf(child))))
    child.kill('SIGTERM')
    expect(await child.exited).toBe(0)
    return listeners
  }
  expect(await start([])).toBe(availableParallelism())
  expect(await start(['taskset', '--cpu-list', '0'])).toBe(1)
})
