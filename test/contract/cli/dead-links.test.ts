import { expect, test } from 'bun:test'
import { existsSync, mkdirSync, statSync, symlinkSync } from 'node:fs'
import { refused } from '../../support/commands/refused.ts'
import { sandboxForEach } from '../../support/sandbox.ts'
import { listening } from '../../support/servers/process.ts'

const box = sandboxForEach()
const { at } = box

/** A link in place of the database, and one in place of its directory: each to a volume that is not mounted. */
const LINKS = [
  { db: 'link.db', link: 'link.db', target: 'volume/real.db' },
  { db: 'linked/x.db', link: 'linked', target: 'volume/data' },
]

const COMMANDS = [
  'serve --port 0',
  'team create acme --name Acme',
  'team list',
  'backup monday.db',
  'get /healthz',
  'restore monday.db --yes',
  'import --all all.jsonl --dry-run',
]

test.each(LINKS)('a database behind a link that is a broken link is refused: $link', async (each) => {
  await box.json('migrate')
  await box.json('backup', 'monday.db')
  await box.words('export --all --output all.jsonl')
  symlinkSync(each.target, at(each.link))
  for (const line of COMMANDS) {
    refused(
      await box.words(`${line} --db ${each.db}`),
      `${at(each.link)} is a broken link: there is no ${at(each.target)}.`,
      'Check that its volume is mounted.',
      `To create the database: changelogd migrate --db ${at(each.db)}`,
    )
    expect({ line, created: existsSync(at('volume')) }).toEqual({ line, created: false })
  }
  const { stdout } = await box.words(`doctor --db ${each.db}`)
  expect(stdout).toContain(`${at(each.link)} is a broken link: there is no ${at(each.target)}`)
  expect(existsSync(at('volume'))).toBe(false)
})

test.each(LINKS)(
  'migrate creates a database where a link leads to, for its owner only: $link',
  async (each) => {
    symlinkSync(each.target, at(each.link))
    await box.json('migrate', '--db', each.db)
    expect(statSync(at('volume')).mode & 0o777).toBe(0o700)
    expect(statSync(at(each.db)).mode & 0o777).toBe(0o600)
    const server = box.start(['serve', '--port', '0', '--db', each.db])
    expect((await fetch(`${await listening(server)}/readyz`)).status).toBe(200)
  },
)

test('migrate follows a relative link from the directory that really has it', async () => {
  mkdirSync(at('deep/data'), { recursive: true })
  symlinkSync('deep/data', at('linked'))
  symlinkSync('../volume/x.db', at('deep/data/x.db'))
  await box.json('migrate', '--db', 'linked/x.db')
  expect(existsSync(at('deep/volume/x.db'))).toBe(true)
  expect(existsSync(at('volume'))).toBe(false)
})

test('a backup is not written to a directory behind a link that is a broken link', async () => {
  await box.json('migrate')
  symlinkSync('volume', at('backups'))
  refused(
    await box.words('backup backups/monday.db'),
    `${at('backups')} is a broken link: there is no ${at('volume')}.`,
  )
  expect(existsSync(at('volume'))).toBe(false)
})
