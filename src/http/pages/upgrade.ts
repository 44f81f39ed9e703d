import { changelogPagePath } from '../../domain/addresses/paths.ts'
import { writeUpgrade } from '../../notes/upgrade.ts'
import { createRenderer } from '../html/renderer.ts'
import { checkedNames, type Names } from '../reading/addresses.ts'
import type { Asked } from '../reading/parameters.ts'
import { readLabels, readUpgrade, type UpgradeRange } from '../reading/upgrade.ts'
import { reversed } from '../request/errors.ts'
import { createDocuments } from './documents.ts'
import { type PageForm, searchOf } from './form.ts'
import type { ChangelogQuery } from './list.ts'
import { missingBody } from './missing.ts'
import { asListed, upgradeHref, upgradePage } from './templates/upgrade.ts'

/** The releases between two versions, or the versions next to one that is missing. */
export function respondWithUpgrade(
  asked: Asked,
  names: Names,
  form: PageForm,
  { filter: { kind }, after }: ChangelogQuery,
  between: UpgradeRange,
): Promise<Response> {
  const { context } = asked
  const site = asked.site()
  const path = changelogPagePath(names.team, names.product)
  const own = upgradeHref(path, between, kind, after)
  return asked.responder.long(context, checkedNames(names), async (reads) => {
    if (path + searchOf(context) !== own) return form.leadTo(own)
    const found = await readUpgrade({ reads, audience: 'public', ...names }, between, kind, after)
    if (!found) return null
    if (found === 'reversed') throw reversed()
    if ('missingLabel' in found) return missingBody(site, reads, names, form, found.missingLabel, between)
    if (after && found.verdict.releases.length === 0 && !found.next)
      return form.leadTo(upgradeHref(path, between, kind))
    // The next page has the same ends, whatever is released meanwhile.
    const whole = { ...between, from: found.from, to: found.to }
    const olderHref = found.next && upgradeHref(path, whole, kind, found.next)
    const upgrade = { ...found, between: whole, kind, own, isFurther: after !== null, olderHref }
    if (form.isMarkdown) return form.body(await createDocuments(site).upgrade(upgrade))
    const labels = await readLabels(reads, names)
    const written = await writeUpgrade(found.verdict, kind, createRenderer(site).formOf(found.info), 3)
    const inOwn = site.in(found.info)
    const { from, ...rest } = whole
    const ends = { ...(from && { from: asListed(from, labels) }), ...rest, to: asListed(whole.to, labels) }
    return form.body(upgradePage(inOwn, { ...upgrade, between: ends, written, labels }), inOwn.language)
  })
}
