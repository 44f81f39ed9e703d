import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { copyFileSync } from 'node:fs'
import { writeLock } from '../../support/database/steps.ts'
import { Sandbox } from '../../support/sandbox.ts'

test('eight writers at once wait for each other: nothing is lost, and none is told that it is busy', async () => {
  await using box = new Sandbox('SQLite', { way: 'the binary' })
  const eight = async (command: (at: number) => string[]) => {
    const results = await Promise.all(Array.from({ length: 8 }, (_, at) => box.run(command(at))))
    expect(results.filter((result) => result.status !== 0)).toEqual([])
  }
  // The first of them meet a database that does not exist yet.
  await eight((at) => ['team', 'create', `team-${at}`, '--name', `${at}`])
  await box.json('product', 'create', 'team-0/app', '--name', 'App')
  await box.json('version', 'create', 'team-0/app', '1', '--title', 'One')
  const add = ['change', 'add', 'team-0/app', '1', '--type', 'added', '--position', '1']
  for (let round = 0; round < 2; round++) await eight((at) => [...add, `change ${round} ${at}`])
  const list = await box.json<{ title: string; position: number }[]>('change', 'list', 'team-0/app', '1')
  expect(new Set(list.map((change) => change.title)).size).toBe(16)
  expect(list.map((change) => change.position)).toEqual(Array.from({ length: 16 }, (_, at) => at + 1))
})

test.concurrent('a writer that is killed at any moment leaves nothing half-written', async () => {
  await using box = new Sandbox('SQLite', { way: 'the binary' })
  await box.demo()
  const products = Array.from({ length: 300 }, (_, at) => `      p${at}: { name: P${at} }`).join('\n')
  const file = `${box.directory}/many.yml`
  await Bun.write(file, `teams:\n  killed:\n    name: Killed\n    plan: paid\n    products:\n${products}\n`)
  using lock = writeLock(box.database)
  /** Kills the command when the lock has been seen held so many times. Says whether nothing of it was kept. */
  const cutOff = async (sightings: number): Promise<boolean> => {
    await box.run(['team', 'delete', 'killed', '--yes'])
    let left = sightings
    const reached = await box.killedWhen(() => lock.isHeld() && left-- === 0, ['apply', file])
    using db = new Database(box.database, { readonly: true })
    const count = (sql: string) => (db.query(sql).get() as { n: number }).n
    expect(db.query('PRAGMA integrity_check').all()).toEqual([{ integrity_check: 'ok' }])
    expect(db.query('PRAGMA foreign_key_check').all()).toEqual([])
    const teams = count(`SELECT count(*) n FROM team WHERE slug = 'killed'`)
    const held = count(
      `SELECT count(*) n FROM product WHERE slug LIKE 'p%' AND name LIKE 'P_%' AND name <> 'Phone'`,
    )
    const changelogs = count('SELECT count(*) n FROM changelog')
    expect({ teams, held, changelogs }).toEqual({ teams, held: teams * 300, changelogs: 6 + teams * 300 })
    return reached && teams === 0
  }
  for (let round = 0; round < 3; round++) {
    let sightings = round * 60
    // One that was done first is killed earlier the next time, at last as soon as it has the lock.
    while (!(await cutOff(sightings))) sightings = sightings >> 1
  }
})

test('a server sees what was written, whoever has opened and closed the file since', async () => {
  await using box = new Sandbox('SQLite', { way: 'the binary' })
  await box.demo()
  const changes = async () => {
    const { data } = await box.seenByApi('/public/teams/acme/products/app/changelog')
    return data?.versions?.find(({ version }) => version === '0.1.0')?.changeCount as number
  }
  const lookers: Record<string, () => Promise<unknown>> = {
    doctor: () => box.words('doctor'),
    'commands that only read': async () => {
      for (const line of ['team list', 'status', 'export --all', 'get /healthz', 'complete -- team show'])
        await box.words(line)
    },
    backup: () => box.json('backup', 'copy.db', '--force'),
    'another program': async () => {
      using other = new Database(box.database)
      other.query('SELECT * FROM team').all()
    },
    'a program that only reads': async () => {
      using other = new Database(box.database, { readonly: true })
      other.query('SELECT * FROM team').all()
    },
  }
  let expected = await changes()
  // Twice each: the second finds what the first has left.
  for (const [who, look] of Object.entries(lookers))
    for (const round of [1, 2]) {
      await box.json('change', 'add', 'acme/app', '0.1.0', '--type', 'fixed', `${who} ${round}`)
      await look()
      expected++
      expect({ who, round, changes: await changes() }).toEqual({ who, round, changes: expected })
    }

  // It is in the file itself, though a server has that open.
  copyFileSync(box.database, box.at('file.db'))
  using copy = new Database(box.at('file.db'))
  expect(copy.query("SELECT change_count FROM version WHERE label = '0.1.0'").values()).toContainEqual([
    expected,
  ])
})
