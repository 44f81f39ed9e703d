import { expect, test } from 'bun:test'
import { DESK_WORDS } from '../../../src/desk/words/words.ts'
import { namesOf } from '../../../src/domain/objects.ts'
import { REASONS } from '../../../src/domain/reasons.ts'

const namesIn = (text: string) => new Set([...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name))

test('every reason is a whole sentence in every language, with values that it has', () => {
  for (const { reasons } of Object.values(DESK_WORDS))
    for (const code of namesOf(REASONS)) {
      expect([code, namesIn(reasons[code]).isSubsetOf(namesIn(REASONS[code]))]).toEqual([code, true])
      if (code !== 'said') expect(reasons[code]).toMatch(/(?:[.。]|\{why\})$/)
      // What a value is about is never left out.
      for (const name of ['label', 'count', 'time', 'size', 'why', 'day'])
        if (namesIn(REASONS[code]).has(name)) expect(reasons[code]).toContain(`{${name}}`)
    }
})
