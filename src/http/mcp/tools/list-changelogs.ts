import { Type } from '@sinclair/typebox'
import { dayText } from '../../../notes/markdown.ts'
import { exactly } from '../../api/openapi/response-schemas.ts'
import { parseNames } from '../../reading/addresses.ts'
import { LAST_SLUG } from '../../reading/directory.ts'
import { ApiError } from '../../request/errors.ts'
import { product, productOf } from '../entries.ts'
import { cursor, defineTool, next, someText, wrongCursor } from '../tool.ts'

const CHANGELOGS = 50

export const listChangelogs = defineTool({
  name: 'list_changelogs',
  title: 'List changelogs',
  description: 'Lists the changelogs on this server, each with its newest version.',
  input: exactly({
    team: Type.Optional(
      Type.String({ maxLength: 100, description: 'Only changelogs of this team, by its slug.' }),
    ),
    cursor,
  }),
  output: Type.Object({
    changelogs: Type.Array(
      Type.Object({
        ...product,
        newest: someText('The label of its newest version.'),
        date: someText('Its release date, if known.'),
      }),
    ),
    next,
  }),
  read: async ({ reads, audience, hasLists }, { team, cursor }) => {
    const after = cursor === undefined ? { team: team ?? '', product: '' } : parseNames(cursor)
    if (!after) throw wrongCursor()
    if (audience === 'public' && !hasLists)
      throw new ApiError('forbidden', 'This server does not list its changelogs.')
    const found =
      audience === 'public'
        ? await reads.ask('readDirectory', { ...after, lastTeam: team ?? LAST_SLUG }, CHANGELOGS + 1)
        : await reads.ask('readProductsOfKey', audience, after.product, CHANGELOGS + 1)
    const last = found[CHANGELOGS] && found[CHANGELOGS - 1]
    const changelogs = found.slice(0, CHANGELOGS).map((entry) => {
      const { label, publishedAt } = entry.newest
      const date = dayText(publishedAt)
      return { ...productOf(entry), ...(label !== null && { newest: label, ...(date && { date }) }) }
    })
    return { changelogs, ...(last && { next: productOf(last).changelog }) }
  },
})
