import { describe, expect, test } from 'bun:test'
import { plainText, renderBlocks, renderInline } from '../../../../../src/http/pages/markdown/render.ts'

const blocks = (source: string): string => renderBlocks(source, 3, 20_000).html.trim()

describe('emoji', () => {
  test.each([
    [':sparkles: :+1: :e-mail:', '<p>✨ 👍 📧</p>'],
    ['**:boom:**', '<p><strong>💥</strong></p>'],
    [':octocat: :nothing_such: 12:30:45 a:100:b', '<p>:octocat: :nothing_such: 12:30:45 a:100:b</p>'],
    ['[:boom: x](https://x.test)', '<p><a href="https://x.test" rel="nofollow noopener">💥 x</a></p>'],
    ['`:tada:`', '<p><code>:tada:</code></p>'],
    ['<kbd>x</kbd> :tada:', '<p><kbd>x</kbd> 🎉</p>'],
  ])('%s', (source, expected) => {
    expect(blocks(source)).toBe(expected)
  })

  test('are none in an address', () => {
    expect(blocks('https://x.test/:smile:/a')).not.toContain('😄')
  })

  test('are in titles too', () => {
    expect(renderInline('Ship it :rocket::tada:')).toBe('Ship it 🚀🎉')
    expect(plainText(':bug: Fixes')).toBe('🐛 Fixes')
  })
})
