import { Database } from 'bun:sqlite'
import { describe, expect, test } from 'bun:test'
import { Receiver } from '../../../support/announcing/receiver.ts'
import { hooksForEach } from './hooks.ts'

describe('a hook', () => {
  const { box, run, json, file, add, list } = hooksForEach()
  const slack = () => file('slack.txt', 'https://hooks.slack.test/a')
  const release = () => box.json('version', 'create', 'acme/app', '9.0.0', '--status', 'published')

  test('without a secret is named with its remedy, not enabled, and after rotate says what is next', async () => {
    const webhook = await add('https://example.org/hook')
    const chat = await add('--slack-url-file', slack())
    expect(await list()).toMatchObject([
      { id: webhook.id, name: 'acme/example.org', needsSecret: false },
      { id: chat.id, name: 'acme/slack', needsSecret: false },
    ])
    for (const { id, name } of [webhook, chat]) {
      const remedy = `changelogd hook rotate ${name}${id === chat.id ? ' --url-file FILE' : ''}`
      await json('hook', 'remove', id, '--yes')
      expect((await run(['undo', '--last'])).said).toContain(`${remedy}, then changelogd hook enable ${name}`)
      for (const line of ['hook list', `hook show ${id}`, 'doctor', 'status', `hook enable ${id}`])
        expect([line, (await run(line.split(' '))).said]).toEqual([line, expect.stringContaining(remedy)])
      expect(await json('hook', 'show', id)).toMatchObject({ status: 'disabled', needsSecret: true })
    }
    const rotated = await run(['hook', 'rotate', webhook.id])
    expect(rotated.said).toContain('changelogd hook enable acme/example.org')
    expect(rotated.said).not.toContain('old secret')
    const replaced = await run(['hook', 'rotate', chat.id, '--url-file', slack()])
    expect(replaced.said).toContain('changelogd hook enable acme/slack')
    for (const { id } of [webhook, chat])
      expect(await json('hook', 'enable', id)).toMatchObject({ status: 'active', needsSecret: false })
    expect((await run(['hook', 'rotate', webhook.id])).said).toContain('The old secret is used too until')
    const without = await run(['hook', 'rotate', webhook.id, '--overlap', '0'])
    expect(without.said).toContain('is not used any more')
  })

  test('that fails is listed with the reason, and its deliveries with product and next try', async () => {
    using receiver = new Receiver()
    receiver.answer = () => new Response('out of order', { status: 500 })
    const { id } = await add(receiver.url())
    await release()
    await run(['worker', '--once'])
    const { said } = await run(['hook', 'list'])
    expect(said).toContain(`acme/127.0.0.1:${receiver.port}`)
    expect(said).toContain('It answers 500: out of order.')
    const [delivery] = await json<object[]>('hook', 'deliveries', id)
    expect(delivery).toMatchObject({ product: 'acme/app', nextAt: expect.any(String) })
    const listed = await run(['hook', 'deliveries', id])
    expect(listed.said).toContain('NEXT TRY')
    expect(listed.said).toContain('acme/app')
    // Those of all lists have one form: when it was created, fails since and was tried last.
    const time = /\d{4}-\d\d-\d\d \d\d:\d\d UTC \((?:just now|in less than a minute)\)/g
    expect(said.match(time)).toHaveLength(3)
    expect(listed.said.match(time)).toHaveLength(2)
    const replayed = await run(['hook', 'replay', id, '--failed'])
    expect(replayed).toEqual({ status: 0, said: expect.stringContaining('No delivery has failed for good') })
  })

  test('that its receiver has given up is disabled in text, JSON and log', async () => {
    using receiver = new Receiver()
    receiver.answer = () => new Response('', { status: 410 })
    const { id } = await add(receiver.url())
    await release()
    const { said: log } = await run(['worker', '--once'])
    expect(log).toContain('is disabled')
    expect(log).not.toContain('..')
    for (const line of ['hook list', `hook show ${id}`, 'doctor', 'status']) {
      const { said } = await run(line.split(' '))
      expect([line, said]).toEqual([line, expect.stringContaining('disabled')])
      expect(said).not.toContain('given up')
    }
    expect((await run(['hook', 'list'])).said).toContain('the receiver says that it is gone (410)')
    expect(await json('hook', 'show', id)).toMatchObject({ status: 'disabled' })
  })

  test('without a secret is named with its remedy in the log, with one period', async () => {
    await add('https://example.org/hook')
    await release()
    using db = new Database(`${box.database}-worker`)
    db.run('delete from worker_hook_secret')
    db.close()
    const { said } = await run(['worker', '--once'])
    expect(said).toContain('Hook acme/example.org is disabled: 9.0.0 could not be delivered.')
    expect(said).toContain('has no secret here. To go on: changelogd hook rotate acme/example.org')
  })

  test('that has no secret after a restore is named, with the command that gives it one', async () => {
    const webhook = await add('https://example.org/hook')
    const chat = await add('--slack-url-file', slack())
    await add('--websub', 'https://hub.example.org')
    await json('backup', 'monday.db')
    expect(await json<object>('restore', 'monday.db', '--yes')).toMatchObject({ hooksWithoutSecret: [] })
    expect(await json<object>('restore', 'monday.db', '--db', 'new.db')).toMatchObject({
      hooksWithoutSecret: [webhook.id, chat.id],
    })
    const { said } = await run(['restore', 'monday.db', '--db', 'newer.db'])
    for (const remedy of ['hook rotate acme/example.org', 'hook rotate acme/slack --url-file FILE'])
      expect(said).toContain(`To give it one: changelogd ${remedy}`)
    expect(said.match(/hook rotate/g)).toHaveLength(2)
  })
})
