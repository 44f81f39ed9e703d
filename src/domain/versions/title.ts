import type { Version } from '../records.ts'
import { readNumber } from './number.ts'

/** Between a label and the rest of a title: `4.0.0 — Harbor`, `v4.0.0: Harbor`, `4.0.0 (Harbor)` has none of it. */
const SEPARATOR = /^(?:\s*[:–—|]\s*|\s+[-·]+\s+|\s+)(?=[^\s()[\]])/

/** The title without the label at its beginning, with or without `v` and a package; null if nothing else is in it. */
export function titleBeside({ label, title }: Pick<Version, 'label' | 'title'>): string | null {
  // `1 million users` is no title of version 1.
  if (!label.includes('.')) return title === label ? null : title
  const bare = label.slice(readNumber(label)?.start ?? 0)
  const [opening] = [label, `v${bare}`, bare].filter((name) =>
    title.toLowerCase().startsWith(name.toLowerCase()),
  )
  if (opening === undefined) return title
  const rest = title.slice(opening.length)
  if (rest === '') return null
  const separator = SEPARATOR.exec(rest)?.[0]
  return separator === undefined ? title : rest.slice(separator.length)
}
