import { describe, expect, test } from 'bun:test'
import { statSync } from 'node:fs'
import { Receiver } from '../../../support/announcing/receiver.ts'
import { ENGINES } from '../../../support/servers/server.ts'
import { hooksForEach, verified } from './hooks.ts'

describe.each(ENGINES)('hook on %s', (engine) => {
  const { box, run, json, file, add } = hooksForEach(engine)

  test('add shows a secret once, which signs what test sends, and rotate gives another', async () => {
    using receiver = new Receiver()
    const without = await run(['hook', 'add', 'acme', receiver.url()], {})
    expect(without).toEqual({ status: 1, said: expect.stringContaining('PUBLIC_URL is not set') })

    const { id, secret = '' } = await add(receiver.url())
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    for (const args of [
      ['hook', 'list'],
      ['hook', 'show', id],
      ['export', '--all'],
    ])
      expect((await run(args)).said).not.toContain(secret.slice(6))
    expect(await json('hook', 'test', id)).toMatchObject({ status: 200, answer: 'ok' })
    expect(verified(secret, receiver.received[0])).toMatchObject({ type: 'hook.test' })

    const next = await json('hook', 'rotate', id)
    expect(next.secret).not.toBe(secret)
    await json('hook', 'test', id)
    for (const either of [secret, next.secret]) verified(either, receiver.received[1])
    receiver.answer = () => new Response('go away', { status: 403 })
    expect((await run(['hook', 'test', id])).said).toContain('403 go away')

    const slack = file('slack.txt', 'https://hooks.slack.test/services/T/B/verysecret\n')
    const { said } = await run(['hook', 'add', 'acme', '--slack-url-file', slack])
    expect(said).toContain('changelogd serve --worker')
    const listed = await run(['hook', 'list', '--json'])
    expect(listed.said).toContain('"slack"')
    expect(listed.said).not.toContain('verysecret')
    if (engine === 'PostgreSQL') return
    expect(statSync(`${box.database}-worker`).mode & 0o777).toBe(0o600)
    expect(await Bun.file(box.database).text()).not.toContain('verysecret')
  })
})

describe('hooks', () => {
  const { box, run, json, file, add, list } = hooksForEach()
  const other = () => ['--db', box.at('other.db')]

  test('have names that are unique in their team, and events; update changes both, export and undo keep them', async () => {
    const chats = ['published', 'withdrawn']
    const all = ['published', 'updated', 'withdrawn']
    expect(await add('https://example.org/a')).toMatchObject({ name: 'acme/example.org', events: all })
    const second = await add('https://example.org/b', '--on', 'withdrawn,published')
    expect(second).toMatchObject({ name: 'acme/example.org-2', events: chats })
    const slack = file('slack.txt', 'https://hooks.slack.test/a')
    const chat = await add('--slack-url-file', slack, '--name', 'news')
    expect(chat).toMatchObject({ name: 'acme/news', events: chats })
    for (const [line, status] of [
      ['hook add acme https://example.org/c --name news', 1],
      ['hook update acme/example.org --name news', 1],
      ['hook update acme/example.org --name no/slash', 1],
      ['hook update acme/example.org', 2],
      ['hook update acme/example.org --on published,edited', 2],
    ] as const)
      expect([line, (await run(line.split(' '))).status]).toEqual([line, status])
    const updated = { id: chat.id, name: 'acme/releases', events: all }
    expect(await json('hook', 'update', 'acme/news', '--name', 'releases', '--on', all.join())).toMatchObject(
      updated,
    )
    await json('hook', 'remove', 'acme/releases', '--yes')
    await json('hook', 'update', second.id, '--name', 'releases')
    await json('undo', '--last')
    expect(await json('hook', 'show', chat.id)).toMatchObject({ ...updated, name: 'acme/releases-2' })
    await json('export', '--all', '--output', box.at('all.jsonl'))
    await json('import', '--all', box.at('all.jsonl'), ...other())
    expect(await json('hook', 'show', 'acme/releases-2', ...other())).toMatchObject({
      id: chat.id,
      events: all,
    })
    expect((await run(['complete', '--', 'hook', 'show', ''])).said).toContain('acme/releases-2')
  })

  test('are disabled, enabled and removed by name, and what is unknown is said', async () => {
    const { id } = await add('https://example.org/hook', '--product', 'app')
    expect(await json('hook', 'disable', 'acme/example.org')).toMatchObject({ id, status: 'disabled' })
    expect(await json('hook', 'enable', id)).toMatchObject({ id, status: 'active' })
    expect((await run(['hook', 'show', 'acme/example.com'])).said).toContain('Did you mean acme/example.org?')
    expect((await run(['hook', 'replay', id, 'msg_1'])).said).toContain('has no delivery msg_1')
    expect(await json('hook', 'remove', id, '--yes')).toMatchObject({ id, deleted: true })
    expect(await list()).toEqual([])
  })

  test('come back with undo, alone or with their product or team, disabled and without a secret', async () => {
    const ofTeam = await add('https://example.org/team')
    const ofProduct = await add('https://example.org/product', '--product', 'app')
    const states = async () => (await list()).map(({ id, status }) => [id, status])
    for (const [line, lost] of [
      [`hook remove ${ofTeam.id}`, [ofTeam]],
      ['product delete acme/app', [ofProduct]],
      ['team delete acme', [ofTeam, ofProduct]],
    ] as const) {
      await json(...line.split(' '), '--yes')
      expect((await states()).flat()).not.toContain(lost[0].id)
      await json('undo', '--last')
      for (const { id } of lost) expect(await states()).toContainEqual([id, 'disabled'])
    }
  })

  test('are imported disabled, once', async () => {
    const { id } = await add('https://example.org/team', '--product', 'app')
    await json('export', '--all', '--output', box.at('all.jsonl'))
    const imported = () => run(['import', '--all', box.at('all.jsonl'), ...other()])
    expect((await imported()).said).toContain('changelogd hook rotate acme/example.org')
    expect(await json('hook', 'list', ...other())).toMatchObject([{ id, status: 'disabled' }])
    const again = await imported()
    expect(again.said).not.toContain('acme/example.org')
    expect(again.said).toStartWith('Nothing to change')
    await json('hook', 'remove', id, '--yes', ...other())
    expect((await imported()).said).toStartWith('Imported 1 team')
  })
})
