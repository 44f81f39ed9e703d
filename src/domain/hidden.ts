import { address, type Product, type Team, type Version } from './records.ts'
import { shellWord } from './shell.ts'

/**
 * Why the public does not see something: the same rule that the store keeps in its WHERE, told as reasons.
 * A test holds the two together.
 */
export type HiddenCode =
  | 'private_team'
  | 'draft_product'
  | 'locked_product'
  | 'draft_changelog'
  | 'locked_changelog'
  | 'draft_version'
  | 'no_published_version'

export interface HiddenReason {
  code: HiddenCode
  /** The reason as a sentence without its period. */
  message: string
  /** The command that removes it. */
  remedy: string
}

/** Why nobody can see anything of a team; empty if they can. */
export const hiddenTeam = (team: Team): HiddenReason[] =>
  team.visibility === 'public'
    ? []
    : [
        {
          code: 'private_team',
          message: `team ${team.slug} is private`,
          remedy: `changelogd team update ${team.slug} --visibility public`,
        },
      ]

/** Why the public gets a 404 for a product's changelog; empty if it gets the changelog. */
export function hiddenChangelog(product: Product): HiddenReason[] {
  const reasons = hiddenTeam(product.team)
  const remedy = `changelogd publish ${address(product)}`
  if (product.status !== 'published')
    reasons.push({
      code: `${product.status}_product`,
      message: product.status === 'draft' ? 'the product is a draft' : 'the product is locked',
      remedy,
    })
  if (product.changelog.status !== 'published')
    reasons.push({
      code: `${product.changelog.status}_changelog`,
      message: product.changelog.status === 'draft' ? 'its changelog is a draft' : 'its changelog is locked',
      remedy,
    })
  return reasons
}

/** Why the public does not see a version; empty if it does. */
export function hiddenVersion(product: Product, version: Version): HiddenReason[] {
  const reasons = hiddenChangelog(product)
  if (version.status === 'draft')
    reasons.push({
      code: 'draft_version',
      message: `version ${version.label} is a draft`,
      remedy: `changelogd version publish ${address(product)} ${shellWord(version.label)}`,
    })
  return reasons
}

/** What keeps a changelog from showing anything: whatever hides it, and having nothing to show. */
export function nothingToSee(
  product: Product,
  newest: { newestPublished: string | null; newestDraft: string | null },
): HiddenReason[] {
  const reasons = hiddenChangelog(product)
  if (newest.newestPublished !== null) return reasons
  const remedy =
    newest.newestDraft === null
      ? `changelogd version create ${address(product)} 1.0.0 --title "…" --status published`
      : `changelogd version publish ${address(product)} ${shellWord(newest.newestDraft)}`
  return [...reasons, { code: 'no_published_version', message: 'no version is published', remedy }]
}
