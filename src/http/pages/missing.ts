import type { DatedVersion } from '../../store/store.ts'
import type { Body } from '../answers/cached-response.ts'
import type { Reads } from '../answers/reads.ts'
import type { Names } from '../reading/names.ts'
import { readLabels, type UpgradeRange } from '../reading/upgrade.ts'
import type { Site } from '../site/site.ts'
import { createDocuments } from './documents.ts'
import type { PageForm } from './form.ts'
import { missingPage, replaced } from './templates/missing.ts'

/** A 404 that names other versions; null if there is no such changelog. Hidden versions take the same steps. */
export async function missingBody(
  site: Site,
  reads: Reads,
  names: Names,
  form: PageForm,
  label: string,
  between: UpgradeRange | null = null,
): Promise<Body | null> {
  const { team, product } = names
  const near = await reads.ask('readNear', 'public', team, product, label)
  if (!near) return null
  const instead: DatedVersion[] = []
  for (const version of near.alike.length > 0 ? near.alike : [near.older, near.newer]) {
    if (!version) continue
    const range = between && replaced(label, between, version.label)
    // Where list order and precedence disagree, it may be on the wrong side of the other end.
    const page = range && { limit: 1, after: null, since: null, withChanges: false, between: range }
    const read = page && (await reads.ask('readChangelog', 'public', team, product, page))
    if (!page || read?.upTo !== undefined) instead.push(version)
  }
  const labels = between ? await readLabels(reads, names) : []
  const page = { ...near, label, between, instead, labels }
  const inOwn = site.in(near)
  const text = form.isMarkdown ? createDocuments(site).missing(page) : missingPage(inOwn, page)
  return { ...form.body(text, inOwn.language), status: 404 }
}
