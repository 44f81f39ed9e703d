import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { SQL } from 'bun'
import { storedPictureId } from '../../../../src/domain/webp.ts'
import { png, spoiledWebp } from '../../../support/pictures.ts'
import { Sandbox, withProduct } from '../../../support/sandbox.ts'
import { ENGINES } from '../../../support/servers/server.ts'

/** PICTURES=500 takes a minute. */
const PICTURES = Number(process.env.PICTURES ?? 12)

interface Exported {
  id: string
  bytes: string
}

let from: Sandbox

beforeAll(async () => {
  from = await withProduct()
  const texts: string[] = []
  for (let at = 0; at < PICTURES; at++) {
    writeFileSync(from.at('shot.png'), png(20 + at, 20, { noise: at }))
    const { markdown } = await from.json<{ markdown: string }>('picture', 'add', 'acme/app', 'shot.png')
    texts.push(markdown)
  }
  const [draft = '', unshown = '', ...shown] = texts
  expect(unshown).not.toBe(draft)
  const description = ['--description', shown.join('\n\n')]
  await from.json('version', 'create', 'acme/app', '1.0.0', '--status', 'published', ...description)
  await from.json('version', 'create', 'acme/app', '2.0.0', '--description', draft)
})
afterAll(() => from.close())

const everything = async (box: Sandbox): Promise<string> => (await box.run(['export', '--all'])).stdout

const picturesIn = (lines: string): Exported[] =>
  lines
    .split('\n')
    .flatMap((line) =>
      line.startsWith('{"picture"') ? (JSON.parse(line) as { picture: Exported }).picture : [],
    )

test('an export has every picture, and an import into either engine has the same bytes and ids', async () => {
  const exported = await everything(from)
  expect(picturesIn(exported)).toHaveLength(PICTURES)
  writeFileSync(from.at('all.jsonl'), exported)
  await using other = await Sandbox.on('PostgreSQL')
  await other.json('import', '--all', from.at('all.jsonl'))
  expect(await everything(other)).toBe(exported)
  await using back = new Sandbox()
  writeFileSync(back.at('all.jsonl'), await everything(other))
  await back.json('import', '--all', 'all.jsonl')
  expect(await everything(back)).toBe(exported)
  const again = await back.json<{ records: number; updated: number }>('import', '--all', 'all.jsonl')
  expect([again.records, again.updated]).toEqual([0, 0])
})

test('a product takes its pictures along, into a document and under another name', async () => {
  const document = (await from.run(['export', 'acme/app', '--format', 'json'])).stdout
  await using other = await withProduct()
  writeFileSync(other.at('app.json'), document)
  await other.json('import', 'acme/other', 'app.json', '--create')
  expect((await other.json<unknown[]>('picture', 'list', 'acme/other')).length).toBe(PICTURES)
  const copied = (await other.run(['export', 'acme/other', '--format', 'json'])).stdout
  expect(copied.split('\n').filter((line) => line.includes('"bytes"'))).toEqual(
    document.split('\n').filter((line) => line.includes('"bytes"')),
  )
})

test('a backup has them, and so has the database that it is restored into', async () => {
  const exported = await everything(from)
  await from.json('backup', 'copy.db')
  await using other = new Sandbox()
  await other.json('restore', from.at('copy.db'), '--yes')
  expect(await everything(other)).toBe(exported)
  // Into one with content too, which keeps its file.
  await other.json('product', 'delete', 'acme/app', '--yes')
  await other.json('restore', from.at('copy.db'), '--yes')
  expect(await everything(other)).toBe(exported)
})

test('a deleted product comes back with its pictures', async () => {
  await using other = new Sandbox()
  await other.json('restore', (await from.json<{ file: string }>('backup', 'undo.db')).file, '--yes')
  const exported = await everything(other)
  const deleted = await other.json<{ kept: string }>('product', 'delete', 'acme/app', '--yes')
  expect(picturesIn(await everything(other))).toEqual([])
  await other.json('undo', deleted.kept)
  expect(await everything(other)).toBe(exported)
})

test('Markdown in a folder has the pictures that its versions show beside it', async () => {
  const { pictures } = await from.json<{ pictures: number }>(
    ...['export', 'acme/app', '--format', 'markdown', '--output', from.at('CHANGELOG.md')],
  )
  expect(pictures).toBe(PICTURES - 2)
  const text = readFileSync(from.at('CHANGELOG.md'), 'utf8')
  const files = readdirSync(from.at('pictures'))
  expect(files).toHaveLength(PICTURES - 2)
  for (const file of files) {
    expect(text).toContain(`](pictures/${file})`)
    const hash = new Bun.CryptoHasher('sha256').update(readFileSync(from.at(`pictures/${file}`)))
    expect(file).toStartWith(hash.digest('hex').slice(0, 32))
  }
  const printed = await from.run(['export', 'acme/app', '--drafts'])
  expect(printed.stderr).toContain(`${PICTURES - 1} pictures left out`)
})

