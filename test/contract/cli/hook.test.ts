import { describe, expect, test } from 'bun:test'
import { statSync, writeFileSync } from 'node:fs'
import { Webhook } from 'standardwebhooks'
import { Receiver } from '../../support/announcing/receiver.ts'
import { type Sandbox, sandboxForEach } from '../../support/sandbox.ts'
import { ENGINES } from '../../support/servers/server.ts'

const ENV = { PUBLIC_URL: 'https://news.acme.test', HOOKS_PRIVATE: 'true' }

interface ShownHook {
  id: string
  name: string
  events: string[]
  secret?: string
  status: string
}

describe.each(ENGINES)('hook on %s', (engine) => {
  const box: Sandbox = sandboxForEach(() => box.json('demo'), engine)
  const run = (...args: string[]) => box.run(args, ENV)
  const json = async <T = ShownHook>(...args: string[]): Promise<T> => {
    const result = await run(...args, '--json')
    if (result.status !== 0) throw new Error(`${args.join(' ')}: ${result.stderr}`)
    return JSON.parse(result.stdout) as T
  }

  test('add needs PUBLIC_URL, and shows a secret once, which signs what test sends', async () => {
    using receiver = new Receiver()
    const without = await box.run(['hook', 'add', 'acme', receiver.url()])
    expect([without.status, without.stderr]).toEqual([1, expect.stringContaining('PUBLIC_URL is not set')])

    const { id, secret = '' } = await json('hook', 'add', 'acme', receiver.url())
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    for (const args of [['list'], ['show', id], ['deliveries', id]]) {
      const { stdout, stderr } = await run('hook', ...args, '--json')
      expect(stdout + stderr).not.toContain(secret.slice(6))
    }
    expect((await run('export', '--all')).stdout).not.toContain(secret.slice(6))

    expect(await json('hook', 'test', id)).toMatchObject({ status: 200, answer: 'ok' })
    const [message] = receiver.received
    const headers = message?.headers.toJSON() ?? {}
    expect(new Webhook(secret).verify(message?.body ?? '', headers)).toMatchObject({ type: 'hook.test' })

    const next = await json('hook', 'rotate', id)
    expect(next.secret).not.toBe(secret)
    await json('hook', 'test', id)
    for (const either of [secret, next.secret ?? ''])
      new Webhook(either).verify(
        receiver.received[1]?.body ?? '',
        receiver.received[1]?.headers.toJSON() ?? {},
      )
    receiver.answer = () => new Response('go away', { status: 403 })
    expect((await run('hook', 'test', id)).stderr).toContain('403 go away')
  })

  test('add says that a worker sends', async () => {
    const { stderr } = await run('hook', 'add', 'acme', 'https://example.org/hook')
    expect(stderr).toContain('changelogd serve --worker')
  })

  test('keeps secrets out of the database that a server reads, and from other users', async () => {
    writeFileSync(box.at('slack.txt'), 'https://hooks.slack.test/services/T/B/verysecret\n')
    await json('hook', 'add', 'acme', '--slack-url-file', box.at('slack.txt'))
    const shown = await run('hook', 'list', '--json')
    expect(shown.stdout).toContain('"slack"')
    expect(shown.stdout).not.toContain('verysecret')
    if (engine === 'SQLite') {
      expect(statSync(`${box.database}-worker`).mode & 0o777).toBe(0o600)
      expect(await Bun.file(box.database).text()).not.toContain('verysecret')
    }
  })

  test('refuses no address, several, and one with a password, without repeating it', async () => {
    expect((await run('hook', 'add', 'acme')).status).toBe(2)
    expect((await run('hook', 'add', 'acme', 'https://a.test', '--websub', 'https://b.test')).status).toBe(2)
    const { status, stderr } = await run('hook', 'add', 'acme', 'https://me:hunter2@a.test/')
    expect([status, stderr.includes('hunter2')]).toEqual([1, false])
  })

  test('have names that are unique in their team, and events; update changes both, export and undo keep them', async () => {
    const [all, chats] = [
      ['published', 'updated', 'withdrawn'],
      ['published', 'withdrawn'],
    ]
    writeFileSync(box.at('slack.txt'), 'https://hooks.slack.test/a')
    const first = await json('hook', 'add', 'acme', 'https://example.org/a')
    expect(first).toMatchObject({ name: 'acme/example.org', events: all })
    const second = await json('hook', 'add', 'acme', 'https://example.org/b', '--on', 'withdrawn,published')
    expect(second).toMatchObject({ name: 'acme/example.org-2', events: chats })
    const chat = await json('hook', 'add', 'acme', '--slack-url-file', box.at('slack.txt'), '--name', 'news')
    expect(chat).toMatchObject({ name: 'acme/news', events: chats })
    for (const [args, status] of [
      [['hook', 'add', 'acme', 'https://example.org/c', '--name', 'news'], 1],
      [['hook', 'update', 'acme/example.org', '--name', 'news'], 1],
      [['hook', 'update', 'acme/example.org', '--name', 'no/slash'], 1],
      [['hook', 'update', 'acme/example.org'], 2],
      [['hook', 'update', 'acme/example.org', '--on', 'published,edited'], 2],
    ] as const)
      expect([args, (await run(...args)).status]).toEqual([args, status])
    const updated = { id: chat.id, name: 'acme/releases', events: all }
    expect(await json('hook', 'update', 'acme/news', '--name', 'releases', '--on', all.join())).toMatchObject(
      updated,
    )
    await json('hook', 'remove', 'acme/releases', '--yes')
    await json('undo', '--last')
    expect(await json('hook', 'show', 'acme/releases')).toMatchObject(updated)
    await json('hook', 'remove', 'acme/releases', '--yes')
    await json('hook', 'update', second.id, '--name', 'releases')
    await json('undo', '--last')
    expect(await json('hook', 'show', chat.id)).toMatchObject({ ...updated, name: 'acme/releases-2' })
    await json('export', '--all', '--output', box.at('all.jsonl'))
    const other = ['--db', box.at('other.db')]
    await json('import', '--all', box.at('all.jsonl'), ...other)
    expect(await json('hook', 'show', chat.id, ...other)).toMatchObject({
      name: 'acme/releases-2',
      events: all,
    })
    const { stdout } = await run('complete', '--', 'hook', 'show', '')
    expect(stdout).toContain('acme/releases-2')
  })

  test('disable, enable and remove by name, and say what is unknown', async () => {
    const { id } = await json('hook', 'add', 'acme', 'https://example.org/hook', '--product', 'app')
    expect(await json('hook', 'disable', 'acme/example.org')).toMatchObject({ id, status: 'disabled' })
    expect(await json('hook', 'enable', id)).toMatchObject({ id, status: 'active' })
    expect((await run('hook', 'show', 'acme/example.com')).stderr).toContain('Did you mean acme/example.org?')
    expect((await run('hook', 'replay', id, 'msg_1')).stderr).toContain('has no delivery msg_1')
    expect(await json('hook', 'remove', id, '--yes')).toMatchObject({ id, deleted: true })
    expect(await json('hook', 'list')).toEqual([] as never)
  })
})

