import { describe, expect, test } from 'bun:test'
import { createStylesheet } from '../../../../src/http/site/stylesheet.ts'
import { readableOn } from '../../../../src/notes/html/brand.ts'

/** WCAG's contrast of two colors. */
function contrast(one: string, other: string): number {
  const luminance = (color: string) => {
    const [red = 0, green = 0, blue = 0] = [1, 3, 5]
      .map((at) => Number.parseInt(color.slice(at, at + 2), 16) / 255)
      .map((share) => (share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
  }
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}

describe('the brand color', () => {
  test.each(['#ffffff', '#0f1115'])('can be read on %s, whatever it is', (ground) => {
    for (let color = 0; color <= 0xffffff; color += 0x0a0b0d) {
      const readable = readableOn(`#${color.toString(16).padStart(6, '0')}`, ground)
      expect(contrast(readable, ground)).toBeGreaterThanOrEqual(4.5)
    }
  })

  test('stays as it is where it can be read', () => {
    expect(readableOn('#3b5bdb', '#ffffff')).toBe('#3b5bdb')
    expect(readableOn('#ffdd00', '#0f1115')).toBe('#ffdd00')
  })
})

test('the stylesheet is small, names the brand color and loads nothing', () => {
  const css = createStylesheet('#ffdd00')
  expect(css).toContain(`--brand:light-dark(${readableOn('#ffdd00', '#ffffff')},#ffdd00)`)
  expect(css).not.toMatch(/BRAND_|url\(|@import|@font-face|\/\*|\n/)
  expect(Bun.gzipSync(css).length).toBeLessThanOrEqual(7 * 1_024)
})
