import { Type } from '@sinclair/typebox'
import { versionFilter } from '../../../domain/versions/properties.ts'
import { exactly } from '../../api/openapi/response-schemas.ts'
import { MAX_Q } from '../../reading/parameters.ts'
import { changelog, cursor, defineTool, filters, kind, maxLength } from '../tool.ts'
import { listVersions, VersionList } from '../version-list.ts'

/** Versions of one answer, if all of them are as short as that. */
const FOUND = 50

export const searchChangelog = defineTool({
  name: 'search',
  title: 'Search a changelog',
  description:
    'Finds changes of one changelog by words, such as the name of a function. The newest version comes first. To search several changelogs, call it for each. See list_changelogs.',
  input: exactly({
    changelog,
    query: Type.String({
      minLength: 1,
      maxLength: MAX_Q,
      description: 'Words that must all occur in a change, or in the title or text of a version.',
    }),
    kind,
    ...filters,
    cursor,
    maxLength,
  }),
  output: VersionList,
  read: (source, { query, kind = null, ...given }) =>
    listVersions(
      source,
      { q: query.trim() || null, type: null, kind, ...versionFilter(given) },
      FOUND,
      given,
    ),
})
