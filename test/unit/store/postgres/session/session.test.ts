import { beforeAll, describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { SQL } from 'bun'
import { postgres } from '../../../../support/postgres/cluster.ts'
import { type Passage, proxyTo } from '../../../../support/postgres/proxy.ts'
import { Sandbox } from '../../../../support/sandbox.ts'

beforeAll(async () => {
  await postgres()
})

/** A way on which `happen` is called when a statement with this text passes. */
async function proxyUntil(target: string, text: RegExp, happen: (proxy: Passage) => void): Promise<Passage> {
  const proxy: Passage = await proxyTo(target, () => (_, chunk) => {
    if (text.test(String(chunk))) happen(proxy)
    return true
  })
  return proxy
}

// Each of these waits for many seconds, as a user would: they do so at the same time.
describe.concurrent('a connection that goes silent in the middle of', () => {
  test.each([
    ['an import', 'import acme/app CHANGELOG.md --wait 1', /insert into "version"/],
    ['a migration', 'migrate --wait 1', /CREATE TABLE "team"/],
  ])('%s is given up, with a word before and after', async (_, line, text) => {
    const isBare = line.startsWith('migrate')
    await using box = await Sandbox.on('PostgreSQL', { isBare })
    if (!isBare) await box.json('demo')
    writeFileSync(box.at('CHANGELOG.md'), '## [9.0.0] - 2026-01-02\n\n### Added\n\n- A thing\n')
    using proxy = await proxyUntil(box.database, text, (way) => way.stall())
    const { status, stdout, stderr } = await box.run(line.split(' '), { DATABASE_URL: proxy.address })
    expect([status, stdout]).toEqual([1, ''])
    expect(stderr).toMatch(/^Waiting for the database postgres:\S+ to respond …$/m)
    expect(stderr).toMatch(
      /^changelogd: The database postgres:\S+ has not responded for 5 s\. Nothing was changed\.$/m,
    )
  })

  test('a deletion does not block others: its session is ended, and nothing is kept of it', async () => {
    await using box = await Sandbox.on('PostgreSQL')
    await box.json('demo')
    using proxy = await proxyUntil(box.database, /delete from "team"/, (way) => way.deafen())
    const { status } = await box.run(['team', 'delete', 'acme', '--yes', '--wait', '1'], {
      DATABASE_URL: proxy.address,
    })
    expect(status).toBe(1)
    await box.json('team', 'create', 'new', '--name', 'New', '--wait', '0')
    expect(await box.json<unknown[]>('undo')).toEqual([])
  })
})

test.concurrent('a statement on which the engine works is waited for, however long it takes', async () => {
  await using box = await Sandbox.on('PostgreSQL')
  await using sql = new SQL(box.database, { max: 1 })
  // Longer than a silent connection would be kept.
  await sql.unsafe(`create function slow() returns trigger language plpgsql as 'begin perform pg_sleep(10); return null; end';
    create trigger slow after insert on team execute function slow()`)
  const { status, stderr } = await box.run(['team', 'create', 'acme', '--name', 'Acme', '--wait', '1'])
  expect([status, stderr]).toEqual([0, expect.not.stringContaining('Waiting')])
})
