import { Type } from '@sinclair/typebox'
import { exactly } from '../../api/openapi/response-schemas.ts'
import { since, until } from '../period.ts'
import { changelog, cursor, defineTool, filterIn, filters, kind, maxLength } from '../tool.ts'
import { listVersions, VersionList } from '../version-list.ts'

export const DEFAULT_VERSIONS = 10
const MOST_VERSIONS = 100

export const getChangelog = defineTool({
  name: 'get_changelog',
  title: 'Read a changelog',
  description:
    'Returns the newest versions of a changelog with their changes, or only the changes of one kind, or of a time. To prepare an upgrade, use compare_versions.',
  input: exactly({
    changelog,
    kind,
    since,
    until,
    ...filters,
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
  output: VersionList,
  read: (source, { kind = null, limit = DEFAULT_VERSIONS, ...given }) =>
    listVersions(source, { q: null, type: null, kind, ...filterIn(given) }, limit, given),
})
