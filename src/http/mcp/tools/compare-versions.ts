import { type Static, Type } from '@sinclair/typebox'
import { LATEST } from '../../../domain/addresses/paths.ts'
import type { Kind } from '../../../domain/versions/kinds.ts'
import type { PassedChange, Verdict } from '../../../domain/versions/verdict.ts'
import { verdictTexts } from '../../../notes/markdown.ts'
import { changesByKind, UPGRADE_KINDS } from '../../../notes/upgrade.ts'
import { exactly } from '../../api/openapi/response-schemas.ts'
import { readUpgrade } from '../../reading/upgrade.ts'
import { ApiError } from '../../request/errors.ts'
import { ChangeEntry, changeEntry, missing, product, productOf } from '../entries.ts'
import {
  changelog,
  cursor,
  defineTool,
  filterIn,
  filters,
  kind,
  label,
  lengthOf,
  maxLength,
  next,
  note,
  placeIn,
  roomOf,
  someNumber,
  someText,
  writePlace,
} from '../tool.ts'
import { countsText } from '../version-list.ts'

const ComparedChange = Type.Object({
  version: Type.String({ description: 'The version with this change.' }),
  ...ChangeEntry.properties,
})

const Comparison = Type.Object({
  ...product,
  note,
  from: Type.String(),
  to: someText('The highest version among them.'),
  yanked: Type.Optional(
    Type.Array(Type.String(), { description: 'The versions of the two that were withdrawn.' }),
  ),
  verdict: Type.String({
    description:
      'Number of major releases, breaking changes and security fixes, and the time between the two.',
  }),
  versionCount: Type.Integer({ description: 'Number of versions between the two.' }),
  notListed: someNumber('Number of omitted pre-releases and dependency updates.'),
  kinds: Type.Record(Type.String(), Type.Integer(), {
    description:
      'Number of changes of each kind. Breaking changes count only as breaking, security fixes only as security.',
  }),
  unmarked: Type.Optional(
    Type.Array(Type.String(), {
      description:
        'Major releases of which the author marks no change as breaking. They may still break something: read what they remove, deprecate and change.',
    }),
  ),
  lookFirst: Type.Optional(
    Type.Array(ComparedChange, {
      description: 'What may break, and to look at first in these, with breakingOnly.',
    }),
  ),
  changes: Type.Array(ComparedChange, {
    description: 'Breaking, security, removed, deprecated, then other kinds, each from oldest to newest.',
  }),
  next,
})

export const compareVersions = defineTool({
  name: 'compare_versions',
  title: 'Compare two versions',
  description:
    'Summarizes an upgrade from one version to another, and lists every change: breaking, security, removed and deprecated first. Use it before you upgrade a dependency. breakingOnly omits the rest.',
  input: exactly({
    changelog,
    from: label(
      'The version in use, such as 1.2.0, or 14 for the newest 14.x. Its own changes are not included.',
    ),
    to: Type.Optional(
      label('The version to upgrade to, included, or `latest`. Default: the highest release.'),
    ),
    breakingOnly: Type.Optional(Type.Boolean({ description: 'Only breaking changes.' })),
    kind,
    ...filters,
    cursor,
    maxLength,
  }),
  output: Comparison,
  read: async (source, { cursor, ...given }) => {
    const kind = given.breakingOnly ? 'breaking' : (given.kind ?? null)
    // The same end on each page, whatever is released meanwhile.
    const { skip, after, to: end } = placeIn(cursor)
    const read = (from?: string, to = end) =>
      readUpgrade(source, { from, to, ...filterIn(given) }, null, after)
    const [from, to] = [given.from, given.to].map((label) => (label === LATEST ? undefined : label))
    if (from === undefined && to === undefined) throw new ApiError('bad_request', SAME)
    const inOrder = from === undefined ? 'reversed' : await read(from, to)
    const found = inOrder === 'reversed' ? await read(to, from) : inOrder
    if (found === 'reversed') throw new ApiError('bad_request', SAME)
    if (!found) return null
    if ('missingLabel' in found) return missing(source, found.missingLabel)
    const length = lengthOf(given)
    const { verdict } = found
    const groups = changesByKind(verdict, kind)
    const note = [
      ...(inOrder === 'reversed' ? ['from is above to. This compares them the other way round.'] : []),
      ...(verdict.releases.length === 0 && !found.next ? ['There is no release between them.'] : []),
      ...(groups.size === 0 && kind !== null ? [noneOf(verdict, kind)] : []),
    ].join(' ')
    const entryOf = async ({ change, version }: PassedChange) => ({
      version: version.label,
      ...(await changeEntry(source, change, length / 10)),
    })
    const answer: Static<typeof Comparison> = {
      ...productOf(found.info),
      ...(note && { note }),
      from: found.from ?? '',
      ...(verdict.releases.length > 0 && { to: found.to }),
      ...(found.yanked.length > 0 && { yanked: found.yanked.map(({ label }) => label) }),
      verdict: verdictTexts(verdict).join(', '),
      versionCount: verdict.releases.length,
      ...(verdict.folded.length > 0 && { notListed: verdict.folded.length }),
      kinds: Object.fromEntries([...groups].map(([kind, { length }]) => [kind, length])),
      ...(verdict.unmarked.length > 0 && { unmarked: verdict.unmarked.map(({ label }) => label) }),
      changes: [],
    }
    const room = roomOf(length, answer)
    // A list of breaking changes lacks these.
    const first = kind === 'breaking' && skip === 0 ? verdict.lookFirst.flatMap(({ changes }) => changes) : []
    const lookFirst = (await Array.fromAsync(first, entryOf)).filter((entry) => room.take(entry))
    if (lookFirst.length > 0) answer.lookFirst = lookFirst
    const all = UPGRADE_KINDS.flatMap((each) => groups.get(each) ?? [])
    for (const change of all.slice(skip)) {
      const entry = await entryOf(change)
      if (!room.take(entry) && answer.changes.length > 0) break
      answer.changes.push(entry)
    }
    const seen = skip + answer.changes.length
    if (seen < all.length) return { ...answer, next: writePlace(seen, after, found.to) }
    return found.next ? { ...answer, next: writePlace(0, found.next, found.to) } : answer
  },
})

const SAME = 'from and to are the same version.'

function noneOf(verdict: Verdict, kind: Kind): string {
  const counts = new Map([...changesByKind(verdict, null)].map(([each, { length }]) => [each, length]))
  return `Nothing of kind ${kind} was found. Changes of each kind: ${countsText(counts) || 'none'}.`
}
