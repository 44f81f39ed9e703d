import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { copyFileSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { constants } from 'node:os'
import { join } from 'node:path'
import { readConfig } from '../../../../src/config/config.ts'
import { SETTINGS, type Setting } from '../../../../src/config/settings.ts'
import { PROGRAM, Sandbox } from '../../../support/sandbox.ts'
import { PlayedHost } from '../../../support/servers/played-host.ts'
import {
  type Child,
  killProcess,
  linesOf,
  listening,
  outputOf,
  startProcess,
} from '../../../support/servers/process.ts'
import { until } from '../../../support/until.ts'

const PRIVATE = { FOLLOW_PRIVATE: 'true' }
const WORKING = /Worker started, database/

/** A worker that has begun, and every line of its log. */
async function startWorker(box: Sandbox, env: Record<string, string> = {}) {
  const child = box.start(['worker'], env)
  const { lines } = outputOf(child)
  const { lines: events } = linesOf(child.stderr)
  await until(() => lines.some((line) => WORKING.test(line)))
  return { child, events }
}

const end = async (child: Child, signal: NodeJS.Signals = 'SIGTERM') => {
  child.kill(signal)
  return child.exited
}

describe('a worker', () => {
  let box: Sandbox
  beforeEach(async () => {
    box = await Sandbox.on('SQLite')
    await box.json('team', 'create', 'acme', '--name', 'Acme', '--visibility', 'public')
  })
  afterEach(() => box.close())

  test('shows what a host publishes, keeps what was corrected here, and never hides what is deleted there', async () => {
    const host = new PlayedHost('github')
    using server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: host.handler, development: false })
    const release = (tag: string, body: string) => ({ tag, body, date: `2026-01-0${tag[1]}T00:00:00Z` })
    host.releases = [
      release('v3.0.0', '- Third'),
      release('v2.0.0', '- Second'),
      release('v1.0.0', '- First'),
    ]
    const url = `http://127.0.0.1:${server.port}/acme/app`
    const options = ['--host-kind', 'github', '--follow-private', '--create', '--publish']
    await box.json('follow', 'acme/app', url, ...options)
    const { child } = await startWorker(box, PRIVATE)
    const page = async () => (await box.response('/changelog/acme/app')).text()
    const round = async (isSeen: (page: string) => boolean) => {
      const { length } = host.requests
      child.kill('SIGUSR2')
      await until(() => host.requests.length > length)
      await until(async () => isSeen(await page()))
      return page()
    }

    await until(async () => (await page()).includes('Third'))
    expect(await page()).toMatch(/Third[\s\S]*Second[\s\S]*First/)

    host.releases[1] = release('v2.0.0', '- Second, edited')
    await round((text) => text.includes('Second, edited'))

    await box.json('version', 'update', 'acme/app', 'v3.0.0', '--title', 'By hand')
    host.releases = [
      release('v4.0.0', '- Fourth'),
      release('v3.0.0', '- Third'),
      release('v2.0.0', '- Second'),
    ]
    const last = await round((text) => text.includes('Fourth'))
    expect(last).toContain('By hand')
    expect(last).toContain('First')
    expect(await box.json('follow', 'show', 'acme/app')).toMatchObject({ failing: null })
    expect(await end(child)).toBe(0)
  })

  test('that finds no database says how to create one, and creates none', async () => {
    await using empty = await Sandbox.on('SQLite')
    const { status, stderr } = await empty.runProgram([...PROGRAM, 'worker'])
    expect([status, stderr]).toEqual([1, expect.stringContaining('changelogd migrate')])
    expect(await empty.isMissing()).toBe(true)
  })
})

