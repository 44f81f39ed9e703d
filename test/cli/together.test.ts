import { Database } from 'bun:sqlite'
import { expect, setDefaultTimeout, test } from 'bun:test'
import { PATIENCE_MS, Sandbox } from '../support/sandbox.ts'

setDefaultTimeout(PATIENCE_MS)

test('two hundred writers at once wait for each other: nothing is lost, and none is told that it is busy', async () => {
  await using box = new Sandbox()
  // The first of them meet a database that does not exist yet.
  const teams = await inParallel(16, 16, (at) => box.run(['team', 'create', `team-${at}`, '--name', `${at}`]))
  expect(teams.filter((result) => result.status !== 0)).toEqual([])
  await box.json('product', 'create', 'team-0/app', '--name', 'App')
  await box.json('version', 'create', 'team-0/app', '1', '--title', 'One')
  const results = await inParallel(200, 16, (at) =>
    box.run(['change', 'add', 'team-0/app', '1', '--type', 'added', `change ${at}`, '--position', '1']),
  )
  expect(results.filter((result) => result.status !== 0)).toEqual([])
  const list = await box.json<{ title: string; position: number }[]>('change', 'list', 'team-0/app', '1')
  expect(new Set(list.map((change) => change.title)).size).toBe(200)
  expect(list.map((change) => change.position)).toEqual(Array.from({ length: 200 }, (_, at) => at + 1))
})

test.concurrent('a writer that is killed at any moment leaves nothing half-written', async () => {
  await using box = new Sandbox()
  await box.json('demo')
  const products = Array.from({ length: 300 }, (_, at) => `      p${at}: { name: P${at} }`).join('\n')
  const file = `${box.directory}/many.yml`
  await Bun.write(file, `teams:\n  killed:\n    name: Killed\n    plan: paid\n    products:\n${products}\n`)
  const started = performance.now()
  await box.run(['apply', file])
  let whole = performance.now() - started
  let finished = 0
  for (let attempt = 0; attempt < 20; attempt++) {
    await box.run(['team', 'delete', 'killed', '--yes'])
    const began = performance.now()
    const writer = box.start(['apply', file])
    // Most of them in the second half, where the writing is.
    const killed = Bun.sleep(whole * (0.3 + Math.random() * 0.7)).then(() => writer.kill('SIGKILL'))
    // One that was done before may have found the machine less busy than the first: the next are killed sooner.
    if ((await writer.exited) === 0) whole = Math.min(whole, performance.now() - began)
    await killed
    const db = new Database(box.database, { readonly: true })
    const count = (sql: string) => (db.query(sql).get() as { n: number }).n
    expect(db.query('PRAGMA integrity_check').all()).toEqual([{ integrity_check: 'ok' }])
    expect(db.query('PRAGMA foreign_key_check').all()).toEqual([])
    const teams = count(`SELECT count(*) n FROM team WHERE slug = 'killed'`)
    const held = count(
      `SELECT count(*) n FROM product WHERE slug LIKE 'p%' AND name LIKE 'P_%' AND name <> 'Phone'`,
    )
    const changelogs = count('SELECT count(*) n FROM changelog')
    expect({ teams, held, changelogs }).toEqual({ teams, held: teams * 300, changelogs: 4 + teams * 300 })
    finished += teams
    db.close()
  }
  expect(finished).toBeLessThan(20)
})

test.concurrent('a command waits for another writer, and says so if that does not end', async () => {
  await using box = new Sandbox()
  await box.json('team', 'create', 'acme', '--name', 'Acme')
  const other = new Database(box.database)
  other.run('BEGIN IMMEDIATE')
  const read = await box.words('team list')
  expect(read.status).toBe(0)
  const patient = box.run(['team', 'update', 'acme', '--name', 'Patient'])
  await Bun.sleep(1_000)
  other.run('COMMIT')
  expect((await patient).status).toBe(0)
  other.run('BEGIN IMMEDIATE')
  const refused = await box.run(['team', 'update', 'acme', '--name', 'No'])
  expect(refused.status).toBe(1)
  expect(refused.stderr).toBe(
    'changelogd: Another command has been writing to the database for too long. Try again when it is done.\n',
  )
  other.run('ROLLBACK')
  other.close()
  expect(await box.json('team', 'show', 'acme')).toMatchObject({ name: 'Patient' })
})

test('a server sees what was written, whoever has opened and closed the file since', async () => {
  await using box = new Sandbox()
  await box.json('demo')
  const changes = async () => {
    const { data } = await box.seenByApi('/public/teams/acme/products/app/changelog')
    return data?.versions?.find(({ version }) => version === '0.1.0')?.changeCount as number
  }
  const lookers: Record<string, (at: number) => Promise<unknown>> = {
    doctor: () => box.words('doctor'),
    backup: (at) => box.json('backup', `copy-${at}.db`),
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
  for (const [who, look] of Object.entries(lookers))
    for (let round = 0; round < 3; round++) {
      await box.json('change', 'add', 'acme/app', '0.1.0', '--type', 'fixed', `${who} ${round}`)
      await look(round)
      expected++
      expect({ who, round, changes: await changes() }).toEqual({ who, round, changes: expected })
    }

  const { id, token } = await box.json<{ id: string; token: string }>('key', 'create', 'acme', '--label', 'x')
  const keyed = async () => (await box.seenByApi('/teams/acme/products/app/changelog', token)).status
  await box.words('doctor')
  expect(await keyed()).toBe(200)
  await box.json('key', 'disable', id)
  await box.words('doctor')
  expect(await keyed()).toBe(401)
})

test('readers are answered, and rightly, while programs that write come and go', async () => {
  await using box = new Sandbox()
  await box.json('demo')
  const read = async (query: string) => {
    const { status, data } = await box.seenByApi(`/public/teams/acme/products/app/changelog?${query}`)
    return { status, version: data?.versions?.find(({ version }) => version === '0.1.0') }
  }
  const first = (await read('')).version
  let isDone = false
  const reader = async (name: number) => {
    for (let at = 0; !isDone; at++) {
      const { status, version } = await read(`include=changes&x=${name}-${at}`)
      expect(status).toBe(200)
      expect(version?.changes).toHaveLength(version?.changeCount as number)
    }
  }
  const readers = Promise.all([1, 2, 3, 4].map(reader))
  for (let at = 0; at < 200; at++) {
    using other = new Database(box.database)
    other.run("INSERT INTO change VALUES (?, ?, ?, 'fixed', 'x', NULL)", [
      `chg_${at}`,
      first?.id as string,
      at + 9,
    ])
    await Bun.sleep(5)
  }
  isDone = true
  await readers
  expect((await read('')).version?.changeCount).toBe((first?.changeCount as number) + 200)
})

async function inParallel<T>(count: number, width: number, work: (at: number) => Promise<T>): Promise<T[]> {
  const results: T[] = []
  let next = 0
  const worker = async () => {
    while (next < count) results.push(await work(next++))
  }
  await Promise.all(Array.from({ length: width }, worker))
  return results
}
