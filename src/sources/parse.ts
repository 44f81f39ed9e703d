import type { Source } from '../domain/records.ts'
import { Refusal } from '../domain/refusal.ts'
import { detectFormat } from '../formats/detect.ts'
import type { TagDate } from '../formats/parsed.ts'
import { asRefusal, parseChangelog } from '../transfer/parse-changelog.ts'
import type { ChangelogSource } from '../transfer/source.ts'

/** The file of a repository whose source names none. */
export const USUAL_FILE = 'CHANGELOG.md'

export const fileOf = ({ file }: Pick<Source, 'file'>): string => file ?? USUAL_FILE

/** Importing very many versions would block the worker for minutes. */
export const MOST_VERSIONS = 20_000

/** A file of any format that `import` reads, but not an export. Refuses what an outage leaves in the place of one. */
export function parseFile(name: string, bytes: Uint8Array, tags: readonly TagDate[] = []): ChangelogSource {
  const text = textOf(name, bytes)
  try {
    const format = detectFormat(name.replace(/[?#].*$/, ''), text)
    if (format === 'json' || format === 'changesets')
      throw new Refusal(`${name} is an export of changelogd, which cannot be followed.`, {
        hint: 'Follow the CHANGELOG.md that the other server has, or import the export.',
      })
    return parseChangelog(name, text, format, { tags, mostVersions: MOST_VERSIONS })
  } catch (error) {
    throw asRefusal(name, error)
  }
}

/** Refuses what is not text: nothing, a web page, another encoding, the pointer of a large file. */
export function textOf(name: string, bytes: Uint8Array): string {
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (cause) {
    throw new Refusal(`${name} is not UTF-8 text.`, { cause })
  }
  if (text.trim() === '') throw new Refusal(`${name} is empty.`)
  if (PAGE.test(text))
    throw new Refusal(`${name} is a web page, perhaps one to sign in, and not a changelog.`, {
      hint: 'Check the address. What is private needs a token: see docs/guides/follow.md.',
    })
  if (text.startsWith(LFS_POINTER))
    throw new Refusal(`${name} is kept in Git LFS, which is not read.`, {
      hint: 'Keep the changelog in the repository itself.',
    })
  return text
}

const PAGE = /^\s*(?:<!--(?:(?!-->).)*-->\s*)*(?:<\?xml[^>]*>\s*)?<(?:!doctype html|html|head|body)\b/is
const LFS_POINTER = 'version https://git-lfs.github.com/spec/v1'
