import { expect, test } from 'bun:test'
import { prefersMarkdown } from '../../../../src/http/request/accept.ts'

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
