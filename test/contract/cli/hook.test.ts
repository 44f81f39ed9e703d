import { Database } from 'bun:sqlite'
import { describe, expect, test } from 'bun:test'
import { statSync, writeFileSync } from 'node:fs'
import { Webhook } from 'standardwebhooks'
import { CHATS } from '../../support/announcing/chats.ts'
import { type Received, Receiver } from '../../support/announcing/receiver.ts'
import { PROGRAM, sandboxForEach } from '../../support/sandbox.ts'

/** What hooks send. What the commands print is in `transcripts/hooks.txt`. */

const ENV = { PUBLIC_URL: 'https://news.acme.test', HOOKS_PRIVATE: 'true' }

interface ShownHook {
  id: string
  status: string
  secret: string
}

/** A sandbox with the demo for each test, and commands run there with receivers on this machine. */
function hooksForEach() {
  const box = sandboxForEach((fresh) => fresh.demo())

  /** `said` is all that a command prints, as one line. */
  const run = async (args: readonly string[]) => {
    const { status, stdout, stderr } = await box.run(args, ENV)
    return { status, said: (stdout + stderr).replace(/\s+/g, ' ') }
  }
  const json = async <T = ShownHook>(...args: string[]): Promise<T> => {
    const { status, stdout, stderr } = await box.run([...args, '--json'], ENV)
    return status === 0 ? (JSON.parse(stdout) as T) : expect.unreachable(stderr)
  }
  const add = (url: string) => json('hook', 'add', 'acme', url)
  const release = () => box.json('version', 'create', 'acme/app', '9.0.0', '--status', 'published')
  return { box, run, json, add, release }
}

/** What a message says, if its signature is of this secret. */
const verified = (secret: string | undefined, message: Received | undefined): unknown =>
  new Webhook(secret ?? '').verify(message?.body ?? '', message?.headers.toJSON() ?? {})

