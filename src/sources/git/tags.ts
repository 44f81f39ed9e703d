import { Refusal } from '../../domain/refusal.ts'
import { type Decoded, decode } from '../../domain/text/decode.ts'
import { isVersionTag, parseTags, type Tag } from '../../formats/git-tags.ts'
import { NOT_UTF_8, type TagDate, type Warning } from '../../formats/parsed.ts'

/** The fields of each tag. One that is not annotated has the text and the date of its commit. */
const FIELDS = [
  'objecttype',
  'refname:strip=2',
  'taggerdate:unix',
  '*committerdate:unix',
  'committerdate:unix',
  'contents:signature',
  'contents',
]
const FORMAT = FIELDS.map((field, at) =>
  at < 5 ? `%(${field})%00` : `%(if:equals=tag)%(objecttype)%(then)%(${field})%(end)%00`,
).join('')

/** The command of git whose output `tagsIn` understands. */
export const LIST_TAGS = [
  ...['for-each-ref', `--format=${FORMAT}`, '--sort=-version:refname', '--sort=-creatordate'],
  'refs/tags',
]

export interface FoundTag extends Omit<Tag, 'message'> {
  isAnnotated: boolean
  message: Decoded
}

/**
 * The versions that tags stand for, and the dates of those whose tags are not annotated, and so have no text. Refuses a
 * repository without any; `path` is for messages.
 */
export function repositoryOf(path: string, found: Iterable<FoundTag>) {
  const warnings: Warning[] = []
  const tags: Tag[] = []
  const dates: TagDate[] = []
  let others = 0
  const tagText = ({ name }: Pick<Tag, 'name'>) => `${path}: tag ${name}`
  for (const { isAnnotated, name, message, date } of found) {
    const text = tagText({ name })
    if (!isVersionTag(name)) {
      others++
      if (isAnnotated) warnings.push({ text, line: 0, message: 'not a version, skipped' })
    } else if (isAnnotated) {
      if (message.others.length > 0) warnings.push({ text, line: 0, message: NOT_UTF_8 })
      tags.push({ name, message: message.text, date })
    } else if (date !== null) dates.push({ label: name, date })
  }
  if (tags.length + dates.length === 0) throw noTags(path, others)
  if (dates.length > 0)
    warnings.push({
      text: path,
      line: 0,
      message: `${dates.length} ${dates.length === 1 ? 'tag is' : 'tags are'} not annotated, and only used for dates of stored versions. To make a version of each tag, use import --commits or git tag -a`,
    })
  const parsed = parseTags(tags, tagText)
  return { ...parsed, dates, warnings: [...warnings, ...parsed.warnings] }
}

export const datesOf = (tags: readonly FoundTag[]): TagDate[] =>
  tags
    .filter(({ name }) => isVersionTag(name))
    .flatMap(({ name, date }) => (date === null ? [] : [{ label: name, date }]))

export const noTags = (path: string, others: number): Refusal =>
  new Refusal(`${path} has ${others === 0 ? 'no tags' : 'only tags that are not versions'}.`, {
    hint:
      others === 0
        ? 'To get the tags of the remote: git fetch --tags'
        : 'To create one: git tag --annotate v1.2.0',
  })

/** Records of git's output, with so many fields each: these end with NUL, and a record with a line end. */
export function* fieldsIn(output: Uint8Array, count: number): Generator<Uint8Array[]> {
  let at = 0
  const next = (): Uint8Array => {
    const end = output.indexOf(0, at)
    const field = output.subarray(at, end === -1 ? output.length : end)
    at += field.length + 1
    return field
  }
  for (; at < output.length; at++) yield Array.from({ length: count }, next)
}

export function* tagsIn(output: Uint8Array): Generator<FoundTag> {
  for (const fields of fieldsIn(output, FIELDS.length)) {
    const [message = EMPTY, signature = EMPTY] = [fields.pop(), fields.pop()]
    const [type = '', name = '', ...dates] = fields.map((field) => decode(field).text)
    const seconds = dates.find((date) => date !== '')
    yield {
      isAnnotated: type === 'tag',
      name,
      date: seconds === undefined ? null : Number(seconds) * 1000,
      message: decode(message.subarray(0, message.length - signature.length)),
    }
  }
}

const EMPTY = new Uint8Array()
