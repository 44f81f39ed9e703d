import changelog from '../../../CHANGELOG.md' with { type: 'text' }
import type { Instant } from '../../domain/records.ts'
import { parseMarkdown } from '../../formats/keepachangelog/read.ts'
import type { Records } from '../../store/records/port.ts'
import { verb } from '../command.ts'
import type { Context } from '../context.ts'
import { type Outcome, print, withStore } from '../session.ts'
import { configFrom, reachable, settingOptions } from '../settings.ts'
import { importChangelog } from './import/changelog.ts'

export function demoCommand(context: Context) {
  const command = verb(context, 'demo', 'fill an empty database with something to look at', [
    'changelogd demo',
    'changelogd demo && changelogd serve',
  ])
  for (const option of settingOptions(['host', 'port'])) command.addOption(option)
  return command.action((options) =>
    withStore(context, options, async (store) => {
      const base = reachable(configFrom(context, options))
      const outcome = await store.transaction(async (records) =>
        (await records.teams.list()).length > 0
          ? await told(records, base)
          : loaded(base, await load(records, context.now())),
      )
      print(context, options, outcome)
    }),
  )
}

/**
 * A public team with this program's own changelog, a product with a draft, a product nobody has seen yet and a
 * key of each kind; and a team that is private.
 */
async function load(records: Records, now: Instant): Promise<{ draft: string; token: string }> {
  const { teams, products, versions, changes, keys } = records
  const acme = await teams.create({ slug: 'acme', name: 'Acme', visibility: 'public', plan: 'paid' }, now)
  const published = { status: 'published' } as const
  const own = await products.create(acme, { slug: 'changelogd', name: 'changelogd', ...published }, now)
  const parsed = parseMarkdown(changelog)
  const released = parsed.versions.filter((version) => version.status === 'published')
  const source = { format: 'keepachangelog', parsed: { ...parsed, versions: released } } as const
  await importChangelog(records, { team: acme.slug, product: own.slug }, source, { now })

  const app = await products.create(acme, { slug: 'app', name: 'App', ...published }, now)
  const bare = { description: null, date: null }
  const first = await versions.create(
    app,
    { ...bare, ...published, label: '0.1.0', title: 'The first one' },
    now,
  )
  await changes.add(app, first, { type: 'added', title: 'A door', description: null }, null)
  const next = await versions.create(
    app,
    { ...bare, status: 'draft', label: '0.2.0', title: 'The next one' },
    now,
  )
  await changes.add(app, next, { type: 'fixed', title: 'The door closes', description: null }, null)
  const beta = await products.create(acme, { slug: 'beta', name: 'Beta', status: 'draft' }, now)

  const hooli = await teams.create({ slug: 'hooli', name: 'Hooli', visibility: 'private', plan: 'free' }, now)
  await products.create(hooli, { slug: 'phone', name: 'Phone', ...published }, now)

  const { token } = await keys.create(
    acme,
    { kind: 'FULL', label: 'demo', products: [], expiresAt: null },
    now,
  )
  await keys.create(acme, { kind: 'SELECT', label: 'demo docs', products: [app, beta], expiresAt: null }, now)
  return { draft: next.id, token }
}

function loaded(base: string, { draft, token }: { draft: string; token: string }): Outcome {
  const keyed = `${base}/api/v1/teams/acme/products/app/changelog`
  const commands = [
    `curl ${base}${PUBLIC}`,
    `curl -H 'Authorization: Bearer ${token}' ${keyed}`,
    `curl -H 'Authorization: Bearer ${token}' ${keyed}/versions/${draft}`,
  ]
  return {
    json: { loaded: true, token, commands },
    text: ['The demo is loaded. Once the server runs:', ...commands].join('\n  '),
  }
}

/** A database with something in it stays as it is; what can be read without a token is shown again. */
async function told(records: Records, base: string): Promise<Outcome> {
  const acme = await records.teams.find('acme')
  const key = acme && (await records.keys.list(acme)).find((each) => each.label === 'demo')
  const commands = key ? [`curl ${base}${PUBLIC}`, `changelogd key rotate ${key.id}`] : []
  const hint = key ? 'To read it, and for a new token of its key:' : 'To see what: changelogd status'
  return {
    json: { loaded: false, commands },
    text: [`The database has teams already, so it stays as it is. ${hint}`, ...commands].join('\n  '),
  }
}

const PUBLIC = '/api/v1/public/teams/acme/products/changelogd/changelog'
