import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import { chmodSync, writeFileSync } from 'node:fs'
import { Sandbox, type SeenVersion } from '../../../support/sandbox.ts'

describe('a version with a title and no label', () => {
  const box = new Sandbox()
  beforeEach(async () => {
    await box.renew()
    await box.json('team', 'create', 'acme', '--name', 'Acme', '--visibility', 'public')
    await box.json('product', 'create', 'acme/app', '--name', 'App', '--status', 'published')
  })
  afterAll(() => box.close())

  const titled = (command: string[], title: string, ...more: string[]) =>
    box.json<SeenVersion & { version: string }>(...command, 'acme/app', '--title', title, ...more)
  const create = async (title: string) => (await titled(['version', 'create'], title)).version
  const editor = (text: string): string => {
    const path = box.at('editor.sh')
    writeFileSync(path, `#!/bin/sh\ncat > "$1" <<'END'\n${text}\nEND\n`)
    chmodSync(path, 0o755)
    return path
  }
  const edit = async (text: string, ...args: string[]) => {
    const { stdout } = await box.run(['edit', 'acme/app', ...args, '--json'], { EDITOR: editor(text) })
    return JSON.parse(stdout) as { version: string; title: string }
  }

  test('gets one from the title, which stays when the title changes and is not given twice', async () => {
    expect(await create('Guests on every board')).toBe('guests-on-every-board')
    expect(await create('Guests on every board')).toBe('guests-on-every-board-2')
    await box.json('version', 'update', 'acme/app', 'guests-on-every-board', '--title', 'Visitors')
    expect(await box.json('version', 'show', 'acme/app', 'guests-on-every-board')).toMatchObject({
      title: 'Visitors',
    })
    // A former label still leads to its version.
    await box.json('version', 'update', 'acme/app', 'guests-on-every-board-2', '--status', 'published')
    await box.json('version', 'update', 'acme/app', 'guests-on-every-board-2', '--label', 'guests')
    expect(await create('Guests on every board')).toBe('guests-on-every-board-3')
    expect(await box.refusal('version', 'create', 'acme/app')).toContain('neither a label nor a title')
  })

  test('is written by edit, under its title or a heading without a number', async () => {
    expect(await edit('## [dark-mode] - Dark mode\n\nIt is dark.', '--title', 'Dark mode')).toMatchObject({
      version: 'dark-mode',
      title: 'Dark mode',
    })
    expect(await edit('## Boards open twice as fast\n\nThey do.')).toMatchObject({
      version: 'boards-open-twice-as-fast',
      title: 'Boards open twice as fast',
    })
  })

  test('is released from the draft by its title', async () => {
    await edit('## [Unreleased] - Inbox on your phone\n\nIt is there.')
    expect(await box.json('release', 'acme/app')).toMatchObject({
      version: 'inbox-on-your-phone',
      title: 'Inbox on your phone',
      status: 'published',
    })
    await edit('## [Unreleased]\n\nMore.')
    expect(await box.refusal('release', 'acme/app')).toContain('neither a label nor a title')
    expect(await titled(['release'], 'More', '--date', '2026-01-02')).toMatchObject({ version: 'more' })
    expect((await box.run(['status', 'acme/app'])).stdout).not.toContain('inbox-on-your-phone')
  })
})
