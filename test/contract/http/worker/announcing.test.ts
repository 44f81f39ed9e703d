import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { Receiver } from '../../../support/announcing/receiver.ts'
import { PROGRAM, Sandbox } from '../../../support/sandbox.ts'
import { killProcess, linesOf, outputOf } from '../../../support/servers/process.ts'
import { until } from '../../../support/until.ts'

const ENV = { PUBLIC_URL: 'https://news.acme.test', HOOKS_PRIVATE: 'true' }

interface Shown {
  id: string
  state: string
}

describe('a worker that announces', () => {
  let box: Sandbox
  let receiver: Receiver
  beforeEach(async () => {
    box = await Sandbox.on('SQLite')
    receiver = new Receiver()
    await box.json('demo')
  })
  afterEach(async () => {
    receiver[Symbol.dispose]()
    await box.close()
  })
  const json = async <T>(...args: string[]): Promise<T> => {
    const { status, stdout, stderr } = await box.run([...args, '--json'], ENV)
    if (status !== 0) throw new Error(stderr)
    return JSON.parse(stdout) as T
  }
  const add = (url: string) => json<Shown>('hook', 'add', 'acme', url)
  const release = (label: string) => box.json('version', 'create', 'acme/app', label, '--status', 'published')
  const once = async () =>
    expect((await box.runProgram([...PROGRAM, 'worker', '--once'], ENV)).status).toBe(0)

  test('sends a replayed delivery again as it was, unless its version is hidden by now', async () => {
    const { id } = await add(receiver.url())
    await release('9.0.0')
    await once()
    const [first] = await json<Shown[]>('hook', 'deliveries', id)
    await json('hook', 'replay', id, first?.id ?? '')
    await once()
    expect(receiver.told).toEqual(['version.published 9.0.0', 'version.published 9.0.0'])
    const ids = receiver.received.map(({ headers }) => headers.get('webhook-id'))
    expect(ids).toEqual([first?.id ?? '', first?.id ?? ''])
    expect(receiver.received[1]?.body).toBe(receiver.received[0]?.body ?? '')
    expect(await json<Shown[]>('hook', 'deliveries', id)).toMatchObject([{ id: first?.id, state: 'done' }])

    await json('hook', 'replay', id, first?.id ?? '')
    await box.json('version', 'update', 'acme/app', '9.0.0', '--status', 'draft')
    await once()
    expect(receiver.told.slice(2)).toEqual(['version.withdrawn 9.0.0'])
    expect((await json<Shown[]>('hook', 'deliveries', id)).map(({ state }) => state)).toContain('dropped')
  })

  test('that runs without PUBLIC_URL says that it sends nothing as soon as a hook is added', async () => {
    const child = box.start(['worker'])
    const { lines } = outputOf(child)
    const said = linesOf(child.stderr).lines
    await until(() => lines.length === 1)
    await add(receiver.url())
    child.kill('SIGUSR2')
    await until(() => [...lines, ...said].join().includes('PUBLIC_URL is not set, so hooks send nothing.'))
    child.kill()
    expect(await child.exited).toBe(0)
    expect(receiver.received).toEqual([])
  })

  test('counts deliveries, and the hooks that fail or were disabled, in its metrics', async () => {
    using failing = new Receiver()
    using gone = new Receiver()
    failing.answer = () => new Response('', { status: 500 })
    gone.answer = () => new Response('', { status: 410 })
    for (const { url } of [receiver, failing, gone].map((each) => ({ url: each.url() }))) await add(url)
    await release('9.0.0')
    const child = box.start(['worker'], { ...ENV, WORKER_METRICS_PORT: '0' })
    const { lines } = outputOf(child)
    await until(() => lines.length >= 2)
    const metrics = async () => (await fetch(/http:\S+/.exec(lines[1] ?? '')?.[0] ?? '')).text()
    // Each is counted on its own, when it has been noted.
    for (const line of [
      'changelogd_hook_deliveries_total{result="done"} 1',
      'changelogd_hook_deliveries_total{result="failed"} 2',
      'changelogd_hook_deliveries_total{result="dropped"} 0',
      'changelogd_hooks{state="failing"} 1',
      'changelogd_hooks{state="stopped"} 1',
    ])
      await until(async () => (await metrics()).includes(line))
    child.kill()
    expect(await child.exited).toBe(0)
  })
})

test('on SQLite, what a killed worker was about to send is sent by the next one before anything else', async () => {
  await using box = await Sandbox.on('SQLite')
  using receiver = new Receiver()
  await box.json('demo')
  await box.run(['hook', 'add', 'acme', receiver.url()], ENV)
  receiver.answer = () => null
  await box.json('version', 'create', 'acme/app', '9.0.0', '--status', 'published')
  const killed = box.start(['worker'], ENV)
  await until(() => receiver.received.length === 1)
  await killProcess(killed)
  receiver.answer = () => new Response()
  await box.json('version', 'create', 'acme/app', '9.1.0', '--status', 'published')
  await box.runProgram([...PROGRAM, 'worker', '--once'], ENV)
  expect(receiver.told).toEqual([
    'version.published 9.0.0',
    'version.published 9.0.0',
    'version.published 9.1.0',
  ])
})
