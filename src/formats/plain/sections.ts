import { isBlank } from '../keepachangelog/markdown/lines.ts'
import { escapePlain } from './body.ts'

/**
 * Sections are starred or marked in plain texts: `** Bug fixes`, `### Bug fixes`, `[Bug fixes]`, `changes:` of YAML. More stars
 * are deeper; above another line with as many, a starred line is an item.
 */
export function headingOf(line: string, next: string, below: string, above: string): string | null {
  const { stars = '', starred } = /^(?<stars>\*{2,4}) (?<starred>\S[^.]{0,60})$/.exec(line)?.groups ?? {}
  const grouped = /^\s*\[(?<name>[^[\]#:]{1,60})\]\s*$/.exec(line)?.groups?.name
  const { indent = '', keyed } = /^(?<indent>[ \t]{1,8})(?<keyed>\p{Ll}+):$/u.exec(line)?.groups ?? {}
  const isSentence = above.startsWith(indent) && /^\p{L}[^:]*$/u.test(above.slice(indent.length))
  const marked = /^#{2,6} (?<name>\S.{0,60})$/.exec(line)?.groups?.name
  const hasText = isBlank(next) && (/^\*{1,4}(?= )/.exec(below)?.[0].length ?? 5) > stars.length
  const name =
    (starred && hasText && !isBlank(below) ? starred : null) ??
    marked ??
    grouped ??
    (keyed && !isSentence && /^\s*[-*]\s/.test(next) ? keyed : null)
  const depth = starred === undefined ? 3 : stars.length + 1
  return name ? `${'#'.repeat(depth)} ${escapePlain(name.trim().replace(/:$/, ''))}` : null
}
