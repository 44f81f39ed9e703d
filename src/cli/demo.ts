import type { ChangeDraft, Instant, VersionDraft } from '../domain/records.ts'
import type { Records } from '../store/port.ts'
import { verb } from './command.ts'
import type { Context } from './context.ts'
import { type Outcome, print, withStore } from './session.ts'
import { configFrom, reachable, settingOptions } from './settings.ts'

/** The versions of the demo's public product: this program's own. */
const VERSIONS: (VersionDraft & { changes: ChangeDraft[] })[] = [
  {
    label: '0.1.0',
    title: 'The first one',
    status: 'published',
    date: Date.UTC(2026, 0, 15),
    description: 'Changelogs in one file, served by one executable.',
    changes: [
      { type: 'added', title: 'Public and keyed reads over HTTP', description: null },
      { type: 'added', title: 'A command line for everything else', description: null },
    ],
  },
  {
    label: '0.2.0',
    title: 'What comes next',
    status: 'draft',
    date: null,
    description: null,
    changes: [{ type: 'added', title: 'Import and export', description: null }],
  },
]

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

/** A public team with a published product, a beta and a key of each kind; and a team that nobody may see. */
async function load(records: Records, now: Instant): Promise<{ draft: string; token: string }> {
  const acme = await records.teams.create(
    { slug: 'acme', name: 'Acme', visibility: 'public', plan: 'paid' },
    now,
  )
  const app = await records.products.create(
    acme,
    { slug: 'app', name: 'changelogd', status: 'published' },
    now,
  )
  const intake = await records.transfer.begin(app, now)
  for (const version of VERSIONS) await intake.put(version)
  const beta = await records.products.create(acme, { slug: 'beta', name: 'Beta', status: 'draft' }, now)
  const hooli = { slug: 'hooli', name: 'Hooli', visibility: 'private', plan: 'free' } as const
  const secret = await records.teams.create(hooli, now)
  await records.products.create(secret, { slug: 'phone', name: 'Phone', status: 'published' }, now)
  const key = { expiresAt: null, products: [] }
  const { token } = await records.keys.create(acme, { ...key, kind: 'FULL', label: 'demo' }, now)
  await records.keys.create(acme, { ...key, kind: 'SELECT', label: 'demo docs', products: [app, beta] }, now)
  const versions = await records.versions.list(app)
  return { draft: versions.find((version) => version.status === 'draft')?.id ?? '', token }
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

const PUBLIC = '/api/v1/public/teams/acme/products/app/changelog'
