import { type Static, Type } from '@sinclair/typebox'
import { versionFilter } from '../../../domain/versions/properties.ts'
import type { PassedChange } from '../../../domain/versions/verdict.ts'
import { verdictTexts } from '../../../notes/markdown.ts'
import { changesByKind, UPGRADE_KINDS } from '../../../notes/upgrade.ts'
import { exactly } from '../../api/openapi/response-schemas.ts'
import { readUpgrade } from '../../reading/upgrade.ts'
import { ChangeEntry, changeEntry, missing, product, productOf } from '../entries.ts'
import {
  changelog,
  cursor,
  defineTool,
  filters,
  kind,
  label,
  lengthOf,
  maxLength,
  next,
  placeIn,
  roomOf,
  someNumber,
  someText,
  writePlace,
} from '../tool.ts'

const ComparedChange = Type.Object({
  version: Type.String({ description: 'The version with this change.' }),
  ...ChangeEntry.properties,
})

const Comparison = Type.Object({
  ...product,
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
      description: 'Changes to look at first in these, with breakingOnly.',
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
    from: label('The version in use, such as 1.2.0. Its own changes are not included.'),
    to: Type.Optional(label('The version to upgrade to, included. Default: the highest release.')),
    breakingOnly: Type.Optional(Type.Boolean({ description: 'Only breaking changes.' })),
    kind,
    ...filters,
    cursor,
    maxLength,
  }),
  output: Comparison,
  read: async (source, { from, cursor, ...given }) => {
    const kind = given.breakingOnly ? 'breaking' : (given.kind ?? null)
    const { skip, after, to = given.to } = placeIn(cursor)
    const between = { from, ...(to !== undefined && { to }), ...versionFilter(given) }
    const found = await readUpgrade(source, between, null, after)
    if (!found) return null
    if ('missingLabel' in found) return missing(source, found.missingLabel)
    const length = lengthOf(given)
    const { verdict } = found
    const groups = changesByKind(verdict, kind)
    const entryOf = async ({ change, version }: PassedChange) => ({
      version: version.label,
      ...(await changeEntry(source.pace, change, length / 10)),
    })
    const answer: Static<typeof Comparison> = {
      ...productOf(found.info),
      from,
      ...(verdict.releases.length > 0 && { to: found.to }),
      ...(found.yanked.length > 0 && { yanked: found.yanked.map(({ label }) => label) }),
      verdict: verdictTexts(verdict).join(', '),
      versionCount: verdict.releases.length,
      ...(verdict.folded.length > 0 && { notListed: verdict.folded.length }),
      kinds: Object.fromEntries([...groups].map(([kind, { length }]) => [kind, length])),
      ...(verdict.unmarked.length > 0 && { unmarked: verdict.unmarked.map(({ version }) => version.label) }),
      changes: [],
    }
    const room = roomOf(length, answer)
    // A list of breaking changes lacks these.
    const first = kind === 'breaking' && skip === 0 ? verdict.unmarked.flatMap(({ changes }) => changes) : []
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
