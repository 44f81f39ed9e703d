/**
 * `bun test/battery/timing-run.ts [PROGRAM]` prints how well the time of a refusal tells what is hidden from what does
 * not exist: for requests that are repeated, and for requests that are the first after a change of the data.
 */
import { parseArgs } from 'node:util'
import { newId } from '../../src/domain/id.ts'
import { newToken } from '../../src/domain/token.ts'
import type { Seeder } from '../support/seed.ts'
import {
  bearer,
  keyedPath,
  publicPath,
  SUBJECTS,
  type Subject,
  startServer,
} from '../support/servers/server.ts'
import { measureTwins, type Twins } from './timing.ts'

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { requests: { type: 'string', default: '20000' } },
})
const [program] = positionals
const binary = SUBJECTS[2] as Subject
const subject = program === undefined ? binary : { ...binary, command: [program] }

await using server = await startServer(subject)
const pairs = twins(server.seed)
for (const [title, before] of [
  ['repeated', undefined],
  ['first after a change', change],
] as const) {
  console.log(`${title.padEnd(44)}   AUC   hidden  missing (median µs)`)
  const options = { requests: Number(values.requests), ...(before && { before }) }
  for (const { name, auc, hidden, missing } of await measureTwins(server.url, pairs, options))
    console.log(
      `  ${name.padEnd(42)} ${auc.toFixed(3)} ${hidden.toFixed(1).padStart(8)} ${missing.toFixed(1).padStart(8)}`,
    )
}

/** A commit, after which the server has nothing cached. */
function change(): void {
  server.seed.db.run("UPDATE team SET created_at = created_at + 1 WHERE slug = 'visible-0'")
}

/** What the server must not tell apart, in a database with a little of everything around it. */
function twins(seed: Seeder): Twins[] {
  seed.db.run('PRAGMA synchronous = OFF')
  const open = seed.team('visible-0')
  const shown = seed.product(open, 'shown-app')
  const hiddenProduct = seed.product(open, 'draft-app', { status: 'draft' })
  seed.product(open, 'draft-log', { changelog: 'draft' })
  const draft = seed.version(shown.changelogId, '2.0.0', { status: 'draft' })
  seed.version(shown.changelogId, '1.0.0')
  const secret = seed.team('private-0', { visibility: 'private' })
  const secretProduct = seed.product(secret, 'shown-app')
  const secretVersion = seed.version(secretProduct.changelogId, '1.0.0')
  for (let at = 1; at < 50; at++) {
    const { changelogId } = seed.product(seed.team(`visible-${at}`), 'shown-app')
    for (let version = 0; version < 5; version++) seed.version(changelogId, `${version}`)
  }
  const full = bearer(seed.key(open).token)
  const select = bearer(seed.key(open, { kind: 'SELECT', products: [shown.id] }).token)
  seed.version(hiddenProduct.changelogId, '1.0.0')
  const disabled = bearer(seed.key(open, { status: 'disabled' }).token)
  const unknown = bearer(newToken())
  const otherwise = bearer(`${newToken().slice(0, -6)}${'x'.repeat(6)}`)

  const pair = (
    name: string,
    hidden: string,
    missing: string,
    headers: Record<string, string> = {},
  ): Twins => ({
    name,
    hidden: { path: hidden, headers },
    missing: { path: missing, headers },
  })
  const credentials = (name: string, one: Record<string, string>, other: Record<string, string>): Twins => ({
    name,
    hidden: { path: keyedPath('visible-0', 'shown-app'), headers: one },
    missing: { path: keyedPath('visible-0', 'shown-app'), headers: other },
  })
  const version = (id: string) => `/versions/${id}`
  return [
    pair(
      'control: two missing teams',
      publicPath('missing-0', 'shown-app'),
      publicPath('missing-1', 'shown-app'),
    ),
    pair('private team', publicPath('private-0', 'shown-app'), publicPath('missing-0', 'shown-app')),
    pair('draft product', publicPath('visible-0', 'draft-app'), publicPath('visible-0', 'ghost-app')),
    pair('draft changelog', publicPath('visible-0', 'draft-log'), publicPath('visible-0', 'ghost-log')),
    pair(
      'draft version',
      publicPath('visible-0', 'shown-app', version(draft)),
      publicPath('visible-0', 'shown-app', version(newId('ver'))),
    ),
    pair(
      'version of a private team',
      publicPath('private-0', 'shown-app', version(secretVersion)),
      publicPath('private-0', 'shown-app', version(newId('ver'))),
    ),
    pair(
      'version of a private team, asked of another',
      publicPath('visible-0', 'shown-app', version(secretVersion)),
      publicPath('visible-0', 'shown-app', version(newId('ver'))),
    ),
    credentials('401: disabled, unknown key', disabled, unknown),
    credentials('401: malformed, unknown key', otherwise, unknown),
    pair('403: another team', keyedPath('visible-1', 'shown-app'), keyedPath('missing-1', 'shown-app'), full),
    pair(
      '403: a product not attached',
      keyedPath('visible-0', 'draft-app'),
      keyedPath('visible-0', 'ghost-app'),
      select,
    ),
  ]
}
