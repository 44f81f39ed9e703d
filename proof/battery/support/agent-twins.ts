import type { seeder } from '../../../test/support/seed.ts'
import { bearer } from '../../../test/support/servers/server.ts'
import type { Ask } from '../../bench/client.ts'
import type { Twins } from '../timing.ts'

type Seed = ReturnType<typeof seeder>

const HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }

const call = (name: string, given: object, headers: Record<string, string> = {}): Ask => ({
  path: '/mcp',
  headers: { ...HEADERS, ...headers },
  body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: given } }),
})

/** Questions of agents about what is hidden and about nothing, and about all changelogs beside hidden ones and beside none. */
export function agentTwins(seed: Seed, word: () => string): Twins[] {
  const [draft, label, secret, beside, alone] = [word(), word(), word(), word(), word()]
  // Between all other teams and one that is shown after them.
  const late = () => `y${word()}`
  const behind = late()
  const ask = word()
  const open = seed.team(ask)
  const app = seed.product(open, 'app')
  seed.version(app.changelogId, '1.0.0')
  seed.version(app.changelogId, label, { status: 'draft' })
  seed.product(open, draft, { status: 'draft' })
  seed.product(seed.team(secret, { visibility: 'private' }), 'app')
  const hidden = seed.team(behind, { visibility: 'private' })
  for (let at = 0; at < 300; at++) seed.product(hidden, `p${at}`)
  seed.product(seed.team('zzz'), 'app')
  const keys = new Map<string, Record<string, string>>()
  for (const slug of [beside, alone].toSorted()) {
    const team = seed.team(slug, { visibility: 'private' })
    const { id, changelogId } = seed.product(team, 'mine')
    for (let at = 0; at < 10; at++)
      seed.version(changelogId, `1.${at}`, { publishedAt: at, changes: [{ type: 'fixed', title: 'A fix' }] })
    for (let at = 0; at < 300 && slug === beside; at++)
      seed.version(seed.product(team, `p${at}`).changelogId, '1', {
        changes: [{ type: 'fixed', title: 'A fix' }],
      })
    keys.set(slug, bearer(seed.key(team, { kind: 'SELECT', products: [id] }).token))
  }
  const both = (
    name: string,
    tool: string,
    given: (name: string) => object,
    one: string,
    other = word(),
  ) => ({
    name: `agents: ${name}`,
    hidden: call(tool, given(one)),
    missing: call(tool, given(other)),
  })
  const ofKey = (slug: string) => call('search', { query: 'fix' }, keys.get(slug))
  const changelog = `${ask}/app`
  return [
    both('draft product', 'get_changelog', (name) => ({ changelog: `${ask}/${name}` }), draft),
    both('draft product by its name alone', 'get_changelog', (changelog) => ({ changelog }), draft),
    both('private team', 'get_changelog', (name) => ({ changelog: `${name}/app` }), secret),
    both('since a draft version', 'get_changelog', (since) => ({ changelog, since }), label),
    both('search of all from a private team on', 'search', searchFrom, behind, late()),
    { name: 'agents: search of all beside hidden products', hidden: ofKey(beside), missing: ofKey(alone) },
  ]
}

const searchFrom = (team: string) => ({ query: 'fix', cursor: `0..${team}/a` })
