import { Option } from '@commander-js/extra-typings'
import { ACTS } from '../../acts/acts.ts'
import type { Config } from '../../config/config.ts'
import { publicBase, publicChangelogPath, versionPagePath } from '../../domain/addresses/paths.ts'
import { address, type Product, UNRELEASED, type Version } from '../../domain/records.ts'
import { spelledOut } from '../../domain/time/time.ts'
import { hiddenChangelog, hiddenVersion } from '../../domain/versions/hidden.ts'
import { firstProduct } from '../../transfer/find.ts'
import { date, moment, productArgument } from '../arguments/arguments.ts'
import { withSettings, writingCommand } from '../command.ts'
import type { Context } from '../context.ts'
import { actor, writing } from '../session.ts'
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
        'changelogd release acme/app 1.0.0 --title "First release" --date 2026-01-02',
        'changelogd release acme/app 1.0.0 --at "tomorrow 09:00"',
        'changelogd release acme/app --title "Guests on every board"',
      ],
      `The unreleased draft is the version with the label
${UNRELEASED}, which edit and import create.\n\n${AT_HELP}`,
    )
      .addArgument(productArgument())
      .argument('[label]', 'label of the released version, such as 1.0.0 (default: one made from the title)')
      .option('--title <text>', 'title of the version (default: the title of the draft, or the label)')
      .option('--date <time>', 'publication date (default: now)', date)
      .addOption(new Option('--at <time>', 'publish it at this time').argParser(moment).conflicts('date'))
      .option('--publish', 'also publish the product and its changelog'),
    ['public-url'],
  ).action(async (name, given, { title, date, at, publish, ...options }, command) => {
    const config = configFrom(context, options)
    const scheduledFor = at === undefined ? undefined : await momentAhead(context, command, at)
    return writing(context, { ...options, begin: firstProduct(name) }, async (records) => {
      const by = actor(context, records)
      const released = await ACTS.release.run(by, name, given, { title, date, at: scheduledFor })
      const { version } = released
      const product = publish
        ? (await ACTS.publishProduct.run(by, released.product)).product
        : released.product
      const url = publicAddress(config, product, version)
      const text = `version ${plain(version.label)} of ${address(product)}`
      const hidden = hiddenVersion(product, version)
      return {
        json: { ...versionJson(version), url, public: hidden.length === 0, hidden },
        text: version.scheduled
          ? `Scheduled ${text} for ${ahead(version.publishedAt, by.now)}: ${url}`
          : `Released ${text}${date === undefined ? '' : `, dated ${spelledOut(date)}`}: ${url}`,
        // The text says that it is scheduled.
        notes: hiddenNotes(hiddenChangelog(product)),
      }
    })
  })

function publicAddress(config: Config, { team, slug }: Product, version: Version): string {
  const path =
    config.pages === 'off'
      ? `${publicChangelogPath(team.slug, slug)}/versions/${version.id}`
      : versionPagePath(team.slug, slug, version)
  return publicBase(config) + path
}
