import { describe, expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { LANGUAGES, type Language } from '../../../src/domain/records.ts'
import { fill, html } from '../../../src/notes/html/markup.ts'
import { pageLanguage, WORDS } from '../../../src/words/languages.ts'

const DIRECTORY = join(import.meta.dir, '../../../src/words')
const DAY = Date.UTC(2026, 10, 12, 23, 59)
/** A plural has a number in place of a name. */
const PLURAL = /\.\d$/

/** Every text with the names of what it is in. */
function textsOf(words: object, path = ''): [path: string, text: string][] {
  return Object.entries(words).flatMap(([name, value]): [string, string][] => {
    if (value === null) return []
    return typeof value === 'string' ? [[`${path}.${name}`, value]] : textsOf(value, `${path}.${name}`)
  })
}

/** Every list with a text for each plural. */
function pluralsOf(words: object): string[][] {
  const values = Object.values(words).filter((value) => typeof value === 'object' && value !== null)
  return values.flatMap((value) => (Array.isArray(value) ? [value] : pluralsOf(value)))
}

const placeholders = (text: string) => [...new Set(text.match(/\{\w+\}/g) ?? [])].sort()

const ENGLISH = new Map(textsOf(WORDS.en))

test('every file of texts is in use, and every language has words', async () => {
  const files = readdirSync(DIRECTORY).filter((name) => name !== 'languages.ts' && name !== 'words.ts')
  const texts = await Promise.all(files.map((name) => import(join(DIRECTORY, name))))
  expect(texts.flatMap(Object.keys).filter((section) => !(section in WORDS.en))).toEqual([])
  expect(Object.keys(WORDS).sort()).toEqual([...LANGUAGES].sort())
})

describe.each([...LANGUAGES])('%s', (code: Language) => {
  const { words, counted } = pageLanguage(code)

  test('has a text for everything that English has one for', () => {
    for (const [path, text] of textsOf(words)) expect({ path, text }).not.toEqual({ path, text: '' })
    const paths = new Set(textsOf(words).flatMap(([path]) => [path, path.replace(PLURAL, '')]))
    const isThere = (path: string) => paths.has(path) || paths.has(path.replace(PLURAL, ''))
    expect([...ENGLISH.keys()].filter((path) => !isThere(path))).toEqual([])
  })

  test('has the values of English in each text, and no others', () => {
    for (const [path, text] of textsOf(words)) {
      const english =
        ENGLISH.get(path.replace(PLURAL, '.1')) ??
        ENGLISH.get(path.replace(PLURAL, '')) ??
        ENGLISH.get(`${path}.1`)
      if (english === undefined) continue
      // A plural may say how many in a word.
      const expected = placeholders(english)
      const given = placeholders(text)
      const missing = expected.filter(
        (name) => !given.includes(name) && !(PLURAL.test(path) && name === '{count}'),
      )
      expect({ path, missing, extra: given.filter((name) => !expected.includes(name)) }).toEqual({
        ...{ path, missing: [], extra: [] },
      })
    }
  })

  test('has every plural that a number can have in it, and no number that is not said', () => {
    const rules = new Intl.PluralRules(words.locale)
    const numbers = [...Array.from({ length: 1_000 }, (_, at) => at + 1), 1_000_000, 2_000_000]
    const needed = new Set(numbers.map((number) => rules.select(number)))
    // In French and Spanish, millions have a plural of their own in which our texts are those of others.
    if (code !== 'ar') needed.delete('many')
    for (const forms of pluralsOf(words)) expect(forms.length).toBe(needed.size)
    const said = numbers.slice(0, 200).map((number) => counted(words.changelog.changes, number))
    expect(new Set(said).size).toBe(200)
  })
})

test('dates and numbers are those of the language', () => {
  expect(LANGUAGES.map((code) => pageLanguage(code).day(DAY))).toEqual([
    '12 November 2026',
    '12. November 2026',
    '12 novembre 2026',
    '12 de noviembre de 2026',
    '2026年11月12日',
    expect.stringMatching(/نوفمبر/),
  ])
  expect(pageLanguage('en').number(1_234)).toBe('1,234')
  expect(pageLanguage('de').counted(WORDS.de.changelog.changes, 1_234)).toBe('1.234 Änderungen')
  expect(pageLanguage('ar').onward('x')).toBe('x ←')
  expect(pageLanguage('en').onward('x')).toBe('x →')
})

test('values in texts are escaped unless they are markup, and may contain braces', () => {
  const filled = fill('a {one} & {two} {three}', { one: '<b>{two}', two: html`<i>2</i>`, three: null })
  expect(filled.toString()).toBe('a &lt;b&gt;{two} &amp; <i>2</i> ')
})