describe('hook', () => {
  const { box, run, json, add } = hooksForEach()

  test('add shows a secret once, which signs what test sends, and rotate gives another', async () => {
    using receiver = new Receiver()
    const { id, secret } = await add(receiver.url())
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    for (const args of [
      ['hook', 'list'],
      ['hook', 'show', id],
      ['export', '--all'],
    ])
      expect((await run(args)).said).not.toContain(secret.slice(6))
    expect(await json('hook', 'test', id)).toMatchObject({ status: 200, answer: 'ok' })
    expect(verified(secret, receiver.received[0])).toMatchObject({ type: 'hook.test' })
    expect(receiver.received[0]?.headers.get('user-agent')).toMatch(/^changelogd\/[^ ,]+$/)

    const next = await json('hook', 'rotate', id)
    expect(next.secret).not.toBe(secret)
    await json('hook', 'test', id)
    for (const either of [secret, next.secret]) verified(either, receiver.received[1])
    receiver.answer = () => new Response('go away', { status: 403 })
    expect((await run(['hook', 'test', id])).said).toContain('403 go away')

    writeFileSync(box.at('slack.txt'), 'https://hooks.slack.test/services/T/B/verysecret\n')
    await json('hook', 'add', 'acme', '--slack-url-file', box.at('slack.txt'))
    const listed = await run(['hook', 'list', '--json'])
    expect(listed.said).toContain('"slack"')
    expect(listed.said).not.toContain('verysecret')
    expect(statSync(`${box.database}-worker`).mode & 0o777).toBe(0o600)
    expect(await Bun.file(box.database).text()).not.toContain('verysecret')
  })

  test('of any kind keeps an address from a file secret, signs all the same, and can hide one that was shown', async () => {
    using receiver = new Receiver()
    const { id } = await add(receiver.url())
    writeFileSync(box.at('secret.txt'), `${receiver.url('/hooks/verysecret')}\n`)
    writeFileSync(box.at('other.txt'), receiver.url('/hooks/verysecret/2'))
    receiver.answer = ({ path }) => new Response(`ok ${path}`)
    const hidden = await json('hook', 'add', 'acme', '--url-file', box.at('secret.txt'))
    expect(hidden).toMatchObject({ name: 'acme/webhook', kind: 'webhook', url: null, needsSecret: false })
    expect(await json('hook', 'test', hidden.id)).toMatchObject({ status: 200, answer: 'ok /…/…' })
    verified(hidden.secret, receiver.received.at(-1))
    const rotated = await json('hook', 'rotate', hidden.id)
    await json('hook', 'test', hidden.id)
    for (const either of [hidden.secret, rotated.secret]) verified(either, receiver.received.at(-1))
    expect((await run(['hook', 'add', 'acme', '--url-file', box.at('secret.txt')])).said).toContain('already')
    const moved = await json('hook', 'rotate', id, '--url-file', box.at('other.txt'))
    expect(moved).toMatchObject({ id, url: null })
    await json('hook', 'test', id)
    expect(receiver.received.at(-1)?.path).toBe('/hooks/verysecret/2')
    verified(moved.secret, receiver.received.at(-1))
    const hub = await json('hook', 'add', 'acme', '--websub-url-file', box.at('secret.txt'))
    await json('hook', 'test', hub.id)
    expect(receiver.received.at(-1)).toMatchObject({
      path: '/hooks/verysecret',
      body: expect.stringContaining('hub.mode=publish'),
    })
    writeFileSync(
      box.at('secret.yml'),
      'teams: { acme: { hooks: [{ name: by-apply, urlFile: secret.txt, product: app }] } }',
    )
    expect((await run(['apply', box.at('secret.yml')])).said).toContain('whsec_')
    await json('hook', 'test', 'acme/by-apply')
    expect(receiver.received.at(-1)).toMatchObject({ path: '/hooks/verysecret' })
    // It has another address, so it is another hook.
    writeFileSync(
      box.at('secret.yml'),
      'teams: { acme: { hooks: [{ name: by-name, urlFile: other.txt, product: app }] } }',
    )
    expect((await run(['apply', box.at('secret.yml')])).said).toContain('+ hook acme/by-name')
    await json('hook', 'test', 'acme/by-name')
    expect(receiver.received.at(-1)).toMatchObject({ path: '/hooks/verysecret/2' })
    // Standard input, which can be read only once, whatever it is compared with.
    writeFileSync(
      box.at('secret.yml'),
      "teams: { acme: { hooks: [{ name: by-input, urlFile: '-', product: app }] } }",
    )
    const apply = [...PROGRAM, 'apply', box.at('secret.yml')]
    const url = receiver.url('/hooks/verysecret/3')
    const { stdout, stderr } = await box.runProgram(['sh', '-c', 'echo "$0" | "$@"', url, ...apply], ENV)
    expect(stdout + stderr).toMatch(/\+ +hook +acme\/by-input/)
    await json('hook', 'test', 'acme/by-input')
    expect(receiver.received.at(-1)).toMatchObject({ path: '/hooks/verysecret/3' })
    const taken = ['hook', 'rotate', 'acme/by-apply', '--url-file', box.at('other.txt')]
    expect((await run(taken)).said).toContain('already')
    for (const args of [
      ['hook', 'list'],
      ['hook', 'list', '--json'],
      ['export', '--all'],
      ['hook', 'deliveries', hidden.id],
    ])
      expect((await run(args)).said).not.toContain('verysecret')
  })
})

