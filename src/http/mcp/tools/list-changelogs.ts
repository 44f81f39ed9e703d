import { Type } from '@sinclair/typebox'
import { dayText } from '../../../notes/markdown.ts'
import { exactly } from '../../api/openapi/response-schemas.ts'
import { parseNames } from '../../reading/addresses.ts'
import { product, productOf } from '../entries.ts'
import { cursor, defineTool, next, note, someText, wrongCursor } from '../tool.ts'
import { readVisible } from '../visible.ts'

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
    note,
    next,
  }),
  read: async (source, { team, cursor }) => {
    const after = cursor === undefined ? { team: team ?? '', product: '' } : parseNames(cursor)
    if (!after) throw wrongCursor()
    const found = await readVisible(source, after, CHANGELOGS + 1, team)
    const last = found[CHANGELOGS] && found[CHANGELOGS - 1]
    const changelogs = found.slice(0, CHANGELOGS).map((entry) => {
      const { label, publishedAt } = entry.newest
      const date = dayText(publishedAt)
      return { ...productOf(entry), ...(label !== null && { newest: label, ...(date && { date }) }) }
    })
    const isNone = changelogs.length === 0 && cursor === undefined
    return {
      changelogs,
      ...(isNone && { note: 'There are no changelogs that you may list.' }),
      ...(last && { next: productOf(last).changelog }),
    }
  },
})