describe('on SQLite', () => {
  let box: Sandbox
  beforeEach(async () => {
    box = await Sandbox.on('SQLite')
    await box.json('team', 'create', 'acme', '--name', 'Acme', '--visibility', 'public')
    writeFileSync(box.at('log.md'), '## 1.0.0 - 2026-01-02\n\n- A change\n')
    await box.json('follow', 'acme/app', 'log.md', '--create', '--publish')
  })
  afterEach(() => box.close())

  test('a second worker waits and says so, and takes over when the first is killed', async () => {
    const first = await startWorker(box)
    const second = box.start(['worker'])
    const { lines } = outputOf(second)
    const { lines: events } = linesOf(second.stderr)
    await until(() => events.length > 0)
    expect(events.join()).toContain('Another worker is running, so this one waits.')
    expect(lines).toEqual([])
    expect(await box.runProgram([...PROGRAM, 'worker', '--once'])).toMatchObject({
      status: 0,
      stderr: expect.stringContaining('so this one exits'),
    })
    await killProcess(first.child)
    await until(() => lines.some((line) => WORKING.test(line)))
    expect(await end(second, 'SIGINT')).toBe(0)
  })

  test('serve --worker starts one, hurries it on SIGUSR2, starts it again when it dies, stops it first, and takes it along', async () => {
    const server = box.start(['serve', '--port', '0', '--worker'])
    const { lines } = outputOf(server)
    const started = () => lines.filter((line) => WORKING.test(line)).length
    await until(() => started() === 1)
    await until(
      async () =>
        (await box.json<{ checkedAt: string | null }>('follow', 'show', 'acme/app')).checkedAt !== null,
    )
    const checkedAt = async () => (await box.json('follow', 'show', 'acme/app')).checkedAt
    const first = await checkedAt()
    server.kill('SIGUSR2')
    await until(async () => (await checkedAt()) !== first)
    process.kill(childOf(server.pid), 'SIGKILL')
    await until(() => started() === 2)
    const second = childOf(server.pid)
    expect(await end(server)).toBe(0)
    const told = lines.filter((line) => /stopp/.test(line)).map((line) => line.replace(/^\S+ /, ''))
    expect(told).toEqual(['changelogd is stopping', 'The worker is stopping', 'changelogd has stopped'])
    expect(() => process.kill(second, 0)).toThrow()

    const killed = box.start(['serve', '--port', '0', '--worker'])
    await listening(killed)
    await until(() => childOf(killed.pid) > 0)
    const orphan = childOf(killed.pid)
    await killProcess(killed)
    await until(() => !isRunning(orphan))
  })

  test('serve --worker starts one again after the system refused to start it', async () => {
    const server = box.start(['serve', '--port', '0', '--worker'])
    const { lines } = outputOf(server)
    const { lines: events } = linesOf(server.stderr)
    const started = () => lines.filter((line) => WORKING.test(line)).length
    await until(() => started() === 1)
    const limitFiles = (most: number) =>
      box.runProgram(['prlimit', `--pid=${server.pid}`, `--nofile=${most}:`])
    // It cannot open another file.
    expect(await limitFiles(4)).toMatchObject({ status: 0 })
    process.kill(childOf(server.pid), 'SIGKILL')
    await until(() =>
      events.some((line) => /The worker cannot start: .+\. It restarts in \d+ s\./.test(line)),
    )
    expect(await limitFiles(1_024)).toMatchObject({ status: 0 })
    await until(() => started() === 2)
    expect(await end(server)).toBe(0)
  })

  test('serve --worker starts one again that could not begin its work', async () => {
    using taken = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      fetch: () => new Response(),
      development: false,
    })
    const server = box.start(['serve', '--worker', '--port', '0', '--worker-metrics-port', `${taken.port}`])
    const { lines } = outputOf(server)
    const { lines: events } = linesOf(server.stderr)
    await until(() =>
      events.some((line) => /The worker ended with status 1\. It restarts in \d+ s\./.test(line)),
    )
    await taken.stop(true)
    await until(() => lines.some((line) => WORKING.test(line)))
    expect(await end(server)).toBe(0)
  })

  test('serve --worker starts the same program again, also if its file was replaced or removed', async () => {
    const program = box.at('changelogd')
    copyFileSync(PROGRAM[0] ?? '', program)
    const server = box.spawn([program, 'serve', '--port', '0', '--worker'])
    const { lines } = outputOf(server)
    const { lines: events } = linesOf(server.stderr)
    const started = () => lines.filter((line) => WORKING.test(line)).length
    await until(() => started() === 1)
    writeFileSync(box.at('newer'), '#!/bin/sh\necho another program >&2\n', { mode: 0o755 })
    renameSync(box.at('newer'), program)
    process.kill(childOf(server.pid), 'SIGKILL')
    await until(() => started() === 2)
    rmSync(program)
    process.kill(childOf(server.pid), 'SIGKILL')
    await until(() => started() === 3)
    expect(events.map((line) => line.replace(/^\S+ /, ''))).toEqual([
      'The worker ended by SIGKILL. It restarts in 1 s.',
      'The worker ended by SIGKILL. It restarts in 2 s.',
    ])
    expect(await end(server)).toBe(0)
  })

  test('SIGUSR2 does not end one that has just started, which checks everything as soon as it can', async () => {
    await box.json('sync')
    const checkedAt = async () => (await box.json('follow', 'show', 'acme/app')).checkedAt
    const before = await checkedAt()
    const child = box.start(['worker'])
    const read = (name: string) => readFileSync(`/proc/${child.pid}/${name}`, 'latin1')
    // It starts itself again with settings for the engine: from then on it is the program that stays.
    await until(() => read('environ').includes('BUN_JSC_forceRAMSize'))
    child.kill('SIGUSR2')
    const caught = () => BigInt(`0x${/^SigCgt:\s*(\w+)/m.exec(read('status'))?.[1]}`)
    await until(() => (caught() & (1n << BigInt(constants.signals.SIGUSR2 - 1))) !== 0n)
    child.kill('SIGUSR2')
    await until(async () => (await checkedAt()) !== before)
    expect(await end(child)).toBe(0)
  })

  test('an idle worker leaves the cache of a hot server as it is', async () => {
    const server = box.start(['serve', '--port', '0', '--metrics-port', '0'])
    const { lines } = outputOf(server)
    await until(() => lines.length >= 2)
    const [url = '', metrics = ''] = lines.map((line) => /http:\S+/.exec(line)?.[0] ?? '')
    const count = async () =>
      /^changelogd_revision_changes_total (\d+)/m.exec(await (await fetch(metrics)).text())?.[1]
    const { child } = await startWorker(box, { WORKER_METRICS_PORT: '0' })
    const page = async () => (await fetch(`${url}/changelog/acme/app`)).text()
    await until(async () => (await page()).includes('A change'))
    const checkedAt = async () => (await box.json('follow', 'show', 'acme/app')).checkedAt
    await until(async () => (await checkedAt()) !== null)
    // A page that was read while the import was committed is looked at again by the next request.
    await page()
    const before = await count()
    for (let round = 0; round < 3; round++) {
      const last = await checkedAt()
      child.kill('SIGUSR2')
      await until(async () => (await checkedAt()) !== last)
      await page()
    }
    expect(await count()).toBe(before as string)
  })
})

