import { describe, expect, test } from 'bun:test'
import { authoredBlocks, authoredLine } from '../../../src/notes/authored.ts'

const blocks = (source: string, level = 3) => authoredBlocks(source, level, 10_000).text

describe('a text in a document', () => {
  test('has its headings below those of the document, however they are written', () => {
    expect(blocks('# One\n\n### Two\n\nThree\n---\n\n####### Seven')).toBe(
      '### One\n\n##### Two\n\n#### Three\n\n\n####### Seven',
    )
    expect(blocks('Title\n=====\n\ntext')).toBe('### Title\n\n\ntext')
    expect(blocks('###### Six', 2)).toBe('## Six')
    expect(blocks('# One\n###### Six', 6)).toBe('###### One\n###### Six')
  })

  test('has no heading above those of the document, whatever it begins with', () => {
    expect(blocks('**Bold**\n---')).toBe('### **Bold**')
    expect(blocks('`a` and\n<b>b</b>\n===\n\nc')).toBe('### `a` and <b>b</b>\n\n\nc')
    expect(blocks('# A <!-- b --> <i>c\n<b>d <!-- e -->\n---')).toBe('### A  \\<i>c\n#### \\<b>d')
  })

  test('keeps code as it is, and lines that only look like headings', () => {
    for (const text of [
      '```sh\n# a comment\n<!-- shown -->\n```',
      '~~~\n# one\n```\n# two\n~~~',
      '    # code',
      '#hashtag',
      '- item\n---',
      '| a |\n|---|\n| b |',
      'Use `<!-- note -->` there',
      '``a ` <!-- b --> ``',
    ])
      expect(blocks(text)).toBe(text)
  })

  test('has at most 500 definitions: those of a text with more are text, and define nothing below it', () => {
    const defining = (count: number) =>
      Array.from({ length: count }, (_, at) => `[${at}]: https://example.org/`).join('\n')
    expect(authoredBlocks(`${defining(500)}\n\n[1]`, 3, 50_000).text).toBe('[1](https://example.org/)')
    const many = authoredBlocks(`[^1]: A note\n${defining(501)}\n\n[1]`, 3, 50_000).text
    expect(many).toContain('\n\\[0]: https')
    expect(many).toEndWith('\\[500]: https://example.org/\n\n[1]')
    expect(many.match(/^\[.*:/m)).toBeNull()
  })

  test('does not make code of what follows it', () => {
    expect(blocks('```\n# in code')).toBe('```\n# in code\n```')
    expect(blocks('```\n    ```')).toBe('```\n    ```\n```')
    expect(blocks('~~~~ sh\n~~~\n```')).toBe('~~~~ sh\n~~~\n```\n~~~~')
  })

  test('has no comments', () => {
    expect(blocks('a <!-- b --> c')).toBe('a  c')
    expect(blocks('a\n\n<!-- b\n\n# c\n-->d')).toBe('a\n\n\n\n\nd')
    expect(blocks('a <!-- b\nc')).toBe('a <!-- b\nc')
    expect(blocks('a\n\n<!-- b\n\nc')).toBe('a')
    expect(blocks('`a <!-- b -->')).toBe('`a')
    expect(authoredLine('A <!-- secret --> title')).toBe('A  title')
  })

  test('has no control characters, and a title is one line', () => {
    expect(blocks('a\u0000b\u001bc\r\nd')).toBe('abc\nd')
    expect(authoredLine(' a\n\n# b\u0007 ')).toBe('a # b')
  })

  test('is cut where it is too long, in whole lines, and says so', () => {
    const lines = Array.from({ length: 100 }, (_, at) => `line ${at}`).join('\n')
    const { text, isCut } = authoredBlocks(lines, 3, 50)
    expect(isCut).toBe(true)
    expect(text).toMatch(/^line 0\n(line \d\n)+\n…$/)
    expect(authoredBlocks(lines, 3, lines.length)).toEqual({ text: lines, isCut: false })
    expect(authoredBlocks('```\na\nb\nc', 3, 6)).toEqual({ text: '```\na\n```\n\n…', isCut: true })
  })
})