describe('hooks', () => {
  const box: Sandbox = sandboxForEach(() => box.json('demo'))
  const add = async (...args: string[]) => {
    const { stdout } = await box.run(['hook', 'add', 'acme', ...args, '--json'], ENV)
    return JSON.parse(stdout) as ShownHook
  }
  const ids = async () => (await box.json<ShownHook[]>('hook', 'list')).map(({ id, status }) => [id, status])

  test('come back with undo, alone or with their product or team, disabled and without a secret', async () => {
    const ofTeam = await add('https://example.org/team')
    const ofProduct = await add('https://example.org/product', '--product', 'app')
    for (const [command, lost] of [
      [['hook', 'remove', ofTeam.id], [ofTeam]],
      [['product', 'delete', 'acme/app'], [ofProduct]],
      [
        ['team', 'delete', 'acme'],
        [ofTeam, ofProduct],
      ],
    ] as const) {
      await box.json(...command, '--yes')
      expect((await ids()).flat()).not.toContain(lost[0].id)
      await box.json('undo', '--last')
      for (const { id } of lost) expect(await ids()).toContainEqual([id, 'disabled'])
    }
  })

  test('are exported without secrets, and imported disabled', async () => {
    const { id, secret = '' } = await add('https://example.org/team', '--product', 'app')
    await box.json('export', '--all', '--output', box.at('all.jsonl'))
    expect(await Bun.file(box.at('all.jsonl')).text()).not.toContain(secret.slice(6))
    const other = ['--db', box.at('other.db')]
    const { stderr } = await box.run(['import', '--all', box.at('all.jsonl'), ...other])
    expect(stderr).toContain('changelogd hook rotate acme/example.org')
    expect(await box.json<ShownHook[]>('hook', 'list', ...other)).toMatchObject([{ id, status: 'disabled' }])
    const again = await box.run(['import', '--all', box.at('all.jsonl'), ...other])
    expect(again.stderr).not.toContain('acme/example.org')
    expect(again.stdout).toStartWith('Nothing to change')
    await box.json('hook', 'remove', id, '--yes', ...other)
    const third = await box.run(['import', '--all', box.at('all.jsonl'), ...other])
    expect(third.stdout).toStartWith('Imported 1 team')
  })
})
