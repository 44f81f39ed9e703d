import type { Version } from '../domain/records.ts'
import { withoutV } from '../domain/rules.ts'
import { readNumber } from '../domain/versions/number.ts'

type Texts = Pick<Version, 'description' | 'closing'>

/** A paragraph that is only a link. */
const LINK_ALONE = /(?:^|\n\n)\[(?<text>[^[\]\n]+)\]\((?<url>[^\s()]+)\)(?=\n\n|$)/g

/** A paragraph about what changed in all: `**Full Changelog**: https://…`, `[Full Changelog](https://…)`. */
const FULL = /(?:^|\n\n)(?<line>[*_[]*full changelog\b[^\n]*)(?=\n\n|$)/gi

/**
 * The texts of a version, in which a link that only repeats its label stands at the end and says what it leads to, such as
 * `1.1.0…1.2.0`. Generated changelogs have it in the heading, and imports keep it. The full changelog is no introduction either.
 */
export function placeComparison({ label, description, closing }: Texts & Pick<Version, 'label'>): Texts {
  const links: string[] = []
  const full: string[] = []
  const withoutLinks = (source: string | null): string | null =>
    source?.replace(LINK_ALONE, (found, text: string, url: string) => {
      if (withoutV(text.replaceAll('\\', '')) !== withoutV(label)) return found
      links.push(`[${comparedTags(url) ?? text}](${url})`)
      return ''
    }) ?? null
  const above = withoutLinks(description)?.replace(FULL, (_, line: string) => {
    full.push(line)
    return ''
  })
  const ending = [withoutLinks(closing), ...full, ...links].filter(Boolean).join('\n\n')
  return { description: above || null, closing: ending || null }
}

/** `1.1.0…1.2.0` for the address of a comparison, or null. */
export function comparedTags(address: string): string | null {
  const [, from, to] = /\/compare\/(.+?)\.{2,3}(.+?)\/?$/.exec(address) ?? []
  return from === undefined ? null : `${tagName(from)}…${tagName(to)}`
}

/** A tag without the name of a package and the `v` before its number. */
const tagName = (part = ''): string => {
  try {
    const tag = decodeURIComponent(part)
    return tag.slice(readNumber(tag)?.start ?? 0)
  } catch {
    return part
  }
}
