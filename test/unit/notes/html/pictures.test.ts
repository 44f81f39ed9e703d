import { describe, expect, test } from 'bun:test'
import { renderBlocks } from '../../../../src/notes/html/render.ts'

/** The sources of the images that have a place of their own. */
const wide = (text: string): string[] =>
  [...renderBlocks(text, 3, 20_000).html.matchAll(/<img class="wide" src="([^"]*)"/g)].map(
    ([, source = '']) => source,
  )

const A = 'https://acme.test/a.png'
const B = 'https://acme.test/b.png'

describe('an image has a place of its own before it is loaded', () => {
  test.each([
    [`![a](${A})`, [A]],
    [`![a](${A}) ![b](${B})`, [A, B]],
    [`Before:\n![a](${A})\nafter.`, [A]],
    [`[![a](${A} "title")](https://acme.test)`, [A]],
    [`<img src="${A}">`, [A]],
    [`<p align="center"><img src="${A}"><br>Below</p>`, [A]],
    [`<picture><source srcset="${B}"><img src="${A}"></picture>`, [A]],
    [`<details><summary>More</summary>\n\n![a](${A})\n\n</details>`, [A]],
  ])('on a line of its own: %s', (text, expected) => {
    expect(wide(text)).toEqual(expected)
  })

  test.each([
    `A word ![a](${A})`,
    `![a](${A}) and more`,
    `<img src="${A}" width="20">`,
    '![a](https://img.shields.io/npm/v/acme)',
    '[![build](https://acme.test/badge.png)](https://acme.test)',
    '![icon](https://acme.test/icon.svg?size=2)',
    `\`<img src="${A}">\``,
    `<img class="wide" src="${A}" width="20">`,
  ])('but not within a line, nor if it is small: %s', (text) => {
    expect(wide(text)).toEqual([])
  })
})

test.each([
  ['1280x800', '', 'width="672" height="420"'],
  ['640x400', '', 'width="640" height="400"'],
  ['1170x2532', '', 'width="194" height="420"'],
  ['1280x800', ' width="1280"', 'width="672" height="420"'],
  ['1280x800', ' width="320"', 'width="320" height="200"'],
])('of ours, of %s%s, has a box of its own shape, at most as high as pages show it', (size, given, sides) => {
  const source = `/changelog/acme/app/pictures/${'0'.repeat(32)}-${size}.webp`
  expect(renderBlocks(`<img src="${source}"${given}>`, 3, 1_000).html).toContain(sides)
})
