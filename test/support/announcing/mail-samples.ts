import { bodyFor } from '../../../src/announce/compose.ts'
import type { MailBody } from '../../../src/announce/mail/mail.ts'
import { createLinks, type Message } from '../../../src/announce/message.ts'
import type { Change, Hook, Product, Team } from '../../../src/domain/records.ts'
import { NO_VERSION_PROPERTIES } from '../../../src/domain/versions/properties.ts'
import type { PublicVersion } from '../../../src/store/records/types.ts'

/** A release as it is drawn, and what mail says of it. */

export const AT = Date.UTC(2026, 10, 20)
const LINKS = createLinks('https://changes.northwind.example', 'on')
const TEAM: Team = {
  ...{ id: 'team_1', slug: 'northwind', name: 'Northwind', visibility: 'public', plan: 'free' },
  ...{ createdAt: AT, subscribeUrl: null },
}
export const PRODUCT: Product = {
  ...{ id: 'prod_1', slug: 'harbor', name: 'Harbor', status: 'published', createdAt: AT, team: TEAM },
  ...{ repository: 'https://github.com/northwind/harbor', language: null, subscribeUrl: null },
  changelog: { id: 'clog_1', name: 'Harbor changelog', status: 'published', preamble: null },
}
export const HOOK: Hook = {
  ...{
    id: 'hk_1',
    name: 'changelog',
    team: TEAM,
    product: null,
    kind: 'mail',
    status: 'active',
    createdAt: AT,
  },
  ...{ url: 'mailto:changelog@lists.northwind.example', events: ['published'], stable: false },
  unsubscribeUrl: 'https://lists.northwind.example/leave?list=harbor&x="y"',
  delay: 0,
}
const INTRO =
  'Harbor 5 starts the new version **next to the old one** and moves traffic once it is healthy. A rollback takes seconds.'

export const release = (
  title: string,
  changes: readonly Partial<Change>[],
  { product = PRODUCT, description = INTRO, label = '5.0.0', closing = '' } = {},
): PublicVersion => ({
  product,
  version: {
    ...{ id: 'ver_1', label, title, status: 'published', scheduled: false, publishedAt: AT, dated: true },
    ...{ dateKnown: true, createdAt: AT, changeCount: changes.length, ...NO_VERSION_PROPERTIES },
    ...{ description, closing: closing || null },
  },
  changes: changes.map((change, at) => ({
    ...{ id: `chg_${at}`, type: 'added', typeLabel: null, title: 'Something', description: null },
    ...change,
  })),
})

export const DRAWN = [
  ['Breaking', 'Every service in `harbor.yml` needs a `health:` line.'],
  ['Breaking', '`harbor push` is now `harbor deploy`.'],
  ['Security', 'Deploy keys expire after 90 days.'],
  ['Added', '**Deploy windows.** Choose when a service may change.'],
  ['Added', 'Compare two deploys side by side.'],
  ['Added', 'Retry a failed deploy from the page.'],
  ['Added', 'Follow a deploy in Slack, step by step.'],
  ['Changed', 'Logs are kept for 30 days instead of 7.'],
  ['Changed', 'The dashboard opens on the services you own.'],
  ['Fixed', 'Builds no longer hang on an empty cache.'],
  ['Fixed', 'Rollbacks keep the order of migrations.'],
  ['Fixed', 'Times follow the reader’s time zone.'],
  ...Array.from({ length: 5 }, (_, at) => ['Fixed', `Another ${at}`] as const),
].map(([type = '', title = '']) => ({ type: type.toLowerCase(), title }))

export const written = async (message: Message, hook = HOOK, links = LINKS): Promise<MailBody> =>
  JSON.parse(await bodyFor(hook, message, links))
export const published = (found: PublicVersion): Message => ({ type: 'version.published', at: AT, found })
