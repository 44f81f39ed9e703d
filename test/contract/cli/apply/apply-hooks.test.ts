import { describe, expect, test } from 'bun:test'
import { rmSync, writeFileSync } from 'node:fs'
import { Webhook } from 'standardwebhooks'
import { Receiver } from '../../../support/announcing/receiver.ts'
import { type Sandbox, sandboxForEach } from '../../../support/sandbox.ts'
import { ENGINES } from '../../../support/servers/server.ts'

const ENV = { PUBLIC_URL: 'https://news.acme.test', HOOKS_PRIVATE: 'true' }

interface Step {
  action: string
  record: string
  name: string
  id?: string
  secret?: string
}

describe.each(ENGINES)('apply on %s', (engine) => {
  const box: Sandbox = sandboxForEach(() => box.json('demo'), engine)
  const write = (hooks: string): string => {
    writeFileSync(box.at('file.yml'), `teams:\n  acme:\n    hooks: ${hooks}\n`)
    return box.at('file.yml')
  }
  const apply = async (hooks: string, ...options: string[]): Promise<Step[]> => {
    const { status, stdout, stderr } = await box.run(['apply', write(hooks), '--json', ...options], ENV)
    if (status !== 0) throw new Error(stderr)
    return (JSON.parse(stdout) as { steps: Step[] }).steps
  }
  const refused = async (hooks: string, env: Record<string, string> = ENV) => {
    const { status, stderr } = await box.run(['apply', write(hooks)], env)
    expect(status).toBe(1)
    return stderr
  }
  const hooks = () => box.json<Record<string, unknown>[]>('hook', 'list')

  test('adds hooks with a secret that is shown once, and a second time changes nothing', async () => {
    using receiver = new Receiver()
    writeFileSync(box.at('slack.txt'), 'https://hooks.slack.test/services/T/B/verysecret\n')
    const file = `
      - { url: '${receiver.url()}', product: app }
      - { kind: websub, url: https://hub.example.org/ }
      - { kind: slack, urlFile: '${box.at('slack.txt')}', status: disabled }`
    const planned = await apply(file, '--dry-run')
    expect(planned).toMatchObject([
      { action: 'create', record: 'hook', name: `acme/127.0.0.1:${receiver.port}` },
      { action: 'create', record: 'hook', name: 'acme/hub.example.org' },
      { action: 'create', record: 'hook', name: 'acme/slack', changes: { status: { to: 'disabled' } } },
    ])
    expect(planned.some((step) => 'id' in step || 'secret' in step)).toBe(false)
    expect(await hooks()).toEqual([])

    const { stdout } = await box.run(['apply', write(file)], ENV)
    expect(stdout).not.toContain('verysecret')
    const [secret = ''] = /whsec_\S+/.exec(stdout) ?? []
    const [first] = (await hooks()).filter(({ kind }) => kind === 'webhook')
    await box.run(['hook', 'test', String(first?.id)], ENV)
    const [message] = receiver.received
    expect(new Webhook(secret).verify(message?.body ?? '', message?.headers.toJSON() ?? {})).toMatchObject({
      type: 'hook.test',
    })
    expect((await hooks()).map(({ kind, status }) => [kind, status]).toSorted()).toEqual([
      ['slack', 'disabled'],
      ['webhook', 'active'],
      ['websub', 'active'],
    ])
    // The file of a chat is needed only once.
    rmSync(box.at('slack.txt'))
    expect(await apply(file)).toEqual([])
  })

  test('begins a hook with what is public, without a worker', async () => {
    using receiver = new Receiver()
    const [created] = await apply(`[{ url: '${receiver.url()}' }]`)
    await box.json('version', 'create', 'acme/app', '9.0.0', '--status', 'published')
    await box.run(['worker', '--once'], ENV)
    expect(receiver.told).toEqual(['version.published 9.0.0'])
    const headers = receiver.received[0]?.headers.toJSON() ?? {}
    new Webhook(created?.secret ?? '').verify(receiver.received[0]?.body ?? '', headers)
  })

  test('changes the status of a hook it names, and prunes those it does not name, which undo brings back', async () => {
    const file = '[{ url: https://example.org/a }, { url: https://example.org/b }]'
    const created = await apply(file)
    const ids = created.map(({ id }) => id)
    const disabled = file.replace('/a }', '/a, status: disabled }')
    expect(await apply(disabled)).toMatchObject([{ action: 'update', id: ids[0] }])
    expect(await apply(file)).toEqual([])
    expect((await hooks()).map(({ status }) => status).toSorted()).toEqual(['active', 'disabled'])
    expect(await apply(disabled.replace('disabled', 'active'))).toMatchObject([{ action: 'update' }])

    const rest = '[{ url: https://example.org/a }]'
    const { status, stderr } = await box.run(['apply', write(rest), '--prune'], ENV)
    expect([status, stderr]).toEqual([
      1,
      expect.stringContaining(`This deletes hook acme/example.org-2 (${ids[1]}).`),
    ])
    const dry = await box.run(['apply', write(rest), '--prune', '--dry-run'], ENV)
    expect(dry.stdout).toMatch(new RegExp(`- +hook +acme/example.org-2 +${ids[1]}`))
    const pruned = await apply(rest, '--prune', '--yes')
    expect(pruned.filter(({ record }) => record === 'hook')).toMatchObject([{ action: 'delete', id: ids[1] }])
    expect((await hooks()).map(({ id }) => id)).toEqual([ids[0]])
    await box.json('undo', '--last')
    expect((await hooks()).map(({ id }) => id).toSorted()).toEqual(ids.toSorted())
    const enabled = file.replace('/b }', '/b, status: active }')
    const refused = await box.run(['apply', write(enabled)], ENV)
    expect([refused.status, refused.stderr]).toEqual([
      1,
      expect.stringContaining('changelogd hook rotate acme/example.org-2'),
    ])
  })

  test('knows a hook by its name, which it may give to one it knew by kind, address and product', async () => {
    writeFileSync(box.at('slack.txt'), 'https://hooks.slack.test/a')
    writeFileSync(box.at('other.txt'), 'https://hooks.slack.test/b')
    const [created] = await apply(`[{ kind: slack, urlFile: '${box.at('slack.txt')}' }]`)
    const file = `
      - { kind: slack, name: others, urlFile: '${box.at('other.txt')}' }
      - { kind: slack, name: releases, events: [updated, published] }
      - { url: https://example.org/a, name: intranet }`
    const refused = await box.run(
      ['apply', write(file.replace(/\n.*others.*/, '').replace('slack', 'discord'))],
      ENV,
    )
    expect(refused.stderr).toContain('There is no such discord hook yet')
    const steps = await apply(file.replace(/\n.*others.*/, ''))
    expect(steps).toMatchObject([
      { action: 'update', name: 'acme/slack', id: created?.id, changes: { name: { to: 'releases' } } },
      { action: 'create', name: 'acme/intranet', changes: { events: { to: 'published,updated,withdrawn' } } },
    ])
    expect(await apply(file)).toMatchObject([{ action: 'create', name: 'acme/others' }])
    expect(await apply(file)).toEqual([])
    expect((await hooks()).map(({ name, events }) => [name, events])).toEqual([
      ['acme/releases', ['published', 'updated']],
      ['acme/intranet', ['published', 'updated', 'withdrawn']],
      ['acme/others', ['published', 'withdrawn']],
    ])
    const { stderr } = await box.run(['apply', write('[{ kind: slack }]')], ENV)
    expect(stderr).toContain('cannot be told apart')
    const moved = await box.run(['apply', write('[{ url: https://example.org/b, name: intranet }]')], ENV)
    expect(moved.stderr).toContain('acme/intranet has another kind, address or product')
    const pruned = await apply(file.replace(/\n.*others.*/, ''), '--prune', '--yes')
    expect(pruned.filter(({ record }) => record === 'hook')).toMatchObject([
      { action: 'delete', name: 'acme/others' },
    ])
  })

  test('names what is wrong with a hook and where, and repeats no secret', async () => {
    expect(await refused('[{ url: https://example.org/a }]', {})).toContain('PUBLIC_URL is not set')
    const wrong = await refused(`
      - { kind: slack, url: 'https://hooks.slack.test/verysecret' }
      - { kind: discord }
      - { kind: websub }
      - { url: https://example.org/a, product: nothing }
      - { url: https://example.org/b }
      - { url: https://example.org/b }`)
    expect(wrong).not.toContain('verysecret')
    for (const [at, what] of [
      'The address of slack is a secret',
      'There is no such discord hook yet',
      'A websub must have its address as url',
      'There is no product acme/nothing',
    ].entries())
      expect(wrong).toMatch(new RegExp(`file\\.yml:${at + 4}:\\d+: .*${what}`))
    expect(wrong).toMatch(/file\.yml:9:\d+: .*The hook acme\/example\.org is in the file twice/)
    expect(await refused('[{ url: ftp://example.org }]')).toContain('teams.acme.hooks.0.url is wrong')
    expect(await hooks()).toEqual([])
  })
})
