import { afterAll, beforeAll, beforeEach, describe, expect, mock, test } from 'bun:test'
import * as parser from 'mdast-util-from-markdown'
import { parseTree } from '../../../../src/formats/keepachangelog/markdown/tree.ts'

/** The parser itself, with a count of the characters it is given. */
const { fromMarkdown } = parser
const given: number[] = []
const total = () => given.reduce((sum, length) => sum + length, 0)

beforeAll(() => {
  const counting = (...[text, ...options]: Parameters<typeof fromMarkdown>) => {
    given.push(text.length)
    return fromMarkdown(text, ...options)
  }
  mock.module('mdast-util-from-markdown', () => ({ fromMarkdown: counting }))
})
afterAll(() => {
  mock.module('mdast-util-from-markdown', () => ({ fromMarkdown }))
})
beforeEach(() => {
  given.length = 0
})

const repeat = (count: number, block: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => block(index)).join('')
const versions = (count: number) => repeat(count, (index) => `## ${index}.0.0\n\n${'words '.repeat(80)}\n\n`)

/** A text is cut at the first opportunity behind this length, which the texts below offer at least once a KB. */
const PIECE = 32 * 1024
const LONGEST = PIECE + 1024

describe('a long text', () => {
  test('is parsed in pieces of bounded length, each once', () => {
    const text = versions(300)
    const tree = parseTree(text)
    expect(text.length).toBeGreaterThan(4 * PIECE)
    expect(tree.text).toBe(text)
    expect(tree.root.children).toHaveLength(600)
    expect(Math.max(...given)).toBeLessThan(LONGEST)
    expect(total()).toBe(text.length)
  })

  test('gives each piece only those definitions that it refers to', () => {
    const count = 300
    const block = (index: number) => `## [${index}.0.0]\n\n${'words '.repeat(80)}\n\n[${index}.0.0]: u\n\n`
    const text = repeat(count, block)
    parseTree(text)
    expect(text.length).toBeGreaterThan(4 * PIECE)
    expect(total() - text.length).toBeLessThan('[299.0.0]: x\n'.length * count)
  })

  test('is parsed at most once more where something only looks like a definition', () => {
    const text = `${versions(200).replaceAll('words words', '[words]')}    [words]: is code\n\n`
    parseTree(text)
    expect(text.length).toBeGreaterThan(2 * PIECE)
    expect(total()).toBeLessThan(2.1 * text.length)
  })

  test('with a comment over many pieces looks for its end in steps that double', () => {
    const pieces = 8
    const text = `<!--\n\n${`${'words '.repeat(170)}\n\n`.repeat(32 * pieces)}-->\n\n# 1.0.0\n`
    expect(parseTree(text).root.children.map(({ type }) => type)).toEqual(['html', 'heading'])
    expect(given.map((length) => Math.round(length / PIECE))).toEqual([1, 2, 4, 8])
  })
})

test('a list is parsed whole, once', () => {
  const text = '- a change\n'.repeat(4000)
  expect(parseTree(text).root.children).toHaveLength(1)
  expect(text.length).toBeGreaterThan(PIECE)
  expect(given).toEqual([text.length])
})

test('a text that lacks empty lines is parsed again a few times only, however many it lacks', () => {
  const text = repeat(500, (index) => `[${index}]: u\ntext below a definition\n\n`)
  expect(parseTree(text).addedLines).toHaveLength(500)
  expect(given.length).toBeLessThanOrEqual(6)
})
