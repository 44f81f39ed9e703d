import { expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { mutationsOf } from '../../../proof/mutation/mutations.ts'
import { SUBJECTS } from '../../../proof/mutation/subjects.ts'

const changesOf = (text: string) => mutationsOf(text).map(({ before, after }) => `${before} → ${after}`)

test.each<[string, string[]]>([
  ['a(b < 1)', ['a(b < 1) → ;', '< → <=', '< → >=', '1 → 2']],
  ['const a = b === c && !d', ['&& → ||', '=== → !==', '!d → d']],
  ['const a = b ? true : "x"', ['b → true', 'b → false', 'true → false', `"x" → ''`]],
  ['if (a) b()', ['a → true', 'a → false', 'b() → ;']],
  ['const a = /^b$/i', ['/^b$/i → /b$/i', '/^b$/i → /^b/i', '/^b$/i → /^b$/']],
  ['const a = and(b, c)', ['and → or', 'b → undefined', 'c → undefined']],
  ['const a = Math.min(b, c) - d', ['- → +', 'min → max']],
])('the mutations of %s', (text, changes) => {
  expect(changesOf(text)).toEqual(changes)
})

test('what does not run stays as it is: imports, types and the names of properties', () => {
  const text = `import { a } from './b.ts'
    interface C { kind: 'x' | 'y' }
    const c = { 'some key': a } as C & { d: 5 }
    export function e(this: 'f', g: 1 | 2): 'h' {}
    export * from './i.ts'`
  expect(changesOf(text)).toEqual([])
})

test('a mutation has its line and column, and the file with that one change', () => {
  expect(mutationsOf('const a =\n  b > c\n')).toEqual([
    { line: 2, column: 5, before: '>', after: '>=', text: 'const a =\n  b >= c\n' },
    { line: 2, column: 5, before: '>', after: '<=', text: 'const a =\n  b <= c\n' },
  ])
})

test('every file that is mutated, and every test that must notice it, is there', () => {
  const names = SUBJECTS.flatMap(({ file, tests }) => [file, ...tests])
  expect(names.filter((name) => !existsSync(join(import.meta.dir, '../../..', name)))).toEqual([])
})
