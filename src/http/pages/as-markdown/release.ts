import type { Change } from '../../../domain/records.ts'
import { printable } from '../../../domain/text/controls.ts'
import { formatInstant } from '../../../domain/time/time.ts'
import type { KindCounts } from '../../../domain/versions/derived.ts'
import { isBreaking, type Kind } from '../../../domain/versions/kinds.ts'
import { escapeInline } from '../../../formats/keepachangelog/markdown/inline.ts'
import { indent } from '../../../formats/keepachangelog/markdown/lines.ts'
import { asParagraph } from '../../../formats/keepachangelog/titles.ts'
import { type Authored, authoredBlocks, authoredLine } from '../../../notes/authored.ts'
import { dateOf, type VersionContent } from '../../../store/store.ts'
import type { Turn } from '../../cache/turn.ts'
import { en } from '../languages/en.ts'
import { type Level, type RenderLimits, withoutMark } from '../render-release.ts'
import { clampGroups, groupChanges } from '../sections.ts'

/** The contents of a release as Markdown. */
export interface WrittenRelease extends Authored {
  /** How many of its changes are not in it. */
  omitted: number
}

/** Writes what pages show, within the same limits and turns of the event loop. */
export function createReleaseWriter(turn: Turn) {
  const blocks = async (text: string | null, level: number, length: number): Promise<Authored> => {
    if (text === null) return NOTHING
    const pause = turn.pause()
    if (pause) await pause
    return authoredBlocks(text, level, length)
  }

  /** `level` is that of the headings of sections. */
  const release = async (
    version: VersionContent,
    level: Level,
    limits: RenderLimits,
  ): Promise<WrittenRelease> => {
    const about = await blocks(version.description, level, limits.text)
    const parts = [about.text]
    let { isCut } = about
    let omitted = version.changeCount
    let left = limits.release - about.text.length
    const groups = groupChanges(en, version.changes)
    const isClamped = version.changes.length > limits.changes
    for (const group of isClamped ? clampGroups(groups, limits.changes) : groups) {
      const items: string[] = []
      for (const each of group.changes) {
        const item = await change(each, level, limits.text, group.kind)
        left -= item.text.length
        if (left < 0) break
        isCut ||= item.isCut
        omitted--
        items.push(item.text)
      }
      if (items.length > 0) parts.push(`${'#'.repeat(level)} ${inline(group.heading)}`, listOf(items))
      if (left < 0) break
    }
    const after = await blocks(isClamped ? null : version.closing, level, limits.text)
    const text = joined([...parts, after.text])
    return { text: text || en.release.noChanges, isCut: isCut || after.isCut, omitted }
  }

  /** An item of a list below the heading of a kind; `start` begins it. */
  const change = async (
    change: Change,
    level: number,
    length: number,
    kind: Kind,
    start = '',
  ): Promise<Authored> => {
    const breaks = isBreaking(change)
    const title = authoredLine(breaks ? withoutMark(change.title) : change.title)
    const opening = start + (breaks && kind !== 'breaking' ? '**Breaking:** ' : '')
    const first = `- ${opening}${opening === '' ? asParagraph(title) : title}`
    const { text, isCut } = await blocks(change.description, level + 1, length)
    return { text: text === '' ? first : `${first}\n\n${indent(text)}\n`, isCut }
  }

  return { release, change }
}

const NOTHING: Authored = { text: '', isCut: false }

/** Items that are changes. */
export const listOf = (items: readonly string[]): string => items.join('\n').trimEnd()

/** A name in a line of Markdown. An ampersand is escaped only where it would begin a character reference. */
export const inline = (text: string): string =>
  escapeInline(printable(text))
    .replace(/\s+/g, ' ')
    .replace(/\\&(?!#?\w{1,32};)/g, '&')

/** A link to an address of ours: parentheses would end it. */
export const link = (words: string, url: string): string =>
  `[${inline(words)}](${url.replaceAll('(', '%28').replaceAll(')', '%29')})`

export const joined = (parts: readonly (string | null)[]): string =>
  parts.filter((part) => part !== null && part !== '').join('\n\n')

/** `2026-01-02`, if it is known. */
export const dayOf = (version: Parameters<typeof dateOf>[0]): string | null => {
  const date = dateOf(version)
  return date === null ? null : formatInstant(date).slice(0, 10)
}

/** `1 breaking, 3 added` */
export const kindsOf = (counts: KindCounts | null): string =>
  [...(counts ?? [])].map(([kind, count]) => `${count.toLocaleString('en')} ${kind}`).join(', ')

export const counted = (count: number, noun: string): string =>
  `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`

/** The title of a version, if it has one other than its label. */
export const titleOf = ({ title, label }: { title: string; label: string }): string | null =>
  title === label ? null : authoredLine(title)
