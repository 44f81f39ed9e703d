import { describe, expect, test } from 'bun:test'
import { showPictures } from '../../../../src/notes/html/pictures.ts'
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
  ['1280x800', '', 'width="1280" height="800"'],
  ['640x400', '', 'width="640" height="400"'],
  ['1170x2532', '', 'width="1170" height="2532"'],
  ['1280x800', ' height="400"', 'height="400" width="640"'],
  ['1280x800', ' width="320"', 'width="320" height="200"'],
])('of ours, of %s%s, has a box of its own shape', (size, given, sides) => {
  const source = `/changelog/acme/app/pictures/${'0'.repeat(32)}-${size}.webp`
  expect(renderBlocks(`<img src="${source}"${given}>`, 3, 1_000).html).toContain(sides)
})

const PATH = '/changelog/acme/app/pictures'
const ID = `${'0'.repeat(32)}-1440x720`
const OWN = `${PATH}/${ID}.webp`
const SMALL = `${PATH}/${ID}.small.webp`
const shown = (text: string, how: Partial<Parameters<typeof showPictures>[1]> = {}, isLink = false) =>
  showPictures(renderBlocks(text, 3, 20_000).html, { base: '', ...how }, isLink).trim()

describe('a picture', () => {
  test('of ours is a link to itself, in the width that the screen needs', () => {
    const html = shown(`![Guests](${OWN})`)
    expect(html).toStartWith(`<p><a class="picture" href="${OWN}"><img srcset="${SMALL} 1080w, ${OWN} 1440w"`)
    expect(html).toContain(' sizes="min(680px, 100vw - 40px, 160vh)" ')
    expect(html).toContain('alt="Guests" width="1440" height="720"')
    expect(shown(`<img src="${OWN}" width="300">`)).toContain(' sizes="300px" ')
  })

  test('that is not wide has one width, and one of another site is a link too if it has a place of its own', () => {
    const narrow = OWN.replace('1440', '1200')
    expect(shown(`![a](${narrow})`)).toStartWith(
      `<p><a class="picture" href="${narrow}"><img src="${narrow}" `,
    )
    expect(shown(`![a](${A})`)).toStartWith(
      `<p><a class="picture" href="${A}" rel="nofollow noopener"><img class="wide" src="${A}" `,
    )
    expect(shown(`A word ![a](${A})`)).not.toContain('<a ')
  })

  test.each([
    `[![a](${OWN})](https://acme.test)`,
    `<a href="https://acme.test"><picture><img src="${OWN}"></picture></a>`,
    `<details><summary>More <img src="${OWN}"></summary>Text</details>`,
  ])('in a link or a button stays there: %s', (text) => {
    expect(shown(text)).toContain(`srcset="${SMALL} 1080w`)
    expect(shown(text)).not.toContain('class="picture"')
  })

  test('in a title, which is a link, is none', () => {
    expect(shown(`![a](${OWN})`, {}, true)).not.toContain('<a ')
  })

  test('of an author for each scheme is one link, and keeps its sources', () => {
    const dark = OWN.replace('000', '111')
    const sources = `<source media="(prefers-color-scheme: dark)" srcset="${dark}">`
    const html = shown(`<picture>${sources}<img src="${OWN}"></picture>`)
    expect(html).toStartWith(`<p><a class="picture" href="${OWN}"><picture><source `)
    expect(html.match(/1080w|<a /g)).toEqual(['<a '])
  })

  test('that moves is still for who asks for less motion, and is as it is in mail', () => {
    const moving = OWN.replace('.webp', '.gif')
    const still = `<picture><source media="(prefers-reduced-motion: reduce)" srcset="${moving}.small.webp"><img `
    expect(shown(`![a](${moving})`)).toStartWith(
      `<p><a class="picture" href="${moving}">${still}src="${moving}" `,
    )
    expect(shown(`![a](${moving})`, { isMail: true })).toStartWith(`<p><img src="${moving}" `)
    expect(shown(`<picture><img src="${moving}"></picture>`).match(/<picture>/g)).toHaveLength(1)
  })

  test('has a light ground where it was measured to need one', () => {
    expect(shown(`![a](${OWN})`, { grounds: `x ${ID}` })).toContain('<img srcset="')
    expect(shown(`![a](${OWN})`, { grounds: `x ${ID}` })).toContain(' class="ground" ')
    expect(shown(`![a](${OWN})`, { grounds: 'x' })).not.toContain('ground')
  })

  test('is a small JPEG in mail, and every address is whole where there is no page around it', () => {
    const base = 'https://acme.test'
    const mail = shown(`![a](${OWN})`, { base, isMail: true })
    expect(mail).toStartWith(`<p><img src="${base}${PATH}/${ID}.card.jpg" alt="a" width="1440" height="720" `)
    const feed = shown(`![a](${OWN})`, { base })
    expect(feed.split(`${base}${PATH}`)).toHaveLength(5)
    expect(feed.split(PATH)).toHaveLength(5)
  })
})
