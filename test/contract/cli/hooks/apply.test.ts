import { describe, expect, test } from 'bun:test'
import { rmSync } from 'node:fs'
import { Receiver } from '../../../support/announcing/receiver.ts'
import { ENGINES, type Engine } from '../../../support/servers/server.ts'
import { hooksForEach, verified } from './hooks.ts'

interface Step {
  action: string
  record: string
  name: string
  id?: string
  secret?: string
}

/** The commands of hooks, and `apply` with a file that has these hooks of a team. */
function applyingForEach(engine: Engine = 'SQLite') {
  const hooks = hooksForEach(engine)
  const write = (text: string) => hooks.file('file.yml', `teams:\n  acme:\n    hooks: ${text}\n`)
  return {
    ...hooks,
    tried: (text: string, ...options: string[]) => hooks.run(['apply', write(text), ...options]),
    apply: async (text: string, ...options: string[]) =>
      (await hooks.json<{ steps: Step[] }>('apply', write(text), ...options)).steps,
  }
}

describe.each(ENGINES)('apply on %s', (engine) => {
  const { box, run, file, list, tried, apply } = applyingForEach(engine)

  test('adds hooks with a secret that is shown once, a second time changes nothing, and new versions are sent', async () => {
    using receiver = new Receiver()
    const slack = file('slack.txt', 'https://hooks.slack.test/services/T/B/verysecret\n')
    const hooks = `
      - { url: '${receiver.url()}', product: app }
      - { kind: websub, url: https://hub.example.org/, status: disabled }
      - { kind: slack, urlFile: '${slack}', status: disabled }`
    const planned = await apply(hooks, '--dry-run')
    expect(planned).toMatchObject([
      { action: 'create', record: 'hook', name: `acme/127.0.0.1:${receiver.port}` },
      { action: 'create', record: 'hook', name: 'acme/hub.example.org' },
      { action: 'create', record: 'hook', name: 'acme/slack', changes: { status: { to: 'disabled' } } },
    ])
    expect(planned.some((step) => 'id' in step || 'secret' in step)).toBe(false)
    expect(await list()).toEqual([])

    const { said } = await tried(hooks)
    expect(said).not.toContain('verysecret')
    const [secret] = /whsec_\S+/.exec(said) ?? []
    expect((await list()).map(({ kind, status }) => [kind, status]).toSorted()).toEqual([
      ['slack', 'disabled'],
      ['webhook', 'active'],
      ['websub', 'disabled'],
    ])
    // The file of a chat is needed only once.
    rmSync(slack)
    expect(await apply(hooks)).toEqual([])
    // It begins with what is public, without a worker.
    await box.json('version', 'create', 'acme/app', '9.0.0', '--status', 'published')
    await run(['worker', '--once'])
    expect(receiver.told).toEqual(['version.published 9.0.0'])
    expect(verified(secret, receiver.received[0])).toMatchObject({ type: 'version.published' })
  })
})

describe('apply', () => {
  const { run, json, file, list, tried, apply } = applyingForEach()

  test('changes the status of a hook it names, and prunes those it does not name, which undo brings back', async () => {
    const both = '[{ url: https://example.org/a }, { url: https://example.org/b }]'
    const ids = (await apply(both)).map(({ id }) => id)
    const disabled = both.replace('/a }', '/a, status: disabled }')
    expect(await apply(disabled)).toMatchObject([{ action: 'update', id: ids[0] }])
    expect(await apply(both)).toEqual([])
    expect((await list()).map(({ status }) => status).toSorted()).toEqual(['active', 'disabled'])
    expect(await apply(disabled.replace('disabled', 'active'))).toMatchObject([{ action: 'update' }])

    const rest = '[{ url: https://example.org/a }]'
    const asked = await tried(rest, '--prune')
    expect(asked.said).toContain(`This deletes hook acme/example.org-2 (${ids[1]}).`)
    const dry = await tried(rest, '--prune', '--dry-run')
    expect(dry.said).toContain(`- hook acme/example.org-2 ${ids[1]}`)
    const pruned = await apply(rest, '--prune', '--yes')
    expect(pruned.filter(({ record }) => record === 'hook')).toMatchObject([{ action: 'delete', id: ids[1] }])
    expect((await list()).map(({ id }) => id)).toEqual([ids[0] as string])
    await json('undo', '--last')
    expect((await list()).map(({ id }) => id).toSorted()).toEqual(ids.map(String).toSorted())
    const enabled = await tried(both.replace('/b }', '/b, status: active }'))
    expect(enabled).toEqual({
      status: 1,
      said: expect.stringContaining('changelogd hook rotate acme/example.org-2'),
    })
  })

  test('knows a hook by its name, which it may give to one it knew by kind, address and product', async () => {
    const [slack, other] = [
      file('slack.txt', 'https://hooks.slack.test/a'),
      file('other.txt', 'https://hooks.slack.test/b'),
    ]
    const [created] = await apply(`[{ kind: slack, urlFile: '${slack}' }]`)
    const others = `
      - { kind: slack, name: others, urlFile: '${other}' }`
    const named = `
      - { kind: slack, name: releases, events: [updated, published] }
      - { url: https://example.org/a, name: intranet }`
    expect((await tried(named.replace('slack', 'discord'))).said).toContain(
      'There is no such discord hook yet',
    )
    expect(await apply(named)).toMatchObject([
      { action: 'update', name: 'acme/slack', id: created?.id, changes: { name: { to: 'releases' } } },
      { action: 'create', name: 'acme/intranet', changes: { events: { to: 'published,updated,withdrawn' } } },
    ])
    expect(await apply(others + named)).toMatchObject([{ action: 'create', name: 'acme/others' }])
    expect(await apply(others + named)).toEqual([])
    expect((await list()).map(({ name, events }) => [name, events])).toEqual([
      ['acme/releases', ['published', 'updated']],
      ['acme/intranet', ['published', 'updated', 'withdrawn']],
      ['acme/others', ['published', 'withdrawn']],
    ])
    expect((await tried('[{ kind: slack }]')).said).toContain('cannot be told apart')
    const moved = await tried('[{ url: https://example.org/b, name: intranet }]')
    expect(moved.said).toContain('acme/intranet has another kind, address or product')
    const pruned = await apply(named, '--prune', '--yes')
    expect(pruned.filter(({ record }) => record === 'hook')).toMatchObject([
      { action: 'delete', name: 'acme/others' },
    ])
  })

  test('names what is wrong with a hook and where, and repeats no secret', async () => {
    const path = file('plain.yml', 'teams:\n  acme:\n    hooks: [{ url: https://example.org/a }]\n')
    expect((await run(['apply', path], {})).said).toContain('PUBLIC_URL is not set')
    const { status, said } = await tried(`
      - { kind: slack, url: 'https://hooks.slack.test/verysecret' }
      - { kind: discord }
      - { kind: websub }
      - { url: https://example.org/a, product: nothing }
      - { url: https://example.org/b }
      - { url: https://example.org/b }`)
    expect(status).toBe(1)
    expect(said).not.toContain('verysecret')
    for (const [line, what] of [
      [4, 'The address of slack is a secret'],
      [5, 'There is no such discord hook yet'],
      [6, 'A websub must have its address as url'],
      [7, 'There is no product acme/nothing'],
      [9, 'The hook acme/example.org is in the file twice'],
    ] as const)
      expect(said).toMatch(new RegExp(`file\\.yml:${line}:\\d+: .*${what}`))
    expect((await tried('[{ url: ftp://example.org }]')).said).toContain('teams.acme.hooks.0.url is wrong')
    expect(await list()).toEqual([])
  })
})
