import { expect, test } from 'bun:test'
import { Sandbox } from '../../../support/sandbox.ts'
import { killProcess, outputOf } from '../../../support/servers/process.ts'
import { until } from '../../../support/until.ts'

const SOURCES = 6

/** Files on the web, and who asks for which. */
function playedFiles() {
  const asked = new Map<string, number>()
  const open = new Map<string, number>()
  const state = { asked, most: 0, hangs: '' }
  const server = Bun.serve({
    ...{ port: 0, hostname: '127.0.0.1', development: false, idleTimeout: 0 },
    fetch: async (request) => {
      const { pathname } = new URL(request.url)
      asked.set(pathname, (asked.get(pathname) ?? 0) + 1)
      open.set(pathname, (open.get(pathname) ?? 0) + 1)
      state.most = Math.max(state.most, ...open.values())
      request.signal.addEventListener('abort', () => open.set(pathname, 0))
      if (pathname === state.hangs) await new Promise(() => {})
      // So that others have the time to ask too.
      await Bun.sleep(20)
      open.set(pathname, (open.get(pathname) ?? 1) - 1)
      return new Response('## 1.0.0 - 2026-01-02\n\n- A change\n')
    },
  })
  const urlOf = (at: number) => `http://127.0.0.1:${server.port}/${at}/CHANGELOG.md`
  return { state, urlOf, [Symbol.dispose]: () => void server.stop(true) }
}

test('three workers on PostgreSQL take each source one at a time, and take over from one that is killed', async () => {
  await using box = await Sandbox.on('PostgreSQL')
  using files = playedFiles()
  const { state, urlOf } = files
  const options = ['--follow-private', '--create', '--no-check']
  const follow = (at: number) => box.json('follow', `acme/p${at}`, urlOf(at), ...options)
  for (let at = 0; at < SOURCES; at++) await follow(at)
  const start = async () => {
    const child = box.start(['worker'], { FOLLOW_PRIVATE: 'true' })
    const { lines } = outputOf(child)
    await until(() => lines.length > 0)
    return child
  }
  const asked = (at: number) => state.asked.get(new URL(urlOf(at)).pathname) ?? 0
  const least = () => Math.min(...Array.from({ length: SOURCES }, (_, at) => asked(at)))

  const together = await Promise.all([start(), start(), start()])
  await until(() => least() === 1)
  for (const child of together) child.kill()
  for (const child of together) expect(await child.exited).toBe(0)
  expect([...new Set(state.asked.values())]).toEqual([1])
  expect(state.most).toBe(1)

  // One of them gets no answer for a new source, and the others leave that to it.
  state.hangs = new URL(urlOf(SOURCES)).pathname
  await follow(SOURCES)
  const first = await start()
  await until(() => asked(SOURCES) === 1)
  const others = await Promise.all([start(), start()])
  await until(async () => {
    for (const child of others) child.kill('SIGUSR2')
    await Bun.sleep(100)
    return least() >= 3
  })
  expect(asked(SOURCES)).toBe(1)
  expect(state.most).toBe(1)

  state.hangs = ''
  await killProcess(first)
  await until(() => asked(SOURCES) === 2)
  await until(async () => {
    const followed = await box.json<{ checkedAt: string | null }[]>('follow', 'list')
    return followed.length === SOURCES + 1 && followed.every(({ checkedAt }) => checkedAt !== null)
  })
})
