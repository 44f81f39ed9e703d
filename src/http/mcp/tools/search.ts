import { Type } from '@sinclair/typebox'
import { exactly } from '../../api/openapi/response-schemas.ts'
import { MAX_Q } from '../../reading/parameters.ts'
import { searchAll } from '../everywhere.ts'
import { since, until } from '../period.ts'
import { changelog, cursor, defineTool, filterIn, filters, kind, maxLength } from '../tool.ts'
import { listVersions, VersionList } from '../version-list.ts'

/** Versions of one answer, if all of them are as short as that. */
const FOUND = 50

export const searchChangelog = defineTool({
  name: 'search',
  title: 'Search changelogs',
  description:
    'Finds changes by words, such as the name of a function or CVE-2026-1234, in one changelog or, without changelog, in all of them. The newest version of each comes first.',
  input: exactly({
    changelog: Type.Optional(changelog),
    query: Type.String({
      minLength: 1,
      maxLength: MAX_Q,
      description: 'Words that must all occur in a change, or in the title or text of a version.',
    }),
    kind,
    since,
    until,
    ...filters,
    cursor,
    maxLength,
  }),
  output: VersionList,
  read: (source, { query, kind = null, changelog, ...given }) => {
    const filter = { q: query.trim() || null, type: null, kind, ...filterIn(given) }
    return changelog === undefined
      ? searchAll(source, filter, FOUND, given)
      : listVersions(source, filter, FOUND, given)
  },
})
