import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Random } from '../random.ts'

const linesOf = (name: string): string[] =>
  readFileSync(join(import.meta.dir, '../../fixtures', name), 'utf8')
    .split('\n')
    .filter(Boolean)

/** Known ways to run a script from HTML and markdown, and to hide it from a sanitizer until it is parsed once more. */
export const PAYLOADS: readonly string[] = [...linesOf('xss.txt'), ...linesOf('mutation-xss.txt')]

/** Where a payload can stand. */
const PLACES: readonly ((payload: string) => string)[] = [
  (payload) => payload,
  (payload) => `<b>x</b> ${payload}`,
  (payload) => `<details><summary>${payload}</summary>\n\n${payload}\n\n</details>`,
  (payload) => `<table><tr><td>${payload}</td></tr></table>`,
  (payload) => `- <kbd>x</kbd> ${payload}\n- y\n\n  ${payload}`,
  (payload) => `> [!NOTE]\n> ${payload} <b>x</b>[^1]\n\n[^1]: ${payload}`,
  (payload) => `<div title="${payload}"><img src="https://x.test/a.png" alt='${payload}'></div>`,
  (payload) => `| ${payload} | <br> |\n|---|---|\n| x | ${payload} |`,
]

/** Every payload in every place. */
export const PLACED: readonly string[] = PAYLOADS.flatMap((payload) => PLACES.map((place) => place(payload)))

const NAMES = (
  'a b br code details div em h1 hr i img input ins kbd li mark ol p picture pre s small source span ' +
  'strong sub summary sup table tbody td th thead tr ul blockquote caption dl dt dd ' +
  'svg math mtext mi mglyph annotation-xml foreignObject desc title style script iframe object embed form select ' +
  'option textarea template noscript noembed noframes xmp plaintext listing image body html head base link meta ' +
  'video audio frameset font u x-y'
).split(' ')
const ATTRIBUTES = [
  'onerror=alert(1)',
  'onload="alert(1)"',
  "onclick='alert(1)'",
  'style="position:fixed"',
  'class=release',
  'id=x',
  'href="javascript:alert(1)"',
  'href="https://x.test/"',
  'href=java&#10;script:alert(1)',
  'src=x',
  'src="https://x.test/a.png"',
  'src="data:text/html,x"',
  'srcset="https://x.test/a.png, javascript:alert(1) 2x"',
  'title="--><img src=x onerror=alert(1)>"',
  'alt="</style><script>alert(1)</script>"',
  'title=`x`',
  'open',
  'width=600',
  'align=center',
  'encoding="text/html"',
  '"',
  "'",
  '=',
  '<',
]
const MARKS =
  '\n|\n\n|\n    |- |> |> [!NOTE]\n> |1. |# |**|_|`|```\n|~~|[|](|)|[x](|![|](https://x.test/a.png)|:tada:|@x|#1|[^1]|\n[^1]: || a | b |\n|---|---|\n|&lt;|&gt;|&quot;|&#60;|&amp;lt;|&nbsp;|<!--|-->|--!>|<![CDATA[|]]>|<?|?>|</|/>|<|>|"|\'|=| |x|é|ﬀ|\u200F|\uFEFF|https://github.com/acme/app/pull/1|<https://x.test>|www.x.test'
    .split('|')
    .filter(Boolean)

/** A text that is made of tags, attributes, marks and payloads by chance. */
export function randomText(random: Random): string {
  const piece = (): string => {
    const name = random.pick(NAMES)
    switch (random.below(8)) {
      case 0:
      case 1:
        return `<${name}${Array.from({ length: random.below(3) }, () => ` ${random.pick(ATTRIBUTES)}`).join('')}>`
      case 2:
      case 3:
        return `</${name}>`
      case 4:
        return random.pick(PAYLOADS)
      case 5:
        return `<${name}/${random.pick(ATTRIBUTES)}`
      default:
        return random.pick(MARKS)
    }
  }
  return Array.from({ length: 1 + random.below(24) }, piece).join(random.pick(['', '', ' ', '\n']))
}

/** What a text may become, each element with its attributes. */
const ALLOWED: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    'p br hr em strong b i s del ins mark small sub sup kbd code div ul dl dt dd summary picture caption thead tbody tfoot tr h1 h2 h3 h4 h5 h6 table'
      .split(' ')
      .map((name) => [name, 'class']),
  ),
  a: 'href title class id aria-label rel',
  blockquote: 'class',
  details: 'open',
  img: 'class src alt title width height loading decoding referrerpolicy',
  input: 'type checked disabled aria-label',
  li: 'id',
  ol: 'start',
  pre: 'tabindex',
  div: 'class role aria-label tabindex',
  source: 'media srcset',
  span: 'class',
  td: 'class colspan rowspan',
  th: 'class colspan rowspan',
}
const CLASSES =
  'center right alert note tip important warning caution ref by scroll footnotes text wide'.split(' ')

/**
 * A function for the browser: what is inside of `within` that no text may become. It also writes the HTML anew and parses
 * it once more, twice, as mutations would.
 */
export const FIND_FOREIGN = `(within) => {
  const allowed = ${JSON.stringify(ALLOWED)}
  const classes = ${JSON.stringify(CLASSES)}
  const found = []
  const look = (root) => {
    for (const element of root.querySelectorAll('*')) {
      const attributes = allowed[element.localName]?.split(' ')
      const isHtml = element.namespaceURI === 'http://www.w3.org/1999/xhtml'
      if (!attributes || !isHtml) { found.push(element.outerHTML); continue }
      for (const { name, value } of element.attributes) {
        const isForeign =
          !attributes.includes(name) ||
          (name === 'class' && !value.split(' ').every((each) => classes.includes(each))) ||
          (name === 'src' && !value.startsWith('https://')) ||
          (name === 'srcset' && !value.split(',').every((each) => each.trim().startsWith('https://'))) ||
          (name === 'href' && !['http:', 'https:', 'mailto:'].includes(new URL(value, location.href).protocol))
        if (isForeign) found.push(element.outerHTML)
      }
    }
  }
  look(within)
  for (let time = 0; time < 2; time++) {
    within.innerHTML = within.innerHTML
    look(within)
  }
  return found.map((each) => each.slice(0, 300))
}`
