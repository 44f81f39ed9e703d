import { describe, expect, test } from 'bun:test'
import { referencesIn } from '../../../../../src/formats/keepachangelog/markdown/labels.ts'
import type { Phrase } from '../../../../../src/formats/keepachangelog/markdown/nodes.ts'
import { phrasesIn } from '../../../../../src/formats/keepachangelog/markdown/phrases.ts'
import fc from '../../../../support/fast-check.ts'

const LABELS = new Set(['x', '`x`', 'a b', '#1'])
const PIECES = [
  ...['[', ']', '](', '(', ')', '`', '!', '\\', '<', '*', '_', ' ', ':', 'x', 'a b', 'a\nb', '\n- '],
  ...['[x]', '[y]', '[]', '[ ]', '[a b]', '[`x`]', '[#1]', '(u)', '(u "t")', '[x](u)', '[y][x]', '[x][y]'],
]

const referencesOf = (phrases: readonly Phrase[]): { identifier: string; tail: number; end: number }[] =>
  phrases.flatMap((phrase) => {
    const inside = 'children' in phrase ? referencesOf(phrase.children) : []
    if (phrase.type !== 'linkReference' && phrase.type !== 'imageReference') return inside
    return [{ identifier: phrase.identifier, tail: phrase.tail, end: phrase.end }, ...inside]
  })

describe('references found without a parser', () => {
  test('are those that the parser finds', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...PIECES), { maxLength: 8 }), (pieces) => {
        const text = pieces.join('').trim()
        const found = referencesIn(text, LABELS)
        if (found !== null) expect(found).toEqual(referencesOf(phrasesIn(text, 0, LABELS)))
      }),
      { numRuns: 5000 },
    )
  })

  test('are found in the usual forms', () => {
    expect(referencesIn('[`x`]: fix a thing ([#1], thanks [you][x] and [me](u))', LABELS)).toEqual([
      { identifier: '`x`', tail: 5, end: 5 },
      { identifier: '#1', tail: 24, end: 24 },
      { identifier: 'x', tail: 38, end: 41 },
    ])
  })
})
