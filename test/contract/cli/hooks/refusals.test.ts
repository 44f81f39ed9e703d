import { describe, expect, test } from 'bun:test'
import { Receiver } from '../../../support/announcing/receiver.ts'
import { ENV, hooksForEach, PRIVATE } from './hooks.ts'

describe('hook', () => {
  const { box, run, json, file, add, list } = hooksForEach('SQLite', ENV)
  const addition = (...args: string[]) => run(['hook', 'add', 'acme', ...args])
  /** A file of apply with a webhook at this address. */
  const applied = (url: string) => file('file.yaml', `teams: { acme: { hooks: [{ url: "${url}" }] } }`)
  /** An export with a webhook at this address. */
  const exported = async (url: string) => {
    const { id } = await add('https://example.org/plain')
    const { stdout } = await box.run(['export', '--all'])
    await json('hook', 'remove', id, '--yes')
    return file('all.jsonl', stdout.replace('https://example.org/plain', url))
  }

  test('add refuses no address, and several', async () => {
    expect((await addition()).status).toBe(2)
    expect((await addition('https://a.test', '--websub', 'https://b.test')).status).toBe(2)
  })

  test.each([
    ['https://[fd00::1]/hook', 'HOOKS_PRIVATE=true'],
    ['http://localhost:8443/', 'HOOKS_PRIVATE=true'],
    ['http://93.184.215.14/hook', 'begins with https://'],
  ])('add refuses %s, which could never be sent to, and says what to do', async (url, remedy) => {
    for (const args of [
      ['hook', 'add', 'acme', url],
      ['hook', 'add', 'acme', '--websub', url],
      ['hook', 'add', 'acme', '--slack-url-file', file('slack.txt', url)],
      ['apply', applied(url), '--yes'],
    ])
      expect(await run(args)).toEqual({ status: 1, said: expect.stringContaining(remedy) })
    if (remedy === 'begins with https://') expect((await addition(url)).said).not.toContain('HOOKS_PRIVATE')
    expect(await list()).toEqual([])
  })

  test('add accepts private addresses and http to names with HOOKS_PRIVATE, but no http to the internet', async () => {
    const status = async (url: string) => (await run(['hook', 'add', 'acme', url], PRIVATE)).status
    for (const url of ['http://127.0.0.1:8802/', 'https://192.168.1.1/hook', 'http://hooks.internal/'])
      expect(await status(url)).toBe(0)
    expect(await status('http://93.184.215.14/hook')).toBe(1)
  })

  test('add refuses a secret in an address that is shown and exported, does not repeat it, and takes it for a chat', async () => {
    const url = 'https://example.org/hook?v=1&access_token=hunter2'
    for (const args of [
      ['hook', 'add', 'acme', url],
      ['hook', 'add', 'acme', 'https://me:hunter2@a.test/'],
      ['hook', 'add', 'acme', '--websub', url],
      ['apply', applied(url), '--yes'],
    ]) {
      const { status, said } = await run(args)
      expect([status, said]).toEqual([1, expect.stringContaining('password or token')])
      expect(said).not.toContain('hunter2')
    }
    const { status, said } = await run(['import', '--all', await exported(url)])
    expect([status, said]).toEqual([1, expect.stringContaining('password or token')])
    expect(await list()).toEqual([])
    expect((await addition('--teams-url-file', file('teams.txt', url))).status).toBe(0)
  })

  test('add, apply and import take no address of a chat for that of a webhook, and do not repeat it', async () => {
    const url = 'https://canary.discordapp.com/api/v10/webhooks/1/verysecret'
    for (const args of [
      ['hook', 'add', 'acme', url],
      ['apply', applied(url)],
      ['import', '--all', await exported(url)],
    ]) {
      const { status, said } = await run(args)
      expect([status, said]).toEqual([1, expect.stringContaining('--discord-url-file FILE')])
      expect(said).not.toContain('verysecret')
    }
    expect(await list()).toEqual([])
  })

  test('add and apply take a webhook at a host of Power Automate if somebody insists', async () => {
    const url = 'https://prod-1.westeurope.logic.azure.com/workflows/x'
    expect(await addition(url)).toEqual({
      status: 1,
      said: expect.stringMatching(/--teams-url-file.*--plain/),
    })
    expect((await addition(url, '--plain')).status).toBe(0)
    const path = file('file.yaml', `teams: { acme: { hooks: [{ kind: webhook, url: "${url}/2" }] } }`)
    expect((await run(['apply', path])).status).toBe(0)
    expect((await addition('https://hooks.slack.com/services/T', '--plain')).status).toBe(1)
    expect((await run(['hook', 'list'])).said).toContain(`${url}/2`)
  })

  test('doctor names a stored address of a chat; lists, exports and what undo keeps have its host alone', async () => {
    const { id } = await add('https://example.org/hook')
    box.write(
      `update hook set url = 'https://hooks.slack.com/services/T0/B0/verysecret', name = 'hooks.slack.com'`,
    )
    const { said } = await run(['doctor'])
    expect(said).toContain('webhook acme/hooks.slack.com has an address of slack, which is a secret')
    expect(said).toContain('changelogd hook add acme --slack-url-file FILE')
    for (const line of [
      'hook list',
      'hook list --json',
      `hook show ${id}`,
      'status --json',
      'export --all --output all.jsonl',
    ])
      expect((await run(line.split(' '))).said).not.toContain('verysecret')
    expect(await Bun.file(box.at('all.jsonl')).text()).not.toContain('verysecret')
    await json('import', '--all', 'all.jsonl', '--db', 'other.db')
    const chat = { id, name: 'acme/hooks.slack.com', kind: 'slack', url: null, status: 'disabled' }
    expect(await json<object>('hook', 'list', '--db', 'other.db')).toMatchObject([chat])
    await json('hook', 'remove', id, '--yes')
    await json('undo', '--last')
    expect(await json('hook', 'show', id)).toMatchObject(chat)
  })

  test('add refuses what is there already, and names it', async () => {
    const slack = file('slack.txt', 'https://hooks.slack.test/a')
    for (const args of [
      ['https://example.org/hook'],
      ['https://example.org/hook', '--product', 'app'],
      ['--websub', 'https://example.org/hook'],
      ['--slack-url-file', slack],
    ]) {
      const { name } = await add(...args)
      const again = await addition(...args)
      expect(again).toEqual({ status: 1, said: expect.stringContaining(`changelogd hook show ${name}`) })
    }
    file('slack.txt', 'https://hooks.slack.test/b')
    expect((await addition('--slack-url-file', slack)).status).toBe(0)
  })

  test('add says how it is written, for an address in front and for a product', async () => {
    const swapped = await run(['hook', 'add', 'https://example.org/hook', 'acme'])
    expect(swapped).toEqual({ status: 2, said: expect.stringContaining('changelogd hook add acme https://') })
    const ofProduct = await run(['hook', 'add', 'acme/app', 'https://example.org/hook'])
    expect(ofProduct).toEqual({ status: 2, said: expect.stringContaining('acme --product app') })
  })

  test('rotate refuses the file of a chat for a webhook, and keeps the secret; the same address changes nothing', async () => {
    using receiver = new Receiver()
    await run(['hook', 'add', 'acme', receiver.url(), '--name', 'hook'], PRIVATE)
    const slack = file('slack.txt', 'https://hooks.slack.test/a')
    const refused = await run(['hook', 'rotate', 'acme/hook', '--url-file', slack])
    expect(refused).toEqual({ status: 2, said: expect.stringContaining('--url-file is for chats') })
    await run(['hook', 'test', 'acme/hook'], PRIVATE)
    expect(receiver.received[0]?.headers.get('webhook-signature')?.split(' ')).toHaveLength(1)
    expect(receiver.received[0]?.headers.get('user-agent')).toMatch(/^changelogd\/[^ ,]+$/)
    await add('--slack-url-file', slack)
    const again = await run(['hook', 'rotate', 'acme/slack', '--url-file', slack])
    expect(again).toEqual({ status: 0, said: expect.stringContaining('has this address already') })
  })
})