test('bytes other than their id says are left out by name, of an export and of a backup', async () => {
  const exported = await everything(from)
  const [first, second] = picturesIn(exported)
  const swapped = exported.replace(first?.bytes ?? '', second?.bytes ?? '')
  const strange = swapped.replace(picturesIn(exported).at(-1)?.bytes ?? '', png(9, 9).toString('base64'))
  await using other = new Sandbox()
  writeFileSync(other.at('all.jsonl'), strange)
  const left = await other.run(['import', '--all', 'all.jsonl'])
  expect(left.stderr).toContain(`pictures/${first?.id}.webp is damaged. It is left out`)
  expect([left.status, left.stderr]).toEqual([1, expect.stringContaining('has 2 damaged pictures.')])
  expect(picturesIn(await everything(other)).map(({ id }) => id)).not.toContain(first?.id)
  expect(picturesIn(await everything(other))).toHaveLength(PICTURES - 2)

  const { file } = await from.json<{ file: string }>('backup', 'strange.db')
  // What their hash says is not yet a picture.
  const spoiled = spoiledWebp(Buffer.from(second?.bytes ?? '', 'base64'))
  const spoiledId = storedPictureId(spoiled) ?? ''
  const renamed = exported.replaceAll(second?.id ?? '', spoiledId)
  const bytes = Buffer.from(spoiled).toString('base64')
  await using third = new Sandbox()
  writeFileSync(third.at('all.jsonl'), renamed.replace(second?.bytes ?? '', bytes))
  const imported = await third.run(['import', '--all', 'all.jsonl'])
  expect(imported.stderr).toContain(`pictures/${spoiledId}.webp is damaged. It is left out`)
  expect(picturesIn(await everything(third))).toHaveLength(PICTURES - 1)

  await using sql = new SQL(`sqlite://${file}`)
  await sql`delete from derived_picture`
  await sql`update picture set bytes = ${Buffer.from('RIFF')} where id = ${first?.id}`
  await sql`update picture set id = ${spoiledId}, bytes = ${Buffer.from(spoiled)} where id = ${second?.id}`
  await sql.close()
  const verified = await other.run(['backup', 'verify', file])
  expect([verified.status, verified.stdout]).toEqual([1, expect.stringContaining('has damaged pictures')])
  expect(verified.stderr).toContain(`${file} has 2 damaged pictures.`)
  expect(verified.stderr).toContain(`pictures/${first?.id}.webp is damaged`)
  const restored = await other.run(['restore', file, '--yes'])
  expect([restored.status, restored.stdout]).toEqual([1, expect.stringContaining('Restored 1 team')])
  expect(restored.stderr).toContain('has 2 damaged pictures.')
  expect(restored.stderr).toContain(`pictures/${first?.id}.webp is damaged, so it is left out.`)
  expect(restored.stderr).toContain(`pictures/${spoiledId}.webp is damaged, so it is left out.`)
  expect(picturesIn(await everything(other))).toHaveLength(PICTURES - 2)
})

test.each(ENGINES)('doctor names a picture whose bytes are damaged, on %s', async (engine) => {
  await using box = await Sandbox.on(engine)
  writeFileSync(box.at('all.jsonl'), await everything(from))
  await box.json('import', '--all', 'all.jsonl')
  const [first, second] = picturesIn(await everything(from))
  box.write(
    `update picture set bytes = (select bytes from picture where id = '${second?.id}') where id = '${first?.id}'`,
  )
  const { status, stdout } = await box.words('doctor')
  expect(status).toBe(1)
  expect(stdout).toMatch(new RegExp(`wrong  contents .*\\(rows: 1, such as ${first?.id}\\)`))
})

test('an undo names the pictures of a version that are gone', async () => {
  await using box = await withProduct()
  writeFileSync(box.at('shot.png'), png(20, 20))
  const { id, markdown } = await box.json<{ id: string; markdown: string }>(
    'picture',
    'add',
    'acme/app',
    'shot.png',
  )
  await box.json('version', 'create', 'acme/app', '1.0.0', '--description', markdown)
  const { kept } = await box.json<{ kept: string }>('version', 'delete', 'acme/app', '1.0.0', '--yes')
  await box.json('picture', 'remove', 'acme/app', id)
  expect(await box.json('undo', kept)).toMatchObject({ picturesGone: [id] })
})
