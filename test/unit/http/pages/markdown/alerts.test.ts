import { describe, expect, test } from 'bun:test'
import { renderBlocks } from '../../../../../src/http/pages/markdown/render.ts'

const blocks = (source: string): string => renderBlocks(source, 3, 20_000).html.trim()

describe('alerts', () => {
  test.each(['Note', 'Tip', 'Important', 'Warning', 'Caution'])('%s', (name) => {
    expect(blocks(`> [!${name.toUpperCase()}]\n> Text\n>\n> more`)).toBe(
      `<blockquote class="alert ${name.toLowerCase()}">\n<p><strong>${name}</strong></p>\n<p>Text</p>\n<p>more</p>\n</blockquote>`,
    )
  })

  test('may be followed by a list, or by nothing', () => {
    expect(blocks('> [!note]\n>\n> - a')).toMatch(
      /<blockquote class="alert note">\n<p><strong>Note<\/strong><\/p>\s+<ul>/,
    )
    expect(blocks('> [!TIP]')).toContain('<p><strong>Tip</strong></p>')
  })

  test.each(['> [!OTHER]\n> x', '> [!NOTE] x', '[!NOTE]', '> a\n> [!NOTE]'])('%p is none', (source) => {
    expect(blocks(source)).not.toContain('alert')
  })
})
