import { expect, test } from 'bun:test'
import { closeSync, fstatSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { scratch } from '../../../support/scratch.ts'
import { linesOf, listening, outputOf, startProcess } from '../../../support/servers/process.ts'
import { publicPath, startServer, THE_BINARY, TWO_THREADS } from '../../../support/servers/server.ts'
import { until } from '../../../support/until.ts'

const JSON_LINES = { LOG_FORMAT: 'json' }
const LEVELS = ['info', 'warning', 'error']

/** Every line as JSON, with the fields that each has. */
const parsed = (lines: readonly string[]) =>
  lines.map((line) => {
    const entry = JSON.parse(line)
    expect(new Date(entry.time).toISOString()).toBe(entry.time)
    expect(LEVELS).toContain(entry.level)
    return entry
  })

test('the log as JSON is one object a line, from its start to its end', async () => {
  await using server = await startServer(TWO_THREADS, { ...JSON_LINES, LOG_REQUESTS: 'all' })
  const { url, lines } = server
  await server.get(publicPath('acme', 'app'))
  await until(() => lines.length === 2)
  expect(await server.stop()).toBe(0)
  const entries = parsed(lines)
  expect(entries.map(({ event }) => event)).toEqual(['listening', 'request', 'stopping', 'stopped'])
  expect(entries[0]).toMatchObject({ level: 'info', message: `changelogd is listening on ${url}`, url })
  expect(entries[1]).toMatchObject({ method: 'GET', path: publicPath('acme', 'app'), status: 404 })
})

test('the log as JSON has why it does not start, and what is wrong with the flags and the configuration file', async () => {
  await using server = await startServer(THE_BINARY)
  const { port } = new URL(server.url)
  using directory = scratch()
  writeFileSync(join(directory.path, 'server.env'), 'LOG_FORMAT=json\nNOWHERE=1\n')
  const other = 'To choose another port or host: changelogd serve --port NUMBER --host ADDRESS'
  for (const [flags, env, status, ...reasons] of [
    [[], { ...JSON_LINES, PORT: 'x', RATE_LIMIT_BURST: '0' }, 1, /PORT is "x"/, /RATE_LIMIT_BURST is "0"/],
    [[], { ...JSON_LINES, PORT: port }, 1, new RegExp(`Cannot listen on .*:${port}: another .* ${other}$`)],
    [[], { ...JSON_LINES, HOST: '203.0.113.1' }, 1, new RegExp(`: the host is not an address .* ${other}$`)],
    [['--log-format', 'json', '--port'], {}, 2, /Option '--port <number>' argument missing\./],
    [['--config', 'server.env'], {}, 1, /server\.env:2: there is no setting NOWHERE/],
  ] as const) {
    const child = startProcess([...THE_BINARY.command, 'serve', ...flags], { cwd: directory.path, env })
    const errors = linesOf(child.stderr)
    expect(await child.exited).toBe(status)
    await errors.ended
    expect(parsed(errors.lines)).toMatchObject(
      reasons.map((reason) => ({ level: 'error', event: 'refused', message: expect.stringMatching(reason) })),
    )
    expect(await new Response(child.stdout).text()).toBe('')
  }
})

test('the flag --log-requests takes what to log, and is for all requests without', async () => {
  for (const [flags, logged] of [
    [['--log-requests'], ['/livez', '/nowhere']],
    [['--log-requests', 'errors'], ['/nowhere']],
  ] as const) {
    using directory = scratch()
    const child = startProcess([...THE_BINARY.command, 'serve', '--port', '0', ...flags], {
      cwd: directory.path,
      env: {},
    })
    const output = outputOf(child)
    const url = await listening(child, output)
    for (const path of ['/livez', '/nowhere']) await fetch(url + path)
    child.kill('SIGTERM')
    expect(await child.exited).toBe(0)
    await output.ended
    const requests = output.lines.filter((line) => line.startsWith('{'))
    expect(requests.map((line) => JSON.parse(line).path)).toEqual([...logged])
  }
})

test('as text, each line of the log begins with the time, unless the journal notes that', async () => {
  const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z /
  using directory = scratch()
  const path = join(directory.path, 'log')
  const logged = async (isJournal: boolean) => {
    const file = openSync(path, 'w')
    const { dev, ino } = fstatSync(file, { bigint: true })
    const child = Bun.spawn([...THE_BINARY.command, 'serve', '--port', '0'], {
      cwd: directory.path,
      env: { JOURNAL_STREAM: isJournal ? `${dev}:${ino}` : `${dev}:${ino + 1n}` },
      stdin: 'ignore',
      stdout: 'pipe',
      stderr: file,
    })
    const { lines, ended } = linesOf(child.stdout)
    await until(() => lines.length > 0 || child.exitCode !== null)
    rmSync(join(directory.path, 'data/changelogd.db-shm'))
    await until(() => readFileSync(path, 'utf8').includes('Reopened'))
    child.kill('SIGTERM')
    await child.exited
    await ended
    closeSync(file)
    return [...lines, ...readFileSync(path, 'utf8').trim().split('\n')]
  }
  const withTime = await logged(false)
  expect(withTime.length).toBeGreaterThanOrEqual(5)
  for (const line of withTime) expect(line).toMatch(TIME)
  for (const line of await logged(true)) expect(line).not.toMatch(TIME)
})