describe('a hook', () => {
  const { box, run, json, add, release } = hooksForEach()

  test.each([
    [[], 'every new release. Releases that are public already are not announced'],
    [
      ['--stable'],
      'every new release, but no pre-releases. Releases that are public already are not announced',
    ],
    [['--on', 'withdrawn'], 'withdrawn releases'],
    [['--on', 'updated,withdrawn', '--stable'], 'updated and withdrawn releases, but no pre-releases'],
  ])('that is added with %j says what it announces', async (given, announced) => {
    const { said } = await run(['hook', 'add', 'acme', 'https://example.org/hook', ...given])
    expect(said).toContain(`. It announces ${announced}. Save the secret`)
  })

  test('of a file of apply with an address that seems secret is told so', async () => {
    writeFileSync(
      box.at('file.yml'),
      "teams: { acme: { hooks: [{ url: 'https://example.org/b1a2c3d4e5f6a7b8' }] } }",
    )
    expect((await run(['apply', box.at('file.yml')])).said).toContain('seems secret; urlFile hides it')
  })

  test('at a host that names its endpoint shows no secret if it cannot be reached', async () => {
    writeFileSync(box.at('secret.txt'), 'https://eo1secrethost2abc9.m.invalid/x')
    await json('hook', 'add', 'acme', '--url-file', box.at('secret.txt'))
    const { said } = await run(['hook', 'test', 'acme/webhook'])
    expect(said).toContain('….m.invalid')
    expect(said).not.toContain('secrethost')
  })

  test.each(Object.entries(CHATS))(
    'of %s is told of a release, and nothing shows where it is sent',
    async (kind, { path, answer }) => {
      using receiver = new Receiver()
      receiver.answer = (message) => answer(message, [])
      writeFileSync(box.at('chat.txt'), `${receiver.url(path)}\n`)
      writeFileSync(
        box.at('file.yml'),
        `teams: { acme: { hooks: [{ kind: ${kind}, name: by-apply, product: app, urlFile: chat.txt }] } }`,
      )
      const option = [`--${kind}-url-file`, box.at('chat.txt')]
      const said = [
        await run(['hook', 'add', 'acme', ...option]),
        await run(['hook', 'test', `acme/${kind}`]),
        await run(['apply', box.at('file.yml')]),
      ]
      await release()
      said.push(await run(['worker', '--once']))
      receiver.answer = (message) => answer({ ...message, path: '/elsewhere' }, [])
      expect(receiver.received).toHaveLength(3)
      for (const { body } of receiver.received.slice(1)) expect(body).not.toContain('{"type"')
      const lists = [
        'hook list',
        'hook list --json',
        `hook show acme/${kind}`,
        `hook deliveries acme/${kind}`,
      ]
      for (const line of [...lists, 'export --all', 'doctor']) said.push(await run(line.split(' ')))
      expect(said.filter(({ status }) => status !== 0)).toEqual([])
      expect(await run(['hook', 'test', `acme/${kind}`])).toMatchObject({ status: 1 })
      for (const { said: text } of said) expect(text).not.toMatch(/1001987|AAHd|xprz|tk_Ag|releases-of/)
      expect(await Bun.file(box.database).text()).not.toMatch(/1001987|AAHd|xprz|tk_Ag|releases-of/)
    },
  )

  test.each([
    [
      'telegram',
      'https://api.telegram.org/bot1:A/sendMessage',
      'A Telegram hook needs an address like https://',
    ],
    ['telegram', 'https://api.telegram.org/bot1:A/?chat_id=1', 'sendMessage?chat_id=ID'],
    ['ntfy', 'https://ntfy.sh/', 'A ntfy hook needs an address like https://ntfy.sh/TOPIC.'],
    [
      'slack',
      'https://ntfy.sh/x',
      'This is a ntfy address, not a Slack address. Use hook add with --ntfy-url-file',
    ],
  ])('of %s at %s is refused with what its address must have', async (kind, url, refusal) => {
    writeFileSync(box.at('chat.txt'), url)
    const { status, said } = await run(['hook', 'add', 'acme', `--${kind}-url-file`, box.at('chat.txt')])
    expect(status).toBe(1)
    expect(said).toContain(refusal)
    expect(said).not.toContain('bot1')
  })

  test('of a file of apply is told of new versions alone, signed with the secret that was shown', async () => {
    using receiver = new Receiver()
    writeFileSync(box.at('file.yml'), `teams: { acme: { hooks: [{ url: '${receiver.url()}' }] } }`)
    const { said } = await run(['apply', box.at('file.yml')])
    await release()
    await run(['worker', '--once'])
    expect(receiver.told).toEqual(['version.published 9.0.0'])
    const [secret] = /whsec_\S+/.exec(said) ?? []
    expect(verified(secret, receiver.received[0])).toMatchObject({ type: 'version.published' })
  })

  test('that fails is listed with the reason, and its deliveries with product and next try', async () => {
    using receiver = new Receiver()
    receiver.answer = () => new Response('out of order', { status: 500 })
    const { id } = await add(receiver.url())
    await release()
    await run(['worker', '--once'])
    const { said } = await run(['hook', 'list'])
    expect(said).toContain(`acme/127.0.0.1:${receiver.port}`)
    expect(said).toContain('It returned 500: out of order.')
    const [delivery] = await json<object[]>('hook', 'deliveries', id)
    expect(delivery).toMatchObject({ product: 'acme/app', nextAt: expect.any(String) })
    const listed = await run(['hook', 'deliveries', id])
    expect(listed.said).toContain('NEXT TRY')
    expect(listed.said).toContain('acme/app')
    // Those of all lists have one form: when it was created, fails since and was tried last.
    const time = /\d{4}-\d\d-\d\d \d\d:\d\d UTC \((?:just now|in less than a minute)\)/g
    expect(said.match(time)).toHaveLength(3)
    expect(listed.said.match(time)).toHaveLength(2)
  })

  test('that fails sends at once what waits for another try with replay --failed, and enable changes nothing', async () => {
    using receiver = new Receiver()
    receiver.answer = () => new Response('out of order', { status: 500 })
    const { id } = await add(receiver.url())
    await release()
    await run(['worker', '--once'])
    receiver.answer = () => new Response('ok')
    const { status, said } = await run(['hook', 'enable', id])
    expect([status, said]).toEqual([
      0,
      `Webhook acme/127.0.0.1:${receiver.port} is already active. To send again what failed: changelogd hook replay acme/127.0.0.1:${receiver.port} --failed `,
    ])
    expect((await run(['hook', 'list'])).said).toContain('failing since')
    await run(['worker', '--once'])
    expect(receiver.received).toHaveLength(1)
    for (const _ of ['first', 'again, as no worker ran'])
      expect((await run(['hook', 'replay', id, '--failed'])).said).toBe(
        'The worker will send 1 delivery again. ',
      )
    await run(['worker', '--once'])
    expect(receiver.told).toEqual(['version.published 9.0.0', 'version.published 9.0.0'])
    expect((await run(['hook', 'replay', id, '--failed'])).said).toBe(
      'No delivery has failed. Nothing to send again. ',
    )
    expect(await json('hook', 'show', id)).toMatchObject({ status: 'active', failingSince: null })
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
      expect(said).toContain('gave up 1 delivery, lastly of 9.0.0')
    }
    expect((await run(['hook', 'list'])).said).toContain('the receiver is gone (410)')
    expect(await json('hook', 'show', id)).toMatchObject({ status: 'disabled', givenUp: 1 })
  })

  test('names what was given up until that is dismissed, all or by its id', async () => {
    using receiver = new Receiver()
    receiver.answer = () => new Response('', { status: 410 })
    const { id } = await add(receiver.url())
    await release()
    await run(['worker', '--once'])
    receiver.answer = () => new Response('ok')
    const name = `acme/127.0.0.1:${receiver.port}`
    expect((await run(['hook', 'enable', id])).said).toBe(
      `Enabled webhook ${name}. What had failed is not sent. To send it: changelogd hook replay ${name} --failed `,
    )
    const remedy = `To send again what was given up: changelogd hook replay ${name} --failed To leave it unsent: changelogd hook dismiss ${name}`
    for (const line of ['hook list', `hook show ${id}`, 'doctor', 'status'])
      expect((await run(line.split(' '))).said).toContain(remedy)
    expect((await run(['hook', 'list'])).said).toContain('active, 1 given up')
    expect((await run(['doctor'])).status).toBe(1)
    expect(await run(['hook', 'dismiss', id, 'msg_x'])).toMatchObject({ status: 1 })
    const [delivery] = await json<{ id: string }[]>('hook', 'deliveries', id)
    expect(await run(['hook', 'dismiss', id, delivery?.id ?? ''])).toEqual({
      status: 0,
      said: 'Dismissed 1 delivery. ',
    })
    expect((await run(['hook', 'dismiss', id])).said).toBe(
      'No delivery waits or was given up. Nothing to dismiss. ',
    )
    expect(await json('hook', 'show', id)).toMatchObject({ status: 'active', givenUp: 0 })
    for (const line of ['hook list', 'doctor', 'status'])
      expect((await run(line.split(' '))).said).not.toContain('gave up')
  })

  test('without a secret is named with its remedy in the log, with one period', async () => {
    await add('https://example.org/hook')
    await release()
    using db = new Database(`${box.database}-worker`)
    db.run('delete from worker_hook_secret')
    db.close()
    const { said } = await run(['worker', '--once'])
    expect(said).toContain('Hook acme/example.org is disabled: 9.0.0 could not be delivered.')
    expect(said).toContain('has no secret. To enable it: changelogd hook rotate acme/example.org')
  })
})
