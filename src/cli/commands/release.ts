import { Option } from '@commander-js/extra-typings'
import type { Config } from '../../config/config.ts'
import { publicBase, publicChangelogPath, versionPagePath } from '../../domain/addresses/paths.ts'
import { address, type Instant, type Product, UNRELEASED, type Version } from '../../domain/records.ts'
import { Refusal, toRun } from '../../domain/refusal.ts'
import { isAhead, publicWithDateAhead } from '../../domain/time/schedule.ts'
import { formatInstant, spelledOut } from '../../domain/time/time.ts'
import { hiddenChangelog, hiddenVersion } from '../../domain/versions/hidden.ts'
import type { Records } from '../../store/records/records.ts'
import { findProduct, firstProduct } from '../../transfer/find.ts'
import { publishProduct } from '../../transfer/publish-product.ts'
import { date, moment, productArgument } from '../arguments/arguments.ts'
import { withSettings, writingCommand } from '../command.ts'
import type { Context } from '../context.ts'
import { writing } from '../session.ts'
import { configFrom } from '../settings.ts'
import { versionJson } from '../terminal/json.ts'
import { ahead } from '../terminal/moments.ts'
import { hiddenNotes } from '../terminal/records.ts'
import { plain } from '../terminal/text.ts'
import { AT_HELP, momentAhead } from './version/texts.ts'

export const releaseCommand = (context: Context) =>
  withSettings(
    writingCommand(
      context,
      'release',
      'turn the unreleased draft into a published version',
      [
        'changelogd release acme/app 1.0.0',
        'changelogd release acme/app 1.0.0 --title "First release" --date 2026-01-02',
        'changelogd release acme/app 1.0.0 --at "tomorrow 09:00"',
      ],
      `The unreleased draft is the version with the label
${UNRELEASED}, which edit and import create.\n\n${AT_HELP}`,
    )
      .addArgument(productArgument())
      .argument('<label>', 'label of the released version, such as 1.0.0')
      .option('--title <text>', 'title of the version (default: the title of the draft, or the label)')
      .option('--date <time>', 'publication date (default: now)', date)
      .addOption(new Option('--at <time>', 'publish it at this time').argParser(moment).conflicts('date'))
      .option('--publish', 'also publish the product and its changelog'),
    ['public-url'],
  ).action(async (name, label, { title, date, at, publish, ...options }, command) => {
    const config = configFrom(context, options)
    const scheduledFor = at === undefined ? undefined : await momentAhead(context, command, at)
    return writing(context, { ...options, begin: firstProduct(name) }, async (records) => {
      const found = await findProduct(records, name)
      const draft = await unreleasedDraft(records, found, label)
      if (date !== undefined && isAhead(date, context.now())) throw dateAhead(found, label, date)
      const now = context.now()
      // Publishing dates a draft without a date.
      const day = date ?? (draft.dated || draft.status === 'published' ? now : undefined)
      const update = {
        label,
        title: title ?? (draft.title === draft.label ? label : draft.title),
        ...(scheduledFor === undefined
          ? { status: 'published' as const, ...(day !== undefined && { date: day }) }
          : { scheduled: true, date: scheduledFor }),
      }
      const version = await records.versions.update(found, draft, update, now)
      const product = publish ? await publishProduct(records, found) : found
      const url = publicAddress(config, product, version)
      const text = `version ${plain(version.label)} of ${address(product)}`
      const hidden = hiddenVersion(product, version)
      return {
        json: { ...versionJson(version), url, public: hidden.length === 0, hidden },
        text: version.scheduled
          ? `Scheduled ${text} for ${ahead(version.publishedAt, context.now())}: ${url}`
          : `Released ${text}${date === undefined ? '' : `, dated ${spelledOut(date)}`}: ${url}`,
        // The text says that it is scheduled.
        notes: hiddenNotes(hiddenChangelog(product)),
      }
    })
  })

function dateAhead(product: Product, label: string, date: Instant): Refusal {
  const args = [address(product), label]
  const then = toRun('To publish it then', 'release', args, { at: formatInstant(date) })
  const hint = { ...then, or: toRun('To publish it now', 'release', args) }
  return publicWithDateAhead(product, { label, publishedAt: date }, hint)
}

/** The draft to release. Refuses a label that is taken, and a missing or empty draft. */
async function unreleasedDraft(records: Records, product: Product, label: string): Promise<Version> {
  const name = address(product)
  if (label === UNRELEASED)
    throw new Refusal(`${UNRELEASED} is the label of the draft.`, {
      hint: toRun('Give the version to release', 'release', [name, '1.0.0']),
    })
  const same = await records.versions.find(product, label)
  if (same?.status === 'draft' && !same.scheduled)
    throw new Refusal(`There is already a draft ${label} of ${name}.`, {
      kind: 'exists',
      hint: toRun('To publish it', 'version publish', [name, label]),
    })
  await records.versions.checkFree(product, label)
  const draft = await records.versions.find(product, UNRELEASED)
  if (!draft)
    throw new Refusal(`${name} has no unreleased draft.`, {
      hint: toRun('To write one', 'edit', [name]),
    })
  if (draft.changeCount === 0 && draft.description === null)
    throw new Refusal(`The unreleased draft of ${name} is empty.`, {
      hint: toRun('To write it', 'edit', [name]),
    })
  return draft
}

function publicAddress(config: Config, { team, slug }: Product, version: Version): string {
  const path =
    config.pages === 'off'
      ? `${publicChangelogPath(team.slug, slug)}/versions/${version.id}`
      : versionPagePath(team.slug, slug, version)
  return publicBase(config) + path
}
