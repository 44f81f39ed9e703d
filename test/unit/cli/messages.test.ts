import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Glob } from 'bun'

const root = join(import.meta.dir, '../../../src')
const LITERAL = /(?:'((?:[^'\\\n]|\\.)+)'|`((?:[^`\\$]|\\.|\$\{[^{}`]*\})+)`)/

/** The literals of the program behind a pattern, each with its file. */
const literalsAfter = (before: RegExp): [text: string, file: string][] =>
  [...new Glob('**/*.ts').scanSync(root)].flatMap((file) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(new RegExp(before.source + LITERAL.source, 'g'))].map(
      ([, plain, template]): [string, string] => [(plain ?? template ?? '').replaceAll("\\'", "'"), file],
    ),
  )

const REFUSALS = literalsAfter(/new (?:Refusal|Unavailable|OutcomeUnknown)\(\s*/)
const HINTS = [...literalsAfter(/\bhint: (?:toRun\(\s*)?/), ...literalsAfter(/\btoRun\(\s*/)]

const isLong = (text: string): boolean =>
  text.split(/(?<=[.:?!])\s+(?=[A-Z])/).some((sentence) => sentence.split(/\s+/).length > 20)

test('every message is one or more whole sentences of at most 20 words', () => {
  expect(REFUSALS.length).toBeGreaterThan(150)
  expect(REFUSALS.filter(([text]) => !/[.?]$|\}$/.test(text))).toEqual([])
  expect([...REFUSALS, ...HINTS].filter(([text]) => isLong(text))).toEqual([])
})

test('every hint says what to do, or asks what was meant', () => {
  expect(HINTS.length).toBeGreaterThan(150)
  const DONE = /(?:^|[.?!}] )(?:To |Did you mean|If |For |With |[A-Z][a-z]+ (?!is |are |was |has ))|^\$\{/
  expect(HINTS.filter(([text]) => !DONE.test(text))).toEqual([])
})
