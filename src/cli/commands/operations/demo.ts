import changelog from '../../../../CHANGELOG.md' with { type: 'text' }
import { isBinary } from '../../../build-info.ts'
import type { Config } from '../../../config/config.ts'
import { SETTINGS } from '../../../config/settings.ts'
import {
  changelogPagePath,
  keyedChangelogPath,
  publicBase,
  publicChangelogPath,
} from '../../../domain/addresses/paths.ts'
import type { Instant, KeyKind, Product, Status, Team, VersionStatus } from '../../../domain/records.ts'
import { commandWords } from '../../../domain/text/shell.ts'
import { DAY_MS } from '../../../domain/time/time.ts'
import { inCheckout } from '../../../files/own-program.ts'
import { parseMarkdown } from '../../../formats/lines/read.ts'
import type { Records } from '../../../store/records/records.ts'
import { importChangelog } from '../../../transfer/import-changelog.ts'
import { withSettings, writes, writingCommand } from '../../command.ts'
import type { Context } from '../../context.ts'
import type { Outcome } from '../../session.ts'
import { configFrom } from '../../settings.ts'
import harborChangelog from './demo.md' with { type: 'text' }
import harborPicture from './demo.webp' with { type: 'file' }
import meridianChangelog from './meridian.md' with { type: 'text' }
import meridianBoard from './meridian-board.webp' with { type: 'file' }
import meridianInbox from './meridian-inbox.webp' with { type: 'file' }
import meridianTimeline from './meridian-timeline.webp' with { type: 'file' }

export const demoCommand = (context: Context) =>
  withSettings(
    writingCommand(context, 'demo', 'load sample data into an empty database', [
      'changelogd demo',
      'changelogd demo && changelogd serve',
    ]),
    // The printed commands use the address of the server.
    ['host', 'port'],
  ).action(
    writes(
      context,
      async (records, options) => {
        const config = configFrom(context, options)
        if ((await records.teams.list()).length > 0) return UNCHANGED
        return loadedOutcome(config, await load(records, context.now()))
      },
      { creates: true, derives: true },
    ),
  )

const WEEK_MS = 7 * DAY_MS

/** Public and private samples: this program's own changelog, a product of updates, one before an upgrade, drafts, and a key of each kind. */
async function load(records: Records, now: Instant): Promise<{ draft: string; token: string }> {
  const { teams, products, versions, changes, keys } = records
  const addProduct = (team: Team, name: string, status: Status = 'published') =>
    products.create(team, { slug: name.toLowerCase(), name, status }, now)
  const addKey = (kind: KeyKind, label: string, attached: Product[]) =>
    keys.create(acme, { kind, label, products: attached, expiresAt: null }, now)

  const acme = await teams.create({ slug: 'acme', name: 'Acme', visibility: 'public', plan: 'paid' }, now)
  const addChangelog = async (name: string, text: string, ...pictures: Uint8Array[]) => {
    const product = await addProduct(acme, name)
    for (const bytes of pictures) await records.pictures.add(product, { kind: 'png', bytes }, now)
    const parsed = parseMarkdown(text)
    const released = parsed.versions.filter((version) => version.status === 'published')
    const source = {
      name: 'CHANGELOG.md',
      format: 'keepachangelog',
      parsed: { ...parsed, versions: released },
    } as const
    await importChangelog(records, { team: acme.slug, product: product.slug }, source, { now })
    return product
  }
  await addChangelog('changelogd', changelog)
  const drawn = [meridianBoard, meridianTimeline, meridianInbox].map((path) => Bun.file(path).bytes())
  await addChangelog('Meridian', meridianChangelog, ...(await Promise.all(drawn)))
  const harbor = await addChangelog('Harbor', harborChangelog, await Bun.file(harborPicture).bytes())
  const scheduled = { label: '5.1.0', title: 'Deploy from your phone', description: null }
  const coming = await versions.create(
    harbor,
    { ...scheduled, status: 'draft', scheduled: true, date: now + WEEK_MS },
    now,
  )
  const change = { type: 'added', title: 'Approve a deploy from your phone', description: null }
  await changes.add(harbor, coming, change, null)

  const app = await addProduct(acme, 'App')
  const addVersion = async (
    label: string,
    title: string,
    status: VersionStatus,
    type: string,
    change: string,
  ) => {
    const draft = { label, title, status, description: null, date: null }
    const version = await versions.create(app, draft, now)
    await changes.add(app, version, { type, title: change, description: null }, null)
    return version
  }
  await addVersion('0.1.0', 'First release', 'published', 'added', 'Search in all documents')
  const next = await addVersion('0.2.0', 'Better search', 'draft', 'fixed', 'Search finds accented words')
  const beta = await addProduct(acme, 'Beta', 'draft')

  const hooli = await teams.create({ slug: 'hooli', name: 'Hooli', visibility: 'private', plan: 'free' }, now)
  await addProduct(hooli, 'Phone')

  const { token } = await addKey('FULL', 'demo', [])
  await addKey('SELECT', 'docs', [app, beta])
  return { draft: next.id, token }
}

function loadedOutcome(config: Config, { draft, token }: { draft: string; token: string }): Outcome {
  const base = publicBase(config)
  const page = base + changelogPagePath('acme', 'harbor')
  const upgrade = `${page}?from=4.8.1&to=5.0.0`
  const updates = base + changelogPagePath('acme', 'meridian')
  const keyed = `-H 'Authorization: Bearer ${token}' ${base}${keyedChangelogPath('acme', 'app')}`
  const requests = [base + publicChangelogPath('acme', 'harbor'), keyed, `${keyed}/versions/${draft}`]
  const commands = requests.map((request) => `curl ${gateOption(config)}${request}`)
  const password = config.gate ? `, with the password in ${PASSWORD}` : ''
  return {
    json: { loaded: true, page, upgrade, token, commands },
    once: token,
    text: `Loaded the sample data. Once the server runs (changelogd serve), open${password}:
  ${page}
  ${upgrade}
  ${updates}
Read the API:
  ${commands.join('\n  ')}
Write a release in your browser:
  ${isBinary ? 'changelogd desk' : inCheckout('desk')}`,
  }
}

const PASSWORD = SETTINGS.passwordProtectionPassword.name

/** The password is not printed: the commands take it from a variable. */
const gateOption = ({ gate }: Config): string =>
  gate
    ? `-H "X-Site-Authorization: Basic $(printf %s ${commandWords([gate.user])}:"$${PASSWORD}" | base64 | tr -d '\\n')" `
    : ''

const UNCHANGED: Outcome = {
  json: { loaded: false },
  text: 'Nothing was changed: the database already has teams. To see them: changelogd status',
}