/** Texts of all kinds of settings. */
const TEXTS = [
  ...['true', 'off', '7', '8', '9', 'unlisted', 'json', 'errors', 'de', '#123456', '10.0.0.0/8', 'acme/app'],
  ...['s3://copies/x/', '7d', '7d,4w', 'redis://127.0.0.1', 'https://a.test'],
  ...['smtp://mail.test', 'a@example.test'],
]

test('serve hands every setting over to its worker, and none in an argument', async () => {
  const given = Object.values<Setting>(SETTINGS).map(({ name, flag, parse, default: standard = '' }, at) => {
    const others = TEXTS.filter(
      (text) => parse(text) !== null && !Bun.deepEquals(parse(text), parse(standard)),
    )
    if (others.length === 0) throw new Error(`Add a text for ${name}.`)
    // Metrics need a port of their own.
    const text = name === 'METRICS_PORT' ? '9' : (others[at % others.length] ?? '')
    return { name, flag, text }
  })
  const pairs = given.flatMap(({ flag, text }) => (flag === undefined ? [] : [[flag, text] as const]))
  const env = Object.fromEntries(
    given.flatMap(({ flag, name, text }) => (flag === undefined ? [[name, text]] : [])),
  )
  const expected = readConfig(Object.fromEntries(pairs), env)
  const args = pairs.map(([flag, text]) => `--${flag}=${text}`)
  const program = [process.execPath, join(import.meta.dir, '../../../support/handed-over.ts')]
  const child = startProcess([...program, ...args], { cwd: process.cwd(), env })
  const { config, commandLine } = JSON.parse(await new Response(child.stdout).text())
  const isMap = (_: string, value: unknown) => (value instanceof Map ? [...value] : value)
  expect(config).toEqual(JSON.parse(JSON.stringify(expected, isMap)))
  expect(commandLine).toEqual(['worker', '--child'])
})

/** 0 if it has none. */
const childOf = (pid: number): number =>
  Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')[0])

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
