import { Database } from 'bun:sqlite'
import { describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { Receiver } from '../../support/announcing/receiver.ts'
import { PROGRAM, Sandbox, sandboxForEach } from '../../support/sandbox.ts'
import { ENGINES } from '../../support/servers/server.ts'

const ENV = { PUBLIC_URL: 'https://news.acme.test', HOOKS_PRIVATE: 'true' }

interface ShownHook {
  id: string
  name: string
  status: string
  needsSecret: boolean
}

describe.each(ENGINES)('on %s, a hook', (engine) => {
  const box: Sandbox = sandboxForEach(() => box.json('demo'), engine)
  const run = async (...args: string[]) => {
    const { status, stdout, stderr } = await box.run(args, ENV)
    return { status, said: (stdout + stderr).replace(/\s+/g, ' ') }
  }
  const json = async <T = ShownHook>(...args: string[]): Promise<T> => {
    const { stdout, stderr } = await box.run([...args, '--json'], ENV)
    return stdout === '' ? expect.unreachable(stderr) : (JSON.parse(stdout) as T)
  }
  const once = () =>
    box.runProgram([...PROGRAM, 'worker', '--once', '--public-url', ENV.PUBLIC_URL, '--hooks-private'])
  const release = (label: string) => box.json('version', 'create', 'acme/app', label, '--status', 'published')

  test('without a secret is named with its remedy, not enabled, and after rotate says what is next', async () => {
    writeFileSync(box.at('slack.txt'), 'https://hooks.slack.test/a')
    const webhook = await json('hook', 'add', 'acme', 'https://example.org/hook')
    const chat = await json('hook', 'add', 'acme', '--slack-url-file', box.at('slack.txt'))
    expect(await json<ShownHook[]>('hook', 'list')).toMatchObject([
      { id: webhook.id, name: 'acme/example.org', needsSecret: false },
      { id: chat.id, name: 'acme/slack', needsSecret: false },
    ])
    for (const { id, name } of [webhook, chat]) {
      const remedy = `changelogd hook rotate ${name}${id === chat.id ? ' --url-file FILE' : ''}`
      await box.json('hook', 'remove', id, '--yes')
      expect((await run('undo', '--last')).said).toContain(`${remedy}, then changelogd hook enable ${name}`)
      for (const command of [
        ['hook', 'list'],
        ['hook', 'show', id],
        ['doctor'],
        ['status'],
        ['hook', 'enable', id],
      ])
        expect([command, (await run(...command)).said]).toEqual([command, expect.stringContaining(remedy)])
      expect(await json('hook', 'show', id)).toMatchObject({ status: 'disabled', needsSecret: true })
    }
    const rotated = await run('hook', 'rotate', webhook.id)
    expect(rotated).toEqual({
      status: 0,
      said: expect.stringContaining('changelogd hook enable acme/example.org'),
    })
    expect(rotated.said).not.toContain('old secret')
    expect((await run('hook', 'rotate', chat.id, '--url-file', box.at('slack.txt'))).said).toContain(
      'changelogd hook enable acme/slack',
    )
    for (const { id } of [webhook, chat])
      expect(await json('hook', 'enable', id)).toMatchObject({ status: 'active', needsSecret: false })
    expect((await run('hook', 'rotate', webhook.id)).said).toContain('The old secret is used too until')
  })

  test('that fails is listed with the reason, and its deliveries with product and next try', async () => {
    using receiver = new Receiver()
    receiver.answer = () => new Response('out of order', { status: 500 })
    const { id } = await json('hook', 'add', 'acme', receiver.url())
    await release('9.0.0')
    await once()
    const { said } = await run('hook', 'list')
    expect(said).toContain(`acme/127.0.0.1:${receiver.port}`)
    expect(said).toContain('It answers 500: out of order.')
    const [delivery] = await json<{ product: string; nextAt: string }[]>('hook', 'deliveries', id)
    expect(delivery).toMatchObject({ product: 'acme/app', nextAt: expect.any(String) })
    const listed = await run('hook', 'deliveries', id)
    expect(listed.said).toContain('NEXT TRY')
    // Those of all lists have one form: when it was created, fails since and was tried last.
    const time = /\d{4}-\d\d-\d\d \d\d:\d\d UTC \((?:just now|in less than a minute)\)/g
    expect(said.match(time)).toHaveLength(3)
    expect(listed.said.match(time)).toHaveLength(2)
    expect(listed.said).toContain('acme/app')
    expect(await run('hook', 'replay', id, '--failed')).toEqual({
      status: 0,
      said: expect.stringContaining('No delivery has failed for good'),
    })
  })

  test('that its receiver has given up is disabled in text, JSON and log', async () => {
    using receiver = new Receiver()
    receiver.answer = () => new Response('', { status: 410 })
    const { id } = await json('hook', 'add', 'acme', receiver.url())
    await release('9.0.0')
    const { stderr } = await once()
    expect(stderr).toContain('is disabled')
    expect(stderr).not.toContain('..')
    for (const command of [['hook', 'list'], ['hook', 'show', id], ['doctor'], ['status']]) {
      const { said } = await run(...command)
      expect([command, said]).toEqual([command, expect.stringContaining('disabled')])
      expect(said).not.toContain('given up')
    }
    expect((await run('hook', 'list')).said).toContain('the receiver says that it is gone (410)')
    expect(await json('hook', 'show', id)).toMatchObject({ status: 'disabled' })
  })
})

test('the log of a hook without a secret names its remedy, with one period', async () => {
  await using box = await Sandbox.on('SQLite')
  await box.json('demo')
  await box.run(['hook', 'add', 'acme', 'https://example.org/hook'], ENV)
  await box.json('version', 'create', 'acme/app', '9.0.0', '--status', 'published')
  using file = new Database(`${box.database}-worker`)
  file.run('delete from worker_hook_secret')
  const { stderr } = await box.runProgram([...PROGRAM, 'worker', '--once'], ENV)
  expect(stderr).toContain('Hook acme/example.org is disabled: 9.0.0 could not be delivered.')
  expect(stderr).toContain('has no secret here. To go on: changelogd hook rotate acme/example.org')
})

test('restore names the hooks that have no secret afterwards, with the command that gives them one', async () => {
  await using box = await Sandbox.on('SQLite')
  await box.json('demo')
  writeFileSync(box.at('slack.txt'), 'https://hooks.slack.test/a')
  const added = async (...args: string[]) =>
    JSON.parse((await box.run(['hook', 'add', 'acme', ...args, '--json'], ENV)).stdout) as ShownHook
  const webhook = await added('https://example.org/hook')
  const chat = await added('--slack-url-file', box.at('slack.txt'))
  await added('--websub', 'https://hub.example.org')
  await box.json('backup', 'monday.db')
  const lacking = { hooksWithoutSecret: [webhook.id, chat.id] }
  expect(await box.json('restore', 'monday.db', '--yes')).toMatchObject({ hooksWithoutSecret: [] })
  expect(await box.json('restore', 'monday.db', '--db', 'new.db')).toMatchObject(lacking)
  const { stderr } = await box.run(['restore', 'monday.db', '--db', 'newer.db'])
  for (const remedy of ['hook rotate acme/example.org', 'hook rotate acme/slack --url-file FILE'])
    expect(stderr).toContain(`To give it one: changelogd ${remedy}`)
  expect(stderr.match(/hook rotate/g)).toHaveLength(2)
})
