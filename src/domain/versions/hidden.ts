import { address, type Product, type Status, UNRELEASED, type Version } from '../records.ts'
import type { Command } from '../text/shell.ts'

import { spelledOut } from '../time/time.ts'

/** Why something is hidden: the rule in the store's WHERE, as reasons. A test checks that the two agree. */
export type HiddenCode =
  | 'private_team'
  | 'draft_product'
  | 'locked_product'
  | 'draft_changelog'
  | 'locked_changelog'
  | 'draft_version'
  | 'scheduled_version'
  | 'no_published_version'

export interface HiddenReason {
  code: HiddenCode
  /** The reason as a sentence without its period. */
  message: string
  /** The command that makes it public. */
  remedy: Command
}

/** Why public reads of a product's changelog return a 404; empty if they return the changelog. */
export function hiddenChangelog(product: Product): HiddenReason[] {
  const { slug, visibility } = product.team
  const reasons: HiddenReason[] = []
  if (visibility === 'private')
    reasons.push({
      code: 'private_team',
      message: `team ${slug} is private`,
      remedy: { name: 'team update', args: [slug], options: { visibility: 'public' } },
    })
  const remedy = { name: 'publish', args: [address(product)] }
  const add = (what: 'product' | 'changelog', name: string, status: Status) => {
    const state = status === 'draft' ? 'a draft' : 'locked'
    if (status !== 'published')
      reasons.push({ code: `${status}_${what}`, message: `${name} is ${state}`, remedy })
  }
  add('product', 'the product', product.status)
  add('changelog', 'its changelog', product.changelog.status)
  return reasons
}

/** Why a version is hidden; empty if it is public. */
export function hiddenVersion(
  product: Product,
  version: Pick<Version, 'label' | 'status' | 'scheduled' | 'publishedAt'>,
): HiddenReason[] {
  const reasons = hiddenChangelog(product)
  if (version.status === 'draft')
    reasons.push({
      code: version.scheduled ? 'scheduled_version' : 'draft_version',
      message: version.scheduled
        ? `version ${version.label} is scheduled for ${spelledOut(version.publishedAt)}`
        : `version ${version.label} is a draft`,
      remedy: howToPublish(product, version.label),
    })
  return reasons
}

/** The command that publishes a draft. The unreleased one gets the label of a version first. */
export const howToPublish = (product: Product, label: string): Command =>
  label === UNRELEASED
    ? { name: 'release', args: [address(product), 'VERSION'] }
    : { name: 'version publish', args: [address(product), label] }

/** The reasons why nothing of a changelog is public: it is hidden, or no version is published. */
export function whyNothingIsPublic(
  product: Product & {
    publishedCount: number
    newestDraft: string | null
    nextScheduled: { label: string | null }
  },
): HiddenReason[] {
  const reasons = hiddenChangelog(product)
  if (product.publishedCount > 0) return reasons
  const next = product.nextScheduled.label
  const draft = next ?? product.newestDraft
  const message = next === null ? 'no version is published' : `no version is published until ${next}`
  const remedy =
    draft === null
      ? { name: 'version create', args: [address(product), '1.0.0'], options: { status: 'published' } }
      : howToPublish(product, draft)
  return [...reasons, { code: 'no_published_version', message, remedy }]
}
