import { Type } from '@sinclair/typebox'
import { NO_VERSION_TEXTS } from '../../../domain/versions/properties.ts'
import { exactly } from '../../api/openapi/response-schemas.ts'
import { MAX_CHANGES } from '../../reading/slices.ts'
import { missing, product, productOf, shownOf, textOf, VersionEntry, versionEntry } from '../entries.ts'
import { changelog, defineTool, label, lengthOf, maxLength, someNumber, someText } from '../tool.ts'

export const getVersion = defineTool({
  name: 'get_version',
  title: 'Read one version',
  description: 'Returns the notes and changes of one version, in the author’s order.',
  input: exactly({
    changelog,
    version: label(
      'The label of a version, such as 1.2.0, or `latest` for the newest that is neither a pre-release nor yanked.',
    ),
    skip: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 1_000_000,
        description: 'Number of changes to skip: `next` from the previous response.',
      }),
    ),
    maxLength,
  }),
  output: Type.Object({
    ...product,
    ...VersionEntry.properties,
    closing: someText('Markdown below its changes.'),
    next: someNumber('`skip` for the next changes, if there are more.'),
  }),
  read: async (source, { version: name, skip = 0, ...given }) => {
    const { reads, audience, team, product } = source
    const range = { skip, limit: MAX_CHANGES }
    const read = (name: string) => reads.ask('readVersion', audience, team, product, name, range)
    const named = await read(name)
    const found = named?.isMoved ? await read(named.version.id) : named
    if (!found) return missing(source, name)
    const length = lengthOf(given)
    const { version } = found
    // Texts around the changes come with the first of them.
    const texts = skip === 0 ? {} : NO_VERSION_TEXTS
    const release = shownOf({ ...version, ...texts })
    const closing = await textOf(source, release.closing, length / 8)
    const room = length - (closing?.length ?? 0)
    const entry = await versionEntry(source, version, release, version.changes, room, length / 4)
    const next = skip + entry.changes.length
    return {
      ...productOf(found),
      ...entry,
      ...(closing && { closing }),
      ...(next < version.changeCount && entry.changes.length > 0 && { next }),
    }
  },
})
