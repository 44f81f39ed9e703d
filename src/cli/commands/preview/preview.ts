import { versionPagePath } from '../../../domain/addresses/paths.ts'
import { address, type Change, type ProductName, UNRELEASED, type Version } from '../../../domain/records.ts'
import { Refusal, toRun } from '../../../domain/refusal.ts'
import { storedStatus } from '../../../domain/time/schedule.ts'
import { plainInline, readInline } from '../../../notes/inline.ts'
import { dayText, joined, markdownForm, nameText, releaseText } from '../../../notes/markdown.ts'
import { asStored } from '../../../notes/pictures.ts'
import { type HeadingOf, ownHeading, showRelease } from '../../../notes/release.ts'
import { WHOLE, writeRelease } from '../../../notes/writing.ts'
import type { Records } from '../../../store/records/records.ts'
import { findProduct, findShown } from '../../../transfer/find.ts'
import { productArgument, shownArgument } from '../../arguments/arguments.ts'
import { databaseCommand } from '../../command.ts'
import type { Context } from '../../context.ts'
import { print, snapshotOf, waitingFor } from '../../session.ts'
import { configFrom } from '../../settings.ts'
import { hasColor } from '../../terminal/color.ts'
import { changeJson, versionJson } from '../../terminal/json.ts'
import { plain, plainLines } from '../../terminal/text.ts'

export const previewCommand = (context: Context) =>
  databaseCommand(
    context,
    'preview',
    'preview a version or a draft',
    ['changelogd preview acme/app', 'changelogd preview acme/app 0.2.0', 'changelogd preview acme/app --web'],
    DETAILS,
  )
    .addArgument(productArgument())
    .addArgument(shownArgument().argOptional())
    .option('--web', 'serve its web page on this machine, at a one-time address')
    .action(async (name, label, { web, ...options }) => {
      const { product, version, changes } = await snapshotOf(context, options, async (records) => {
        const found = await (label === undefined ? findNext(records, name) : findShown(records, name, label))
        return { ...found, changes: await records.changes.list(found.version) }
      })
      if (web) {
        const path = versionPagePath(product.team.slug, product.slug, version)
        const waiting = waitingFor(context, options)
        await context.preview(configFrom(context, options), waiting, product.team, path, (url) =>
          print(context, options, {
            json: { url },
            text: `To see version ${version.label} of ${address(product)} and all drafts of team ${product.team.slug}, open this address. It works once, for ten minutes:\n${url}`,
            notes: [context.terminal.input ? `For another address, press Enter. ${END}` : END],
          }),
        )
        return
      }
      const markdown = await previewMarkdown(version, changes)
      await print(context, options, {
        json: { ...versionJson(version), changes: changes.map(changeJson), markdown },
        text: terminalText(context, markdown),
      })
    })

const END = 'To end the preview, press Ctrl-C.'

const DETAILS = `Without a version, shows the Unreleased draft, the newest
draft, or the newest version.

`

/** The version that its author most likely works on. */
async function findNext(records: Records, name: ProductName): ReturnType<typeof findShown> {
  const product = await findProduct(records, name)
  const versions = await records.versions.list(product)
  const version =
    versions.find((each) => each.label === UNRELEASED && each.status === 'draft') ??
    versions.find((each) => each.status === 'draft') ??
    versions[0]
  if (version) return { product, version }
  throw new Refusal(`${address(product)} has no versions.`, {
    hint: toRun('To write one', 'edit', [address(product)]),
  })
}

const terminalText = (context: Context, markdown: string): string =>
  Bun.markdown
    .ansi(markdown, {
      colors: hasColor(context),
      columns: Number.isFinite(context.terminal.width) ? context.terminal.width : 0,
    })
    .trimEnd()

const ALL = { ...WHOLE, text: Number.POSITIVE_INFINITY, release: Number.POSITIVE_INFINITY }

/** A version for the terminal, as its page shows it. */
async function previewMarkdown(version: Version, changes: Change[]): Promise<string> {
  const heading: HeadingOf = (change) => plainInline(readInline(ownHeading(change)))
  const shown = showRelease({ ...version, kinds: null, changes }, heading)
  const release = await writeRelease(markdownForm(asStored), shown, 3, ALL)
  const state = storedStatus(version)
  const when = [dayText(release.date), state === 'published' ? '' : state].filter(Boolean).join(', ')
  const name = [nameText(plain(version.label)), release.title].filter(Boolean).join(' ')
  return plainLines(joined([`## ${name}`, when, releaseText(release, 3)]).replaceAll('\t', '    '))
}
