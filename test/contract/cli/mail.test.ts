import { expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { sandboxForEach } from '../../support/sandbox.ts'

/** Mail and mailing lists on the command line. What is sent is in test/unit/announce. */

const ENV = {
  ...{ PUBLIC_URL: 'https://news.acme.test', SMTP_URL: 'smtp://127.0.0.1:9' },
  MAIL_FROM: 'Acme News <news@acme.test>',
}
const LEAVE = 'https://lists.acme.test/leave'
const JOIN = 'https://lists.acme.test/join'

const box = sandboxForEach((fresh) => fresh.demo())
const run = async (...args: string[]) => {
  const { status, stdout, stderr } = await box.run(args, ENV)
  return { status, said: (stdout + stderr).replace(/\s+/g, ' ') }
}
const json = async (...args: string[]) => JSON.parse((await box.run([...args, '--json'], ENV)).stdout)

test('a mail hook has its address, its page to leave and its usual event, and no secret', async () => {
  const address = 'changelog@lists.acme.test'
  expect(await json('hook', 'add', 'acme', '--mail', address, '--unsubscribe-url', LEAVE)).toMatchObject({
    ...{ name: 'acme/changelog', kind: 'mail', url: address, unsubscribeUrl: LEAVE },
    ...{ events: ['published'], needsSecret: false, status: 'active' },
  })
  expect(await json('hook', 'update', 'acme/changelog', '--unsubscribe-url', 'none')).toMatchObject({
    unsubscribeUrl: null,
  })
  expect(await run('hook', 'update', 'acme/changelog', '--on', 'withdrawn')).toMatchObject({ status: 1 })
  expect((await run('hook', 'rotate', 'acme/changelog')).said).toContain(
    'sends mail, and has no secret to replace.',
  )
  expect((await run('hook', 'list')).said).toContain(` mail ${address} published active`)
})

test('a mail hook waits two minutes, or as long as one says, and no other kind waits', async () => {
  const added = (...args: string[]) => json('hook', 'add', 'acme', '--mail', 'a@acme.test', ...args)
  expect(await added()).toMatchObject({ delay: 120_000 })
  expect(await json('hook', 'update', 'acme/a', '--delay', '0')).toMatchObject({ delay: 0 })
  expect((await run('hook', 'show', 'acme/a')).said).toContain('delay none')
  const { stdout } = await box.run(['export', '--all'])
  expect(stdout).toContain('"delay":0')
  expect((await run('hook', 'update', 'acme/a', '--delay', '2d')).said).toContain(
    "--delay is '2d': it must be a duration from 0s to 1d",
  )
  expect(await run('hook', 'add', 'acme', 'https://example.org/hook', '--delay', '1m')).toMatchObject({
    status: 1,
    said: expect.stringContaining('Only a mail hook can wait before it sends.'),
  })
})

test('version publish tells the named hooks only, or none', async () => {
  for (const name of ['list', 'press']) await run('hook', 'add', 'acme', '--mail', `${name}@acme.test`)
  const told = async (label: string, ...args: string[]) => {
    await run('version', 'create', 'acme/app', label)
    expect(await run('version', 'publish', 'acme/app', label, ...args)).toMatchObject({ status: 0 })
    // Queues what is new, as a worker does.
    await run('hook', 'update', 'acme/list', '--name', 'list')
    const labels = await Promise.all(
      ['list', 'press'].map(async (name) => json('hook', 'deliveries', `acme/${name}`)),
    )
    return labels.map((of) => of.some((each: { label: string }) => each.label === label))
  }
  expect(await told('7.0.0', '--tell', 'press')).toEqual([false, true])
  expect(await told('7.1.0', '--quiet')).toEqual([false, false])
  expect(await told('7.2.0')).toEqual([true, true])
  const refused = async (...args: string[]) => {
    const { status, said } = await run('version', 'publish', 'acme/app', ...args)
    return `${status} ${said}`
  }
  expect(await refused('7.2.0', '--quiet')).toStartWith(
    '1 changelogd: Version 7.2.0 of acme/app is already published',
  )
  await run('version', 'create', 'acme/app', '7.3.0')
  expect(await refused('7.3.0', '--tell', 'nobody')).toContain('No hook named nobody hears of version 7.3.0')
  expect(await refused('7.3.0', '--quiet', '--tell', 'list')).toContain('Give --quiet or --tell, not both')
})

test('without a mail server, mail is refused with the remedy', async () => {
  const { status, stderr } = await box.run(['hook', 'add', 'acme', '--mail', 'a@acme.test'], {
    ...ENV,
    SMTP_URL: '',
  })
  expect([status, stderr]).toEqual([
    1,
    'changelogd: SMTP_URL is not set, so mail hooks send nothing. Set SMTP_URL and MAIL_FROM, for the worker and for commands.\n',
  ])
})

test('an address of mail that seems secret is added without advice to hide it, which nothing can', async () => {
  const { status, said } = await run('hook', 'add', 'acme', '--mail', 'post-3f9c2ab81d77e01a@acme.test')
  expect([status, said]).toEqual([
    0,
    'Added mail hook acme/post-3f9c2ab81d77e01a. It announces every new release. Releases that are public already are not announced. Messages have no link to unsubscribe. To add one: changelogd hook update acme/post-3f9c2ab81d77e01a --unsubscribe-url URL To send messages, run a worker: changelogd serve --worker ',
  ])
})

test('an address of mail without --mail is refused with a hint at it', async () => {
  expect((await run('hook', 'add', 'acme', 'list@acme.test')).said).toEndWith(
    'or line break. To send mail, use --mail, or kind: mail with apply. ',
  )
  expect((await run('hook', 'add', 'acme', 'list')).said).not.toContain('--mail')
})

test('mail with a page to leave the list is added without a word about it', async () => {
  const { said } = await run('hook', 'add', 'acme', '--mail', 'a@acme.test', '--unsubscribe-url', LEAVE)
  expect(said).not.toContain('unsubscribe')
})

test('apply takes an address of mail for one, also without the kind', async () => {
  const file = box.at('file.yml')
  writeFileSync(file, `teams: { acme: { hooks: [{ url: 'mailto:list@acme.test' }] } }`)
  expect((await run('apply', file)).status).toBe(0)
  expect(await json('hook', 'show', 'acme/list')).toMatchObject({ kind: 'mail', url: 'list@acme.test' })
})

test('a test message that cannot be sent says why', async () => {
  await run('hook', 'add', 'acme', '--mail', 'a@acme.test')
  expect(await run('hook', 'test', 'acme/a')).toEqual({
    status: 1,
    said: 'changelogd: The test message was not delivered: Cannot connect to 127.0.0.1:9. Check that it is running and that no firewall blocks it. ',
  })
})

test('apply, export and import carry mail hooks and forms of mailing lists', async () => {
  const file = box.at('file.yml')
  const hook = `{ kind: mail, url: 'mailto:list@acme.test', unsubscribeUrl: '${LEAVE}' }`
  writeFileSync(
    file,
    `teams: { acme: { subscribeUrl: '${JOIN}', products: { app: { subscribeUrl: '${JOIN}/app' } }, hooks: [${hook}] } }`,
  )
  expect((await run('apply', file)).status).toBe(0)
  expect((await run('apply', file)).said).toContain('Nothing to change')
  const { stdout } = await box.run(['export', '--all'], ENV)
  const [, team, product] = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(team.team).toMatchObject({
    subscribeUrl: JOIN,
    hooks: [{ kind: 'mail', url: 'mailto:list@acme.test', unsubscribeUrl: LEAVE }],
  })
  expect(product.product).toMatchObject({ subscribeUrl: `${JOIN}/app` })
  writeFileSync(box.at('all.jsonl'), stdout)
  const copy = ['--db', box.at('copy.db')]
  const imported = await run('import', '--all', box.at('all.jsonl'), ...copy)
  expect(imported.said).toContain(
    'hook acme/list is disabled, so that two databases do not announce the same releases. To enable it, run: changelogd hook enable acme/list',
  )
  expect(await json('team', 'show', 'acme', ...copy)).toMatchObject({ subscribeUrl: JOIN })
  expect((await run('hook', 'enable', 'acme/list', ...copy)).status).toBe(0)
  writeFileSync(file, `teams: { acme: { subscribeUrl: none } }`)
  await run('apply', file)
  expect(await json('team', 'show', 'acme')).toMatchObject({ subscribeUrl: null })
  for (const wrong of ['http://x.test', `https://x.test/${'x'.repeat(900)}`])
    expect((await run('team', 'update', 'acme', '--subscribe-url', wrong)).said).toContain(
      'must be an https:// address of at most 900 characters',
    )
})
