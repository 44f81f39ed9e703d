import { expect, test } from 'bun:test'
import { prefersMarkdown, weightsIn } from '../../../../src/http/request/accept.ts'

test.each([
  'text/markdown',
  'Text/Markdown',
  'text/markdown, text/html, */*',
  'text/html, text/markdown',
  'text/markdown, */*;q=0.8',
  'text/html;q=0.5, text/markdown;q=0.5',
  'text/html;q=0, text/markdown;q=0.001',
  'text/markdown;variant=GFM;q=0.9, text/html;q=0.8',
  'application/json, text/markdown ; q=1.000',
])('%j prefers Markdown', (accept) => {
  expect(prefersMarkdown(accept)).toBe(true)
})

test.each([
  null,
  '',
  '*/*',
  'text/*',
  'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8',
  'application/atom+xml, application/rss+xml, text/xml;q=0.9, */*;q=0.1',
  'text/html, text/markdown;q=0.9',
  'text/markdown;q=0.5, text/*',
  'text/markdown;q=0.5, */*',
  'text/markdown;q=0',
  'text/markdown;q=0.000, text/html;q=0',
  'text/markdown;q=high',
  'text/markdown;q=2',
  'text/markdownish',
  'x-text/markdown',
])('%j does not prefer Markdown', (accept) => {
  expect(prefersMarkdown(accept)).toBe(false)
})

test('sixteen entries are read, and a weight that is no number from 0 to 1 counts as 0', () => {
  const many = Array.from({ length: 20 }, (_, at) => `type/${at}`).join(',')
  expect([...weightsIn(many).keys()].at(-1)).toBe('type/15')
  expect(weightsIn(many).size).toBe(16)
  for (const weight of ['x1', '1x', '1.001', '0.0001', '.5', ''])
    expect([...weightsIn(`a;q=${weight}`)]).toEqual([['a', 0]])
})
