import { withoutV } from '../../domain/rules.ts'
import type { VersionContent } from '../../store/store.ts'
import { comparedTags } from './markdown/github/repository.ts'

/** A paragraph that is only a link. */
const LINK_ALONE = /(?:^|\n\n)\[(?<text>[^[\]\n]+)\]\((?<url>[^\s()]+)\)(?=\n\n|$)/g

/**
 * The texts of a version, in which a link that only repeats its label stands at the end and says what it leads to, such as
 * `1.1.0…1.2.0`. Generated changelogs have it in the heading, and imports keep it.
 */
export function placeComparison({
  label,
  description,
  closing,
}: VersionContent): Pick<VersionContent, 'description' | 'closing'> {
  const links: string[] = []
  const withoutLinks = (source: string | null): string | null =>
    source?.replace(LINK_ALONE, (found, text: string, url: string) => {
      if (withoutV(text.replaceAll('\\', '')) !== withoutV(label)) return found
      links.push(`[${comparedTags(url) ?? text}](${url})`)
      return ''
    }) ?? null
  const texts = { description: withoutLinks(description), closing: withoutLinks(closing) }
  const ending = [texts.closing, ...links].filter(Boolean).join('\n\n')
  return { description: texts.description || null, closing: ending || null }
}
