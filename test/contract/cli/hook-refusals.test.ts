import { Database } from 'bun:sqlite'
import { describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { Receiver } from '../../support/announcing/receiver.ts'
import { type Sandbox, sandboxForEach } from '../../support/sandbox.ts'

const ENV = { PUBLIC_URL: 'https://news.acme.test' }
const PRIVATE = { ...ENV, HOOKS_PRIVATE: 'true' }

describe('hook', () => {
  const box: Sandbox = sandboxForEach(() => box.json('demo'))
  const run = async (args: string[], env: Record<string, string> = ENV) => {
    const { status, stdout, stderr } = await box.run(['hook', ...args], env)
    return { status, said: (stdout + stderr).replace(/\s+/g, ' ') }
  }
  const add = async (...args: string[]): Promise<{ id: string; name: string; secret: string }> => {
    const { stdout, stderr } = await box.run(['hook', 'add', 'acme', ...args, '--json'], ENV)
    return stdout === '' ? expect.unreachable(stderr) : JSON.parse(stdout)
  }
  const file = (name: string, text: string): string => {
    writeFileSync(box.at(name), text)
    return box.at(name)
  }

  test.each([
    ['http://127.0.0.1:8802/', 'HOOKS_PRIVATE=true'],
    ['https://192.168.1.1/hook', 'HOOKS_PRIVATE=true'],
    ['https://[fd00::1]/hook', 'HOOKS_PRIVATE=true'],
    ['https://localhost:8443/', 'HOOKS_PRIVATE=true'],
    ['http://example.org/hook', 'begins with https://'],
    ['http://93.184.215.14/hook', 'begins with https://'],
  ])('add refuses %s, which could never be sent to, and says what to do', async (url, remedy) => {
    const applied = file('file.yaml', `teams: { acme: { hooks: [{ url: "${url}" }] } }`)
    const chat = file('slack.txt', url)
    for (const result of [
      await run(['add', 'acme', url]),
      await run(['add', 'acme', '--websub', url]),
      await run(['add', 'acme', '--slack-url-file', chat]),
      await box
        .run(['apply', applied, '--yes'], ENV)
        .then(({ status, stderr }) => ({ status, said: stderr })),
    ])
      expect(result).toEqual({ status: 1, said: expect.stringContaining(remedy) })
    if (remedy === 'begins with https://')
      expect((await run(['add', 'acme', url])).said).not.toContain('HOOKS_PRIVATE')
    expect(await box.json<unknown[]>('hook', 'list')).toEqual([])
  })

  test('add accepts private addresses and http to names with HOOKS_PRIVATE, but no http to the internet', async () => {
    for (const url of ['http://127.0.0.1:8802/', 'https://192.168.1.1/hook', 'http://hooks.internal/'])
      expect((await run(['add', 'acme', url], PRIVATE)).status).toBe(0)
    const { status, said } = await run(['add', 'acme', 'http://93.184.215.14/hook'], PRIVATE)
    expect([status, said]).toEqual([1, expect.stringContaining('begins with https://')])
  })

  test('add refuses a secret in an address that is shown and exported, does not repeat it, and takes it for a chat', async () => {
    const url = 'https://example.org/hook?v=1&access_token=hunter2'
    const applied = file('file.yaml', `teams: { acme: { hooks: [{ url: "${url}" }] } }`)
    const { id } = await add('https://example.org/plain')
    const { stdout } = await box.run(['export', '--all'])
    const exported = file('all.jsonl', stdout.replace('https://example.org/plain', url))
    await run(['remove', id, '--yes'])
    const results = [
      await run(['add', 'acme', url]),
      await run(['add', 'acme', '--websub', url]),
      ...(await Promise.all(
        [
          ['apply', applied, '--yes'],
          ['import', '--all', exported],
        ].map(async (args) => {
          const { status, stdout, stderr } = await box.run(args, ENV)
          return { status, said: (stdout + stderr).replace(/\s+/g, ' ') }
        }),
      )),
    ]
    for (const result of results)
      expect(result).toEqual({ status: 1, said: expect.stringContaining('password or token') })
    for (const { said } of results.slice(0, 3)) expect(said).not.toContain('hunter2')
    expect(results[0]?.said).toContain('signature')
    expect(await box.json<unknown[]>('hook', 'list')).toEqual([])
    expect((await run(['add', 'acme', '--teams-url-file', file('teams.txt', url)])).status).toBe(0)
  })

  test.each([
    ['slack', 'https://hooks.slack.com/services/T0/B0/verysecret'],
    ['slack', 'https://HOOKS.slack-gov.com./triggers/T0/1/verysecret'],
    ['discord', 'https://discord.com/api/webhooks/1/verysecret'],
    ['discord', 'https://canary.discordapp.com/api/v10/webhooks/1/verysecret'],
    ['teams', 'https://acme.webhook.office.com/webhookb2/verysecret@x/IncomingWebhook/y'],
    ['teams', 'https://prod-1.westeurope.logic.azure.com/workflows/x/triggers/manual?sig=verysecret'],
  ])(
    'add, apply and import take no address of %s for that of a webhook, and do not repeat it',
    async (chat, url) => {
      const { id } = await add('https://example.org/plain')
      const { stdout } = await box.run(['export', '--all'])
      const exported = file('all.jsonl', stdout.replace('https://example.org/plain', new URL(url).href))
      await run(['remove', id, '--yes'])
      const applied = file('file.yaml', `teams: { acme: { hooks: [{ url: "${url}" }] } }`)
      for (const args of [
        ['hook', 'add', 'acme', url],
        ['apply', applied],
        // That one is refused for its token: the kind that the file names is believed.
        ...(url.includes('sig=') ? [] : [['import', '--all', exported]]),
      ]) {
        const { status, stdout, stderr } = await box.run(args, ENV)
        expect([args[0], status, stderr]).toEqual([
          args[0],
          1,
          expect.stringContaining(`--${chat}-url-file FILE`),
        ])
        expect(stdout + stderr).not.toContain('verysecret')
      }
      expect(await box.json<unknown[]>('hook', 'list')).toEqual([])
    },
  )

  test('add and apply take a webhook at a host of Power Automate if somebody insists', async () => {
    const url = 'https://prod-1.westeurope.logic.azure.com/workflows/x'
    const refused = await run(['add', 'acme', url])
    expect(refused).toEqual({ status: 1, said: expect.stringMatching(/--teams-url-file.*--plain/) })
    expect((await run(['add', 'acme', url, '--plain'])).status).toBe(0)
    const applied = file('file.yaml', `teams: { acme: { hooks: [{ kind: webhook, url: "${url}/2" }] } }`)
    expect((await box.run(['apply', applied], ENV)).status).toBe(0)
    expect((await run(['add', 'acme', 'https://hooks.slack.com/services/T', '--plain'])).status).toBe(1)
    expect((await run(['list'])).said).toContain(`${url}/2`)
  })

  test('doctor names a stored address of a chat; lists, exports and what undo keeps have its host alone', async () => {
    const { id } = await add('https://example.org/hook')
    {
      using db = new Database(box.database)
      db.run(
        `update hook set url = 'https://hooks.slack.com/services/T0/B0/verysecret', name = 'hooks.slack.com'`,
      )
    }
    const { stdout } = await box.run(['doctor'], ENV)
    expect(stdout.replace(/\s+/g, ' ')).toContain(
      'webhook acme/hooks.slack.com has an address of slack, which is a secret',
    )
    expect(stdout.replace(/\s+/g, ' ')).toContain('changelogd hook add acme --slack-url-file FILE')
    for (const args of [
      ['hook', 'list'],
      ['hook', 'list', '--json'],
      ['hook', 'show', id],
      ['status', '--json'],
      ['export', '--all'],
    ]) {
      const { stdout } = await box.run(args, ENV)
      expect([args, stdout]).toEqual([args, expect.stringContaining('hooks.slack.com')])
      expect(stdout).not.toContain('verysecret')
    }
    const exported = file('all.jsonl', (await box.run(['export', '--all'])).stdout)
    await box.json('import', '--all', exported, '--db', box.at('other.db'))
    const chat = { id, name: 'acme/hooks.slack.com', kind: 'slack', url: null, status: 'disabled' }
    expect(await box.json<unknown[]>('hook', 'list', '--db', box.at('other.db'))).toMatchObject([chat])
    await run(['remove', id, '--yes'])
    await box.json('undo', '--last')
    expect(await box.json<unknown>('hook', 'show', id)).toMatchObject(chat)
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
      const again = await run(['add', 'acme', ...args])
      expect(again).toEqual({ status: 1, said: expect.stringContaining(`changelogd hook show ${name}`) })
    }
    file('slack.txt', 'https://hooks.slack.test/b')
    expect((await run(['add', 'acme', '--slack-url-file', slack])).status).toBe(0)
  })

  test('add says how it is written, for an address in front and for a product', async () => {
    const swapped = await run(['add', 'https://example.org/hook', 'acme'])
    expect(swapped).toEqual({ status: 2, said: expect.stringContaining('changelogd hook add acme https://') })
    const ofProduct = await run(['add', 'acme/app', 'https://example.org/hook'])
    expect(ofProduct).toEqual({ status: 2, said: expect.stringContaining('acme --product app') })
  })

  test('rotate of a webhook refuses a file with an address, and keeps the secret', async () => {
    using receiver = new Receiver()
    const url = receiver.url()
    const { stdout } = await box.run(['hook', 'add', 'acme', url, '--json'], PRIVATE)
    const { id } = JSON.parse(stdout)
    const refused = await run(['rotate', id, '--url-file', file('url.txt', 'https://example.org/other')])
    expect(refused).toEqual({ status: 2, said: expect.stringContaining('--url-file is for chats') })
    await run(['test', id], PRIVATE)
    expect(receiver.received[0]?.headers.get('webhook-signature')?.split(' ')).toHaveLength(1)
    expect(receiver.received[0]?.headers.get('user-agent')).toMatch(/^changelogd\/[^ ,]+$/)
  })

  test('rotate of a chat to the address that it has changes nothing, and says so', async () => {
    const slack = file('slack.txt', 'https://hooks.slack.test/a')
    await add('--slack-url-file', slack)
    const again = await run(['rotate', 'acme/slack', '--url-file', slack])
    expect(again).toEqual({ status: 0, said: expect.stringContaining('has this address already') })
  })

  test('rotate takes 0 for no overlap', async () => {
    const { id } = await add('https://example.org/hook')
    const { status, said } = await run(['rotate', id, '--overlap', '0'])
    expect([status, said]).toEqual([0, expect.stringContaining('is not used any more')])
  })
})
