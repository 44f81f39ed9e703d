import { type Static, Type } from '@sinclair/typebox'
import { LIMITS } from '../../domain/records.ts'
import { KINDS } from '../../domain/versions/kinds.ts'
import { exactly, oneOf } from '../api/openapi/response-schemas.ts'
import { MAX_Q } from '../reading/parameters.ts'

/** Input and output of the tools, checked by these schemas. Types are inferred. */

/** About 2,000 tokens. */
const DEFAULT_LENGTH = 6_000
const LEAST_LENGTH = 1_000
const MOST_LENGTH = 100_000
const DEFAULT_VERSIONS = 10
const MOST_VERSIONS = 100

const changelog = Type.String({
  maxLength: 200,
  description: 'Team and product, such as acme/app. See list_changelogs.',
})
const label = (description: string) => Type.String({ minLength: 1, maxLength: LIMITS.label, description })
const kind = Type.Optional(oneOf(KINDS, 'Only changes of this kind.'))
const prereleases = Type.Optional(oneOf(['no'], '`no` skips pre-releases.'))
const cursor = Type.Optional(
  Type.String({ maxLength: 200, description: '`next` from the previous response.' }),
)
const maxLength = Type.Optional(
  Type.Integer({
    minimum: LEAST_LENGTH,
    maximum: MOST_LENGTH,
    default: DEFAULT_LENGTH,
    description: `Maximum length of the response in characters, ${DEFAULT_LENGTH} by default. Longer texts are cut and changes omitted.`,
  }),
)

export const lengthOf = ({ maxLength = DEFAULT_LENGTH }: { maxLength?: number }): number => maxLength
export const limitOf = ({ limit = DEFAULT_VERSIONS }: { limit?: number }): number => limit

export const INPUT = {
  list_changelogs: exactly({
    team: Type.Optional(
      Type.String({ maxLength: 100, description: 'Only changelogs of this team, by its slug.' }),
    ),
    cursor,
  }),
  get_changelog: exactly({
    changelog,
    kind,
    prereleases,
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MOST_VERSIONS,
        default: DEFAULT_VERSIONS,
        description: `Maximum number of versions, ${DEFAULT_VERSIONS} by default.`,
      }),
    ),
    cursor,
    maxLength,
  }),
  get_version: exactly({
    changelog,
    version: label('The label of a version, such as 1.2.0, or `latest` for the newest that is not yanked.'),
    skip: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 1_000_000,
        description: 'Number of changes to skip: `next` from the previous response.',
      }),
    ),
    maxLength,
  }),
  compare_versions: exactly({
    changelog,
    from: label('The version in use, such as 1.2.0. Its own changes are not included.'),
    to: Type.Optional(label('The version to upgrade to, included. Default: the highest release.')),
    breakingOnly: Type.Optional(Type.Boolean({ description: 'Only breaking changes.' })),
    kind,
    prereleases,
    cursor,
    maxLength,
  }),
  search: exactly({
    changelog,
    query: Type.String({
      minLength: 1,
      maxLength: MAX_Q,
      description: 'Words that must all occur in a change, or in the title or text of a version.',
    }),
    kind,
    prereleases,
    cursor,
    maxLength,
  }),
}

const next = Type.Optional(Type.String({ description: 'The `cursor` of the next page, if there is one.' }))
const counts = Type.Record(Type.String(), Type.Integer(), {
  description:
    'Number of changes of each kind. Breaking changes and security fixes also count as their own kind. `breaking` is 0 if only the description mentions a breaking change.',
})
const Change = Type.Object({
  kind: oneOf(KINDS, 'The kind of change.'),
  breaking: Type.Optional(Type.Literal(true, { description: 'It breaks something.' })),
  security: Type.Optional(Type.Literal(true, { description: 'It is about security.' })),
  heading: Type.Optional(Type.String({ description: 'The author’s heading, if it differs from the kind.' })),
  title: Type.String({ description: 'Markdown.' }),
  description: Type.Optional(Type.String({ description: 'Markdown. It ends with … if it is cut.' })),
})
const Version = Type.Object({
  version: Type.String({ description: 'Its label.' }),
  title: Type.Optional(Type.String({ description: 'Markdown.' })),
  date: Type.Optional(Type.String({ description: 'Release date, if known: 2026-01-02.' })),
  draft: Type.Optional(Type.Literal(true, { description: 'It is not public yet.' })),
  prerelease: Type.Optional(Type.Literal(true, { description: 'It is a pre-release.' })),
  yanked: Type.Optional(Type.String({ description: 'Why it was withdrawn, if known.' })),
  changeCount: Type.Integer({ description: 'Number of its changes.' }),
  kinds: Type.Optional(counts),
  description: Type.Optional(Type.String({ description: 'Markdown above its changes.' })),
  changes: Type.Array(Change),
  omitted: Type.Optional(Type.Integer({ description: 'Number of its changes that are omitted here.' })),
})
const ComparedChange = Type.Object({
  version: Type.String({ description: 'The version with this change.' }),
  ...Change.properties,
})
const product = {
  changelog: Type.String({ description: 'Team and product.' }),
  name: Type.String({ description: 'The name of the changelog.' }),
}

export const OUTPUT = {
  list_changelogs: Type.Object({
    changelogs: Type.Array(
      Type.Object({
        ...product,
        newest: Type.Optional(Type.String({ description: 'The label of its newest version.' })),
        date: Type.Optional(Type.String({ description: 'Its release date, if known.' })),
      }),
    ),
    next,
  }),
  get_changelog: Type.Object({ ...product, versions: Type.Array(Version), next }),
  get_version: Type.Object({
    ...product,
    ...Version.properties,
    closing: Type.Optional(Type.String({ description: 'Markdown below its changes.' })),
    next: Type.Optional(Type.Integer({ description: '`skip` for the next changes, if there are more.' })),
  }),
  compare_versions: Type.Object({
    ...product,
    from: Type.String(),
    to: Type.Optional(Type.String({ description: 'The highest version among them.' })),
    yanked: Type.Optional(
      Type.Array(Type.String(), { description: 'The versions of the two that were withdrawn.' }),
    ),
    verdict: Type.String({
      description:
        'Number of major releases, breaking changes and security fixes, and the time between the two.',
    }),
    versionCount: Type.Integer({ description: 'Number of versions between the two.' }),
    notListed: Type.Optional(
      Type.Integer({ description: 'Number of omitted pre-releases and dependency updates.' }),
    ),
    kinds: Type.Record(Type.String(), Type.Integer(), {
      description:
        'Number of changes of each kind. Breaking changes count only as breaking, security fixes only as security.',
    }),
    unmarked: Type.Optional(
      Type.Array(Type.String(), {
        description:
          'Major releases without a change marked as breaking. They may still break something: read what they remove, deprecate and change.',
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
  }),
  search: Type.Object({ ...product, versions: Type.Array(Version), next }),
}

export type Input = { [Name in keyof typeof INPUT]: Static<(typeof INPUT)[Name]> }
export type Output = { [Name in keyof typeof OUTPUT]: Static<(typeof OUTPUT)[Name]> }
export type ToolName = keyof typeof INPUT
