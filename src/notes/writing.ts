import { cutAtLine } from '../domain/text/cut.ts'
import { VERSION_TEXT_NAMES, type VersionTexts } from '../domain/versions/properties.ts'
import type { ShownChange, ShownGroup, ShownRelease } from './release.ts'

/** How much of a release is written: characters of each text and of everything, and changes. */
export interface Limits {
  text: number
  release: number
  changes: number
}

/** The most characters of a page, about. */
export const PAGE_LENGTH = 1_000_000

/** In a feed or in search results, in a list of releases, and on its own page. */
export const WHOLE: Limits = { text: 20_000, release: 150_000, changes: Number.POSITIVE_INFINITY }
export const LISTED: Limits = { ...WHOLE, changes: 12 }
export const ALONE: Limits = { ...WHOLE, text: 30_000, release: PAGE_LENGTH }
/** No page shows all of it, and to parse it would delay other requests. */
export const isLong = (text: string): boolean => cutAtLine(text, ALONE.text).length < text.length

/** Called before a text is parsed, or its beginning of this length; may let others in. */
export type Pace = (text: string, length?: number) => Promise<void> | undefined

/** `isCut` if it is only the beginning of a text. */
export interface Written {
  text: string
  isCut: boolean
}

/** Writes markdown in a form: HTML, or Markdown that is a part of a document. */
export interface Form {
  title(source: string): string
  /** The title of a change. */
  line(source: string): string | Promise<string>
  /** The topmost headings of a text become headings of this level. */
  blocks(source: string, level: number, length: number): Written | Promise<Written>
  /** A text in its place below the title of a change. */
  below(text: string): string
}

/** A release whose texts are in the form; empty ones are those without anything to show. */
export interface WrittenRelease extends Omit<ShownRelease, 'groups' | keyof VersionTexts>, WrittenTexts {
  groups: WrittenGroup[]
  /** One of its texts was too long to show all of it. */
  isCut: boolean
  /** The description is all of it, as its author wrote it. */
  isDocument?: true
}

type WrittenTexts = Record<keyof VersionTexts, string>

export interface WrittenGroup extends Omit<ShownGroup, 'changes'> {
  changes: WrittenChange[]
}

export interface WrittenChange extends ShownChange {
  description: string
}

/** The least length of a heading or a change, in characters. */
const MIN_CHARACTERS = 100

/** `level` is that of the headings of sections. */
export async function writeRelease(
  form: Form,
  release: ShownRelease,
  level: number,
  limits: Limits,
): Promise<WrittenRelease> {
  const texts: Partial<WrittenTexts> = {}
  let left = limits.release
  let isCut = false
  for (const name of VERSION_TEXT_NAMES) {
    const source = release[name]
    const written = source === null ? NOTHING : await form.blocks(source, level, limits.text)
    texts[name] = written.text
    left -= written.text.length
    isCut ||= written.isCut
  }
  const { groups, ...rest } = await writeGroups(form, release.groups, level, { ...limits, release: left })
  return {
    ...release,
    ...(texts as WrittenTexts),
    title: release.title === null ? null : form.title(release.title),
    groups,
    omitted: groups.reduce((left, { changes }) => left - changes.length, release.changeCount),
    isCut: isCut || rest.isCut,
  }
}

/** As many changes as fit, from the first. */
export async function writeGroups(form: Form, shown: readonly ShownGroup[], level: number, limits: Limits) {
  const groups: WrittenGroup[] = []
  let left = limits.release
  let isCut = false
  for (const group of shown) {
    left -= group.heading.length + MIN_CHARACTERS
    const changes: WrittenChange[] = []
    for (const change of group.changes) {
      const title = await form.line(change.title)
      const tail = change.tail && (await form.line(change.tail))
      const { description: source } = change.source
      const text = source === null ? NOTHING : await form.blocks(source, level + 1, limits.text)
      const description = form.below(text.text)
      left -= title.length + tail.length + description.length + MIN_CHARACTERS
      if (left < 0) break
      isCut ||= text.isCut
      changes.push({ ...change, title, tail, description })
    }
    if (changes.length > 0) groups.push({ ...group, changes })
    if (left < 0) break
  }
  return { groups, isCut, left }
}

const NOTHING: Written = { text: '', isCut: false }
