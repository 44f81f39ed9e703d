import Turndown from 'turndown'

/**
 * Formatted text of documents, mails and pages as Markdown. Its HTML is parsed in a document that runs and loads nothing, and
 * only what is written is taken from it. Loaded with the first paste that has any.
 */

/** Longer pages are pasted as plain text. */
const LONGEST = 1_000_000
const MOST_PICTURES = 20

const NOTHING =
  'script, style, meta, link, title, noscript, template, iframe, object, embed, svg, math, canvas, audio, video, select, textarea, button, [hidden], [aria-hidden=true]'

export interface Converted {
  markdown: string
  /** Those that the page has in itself. */
  pictures: File[]
}

export function converted(page: string, plain: string): Converted {
  if (page.length > LONGEST) return { markdown: plain, pictures: [] }
  const { body } = new DOMParser().parseFromString(page, 'text/html')
  for (const each of body.querySelectorAll(NOTHING)) each.remove()
  for (const each of body.querySelectorAll<HTMLElement>('[style]'))
    if (/display:\s*none|mso-hide:\s*all/i.test(styleOf(each))) each.remove()
  for (const line of body.querySelectorAll('br'))
    if (isEdge(line.previousSibling) || isEdge(line.nextSibling)) line.remove()
  listParagraphs(body)
  markStyles(body)
  codeBlocks(body)
  const pictures = takePictures(body)
  for (const link of body.querySelectorAll('a')) {
    const href = addressOf(link)
    if (href && link.textContent?.trim()) link.setAttribute('href', href)
    else link.replaceWith(...link.childNodes)
  }
  tidyLists(body)
  tidyTables(body)
  headings(body)
  return {
    markdown: writer()
      .turndown(body)
      .replace(/\u00a0/g, ' ')
      .trim(),
    pictures,
  }
}

/** Not beside words: a line that ends there has ended already. */
const isEdge = (beside: Node | null): boolean =>
  beside === null
    ? true
    : beside instanceof Element &&
      beside.matches('p, div, ul, ol, table, h1, h2, h3, h4, h5, h6, pre, blockquote')

const styleOf = (element: Element): string => element.getAttribute('style') ?? ''

/** `element` around what is in `inside`. */
function wrap(inside: Element, name: string): void {
  const around = inside.ownerDocument.createElement(name)
  around.append(...inside.childNodes)
  inside.append(around)
}

function rename(element: Element, name: string): HTMLElement {
  const other = element.ownerDocument.createElement(name)
  other.append(...element.childNodes)
  element.replaceWith(other)
  return other
}

const MONOSPACE = /font-family:[^;]*(?:mono|courier|consolas|menlo|monaco)/i

/** Styles that say what an element would. Google puts all into a bold element that is not. */
function markStyles(body: HTMLElement): void {
  for (const bold of body.querySelectorAll('b[style], strong[style]'))
    if (/font-weight:\s*(?:normal|[1-5]00)/i.test(styleOf(bold))) bold.replaceWith(...bold.childNodes)
  for (const element of [...body.querySelectorAll<HTMLElement>('[style]')].reverse()) {
    const style = styleOf(element)
    const isHeading = element.closest('h1, h2, h3, h4, h5, h6') !== null
    if (!element.matches('span, font') || !element.textContent?.trim()) continue
    if (MONOSPACE.test(style)) {
      const code = rename(element, 'code')
      code.replaceChildren(code.textContent ?? '')
      continue
    }
    if (/font-style:\s*italic/i.test(style) && !element.closest('em, i')) wrap(element, 'em')
    if (/text-decoration[^;]*line-through/i.test(style)) wrap(element, 'del')
    if (/font-weight:\s*(?:bold|[6-9]00)/i.test(style) && !isHeading && !element.closest('strong, b'))
      wrap(element, 'strong')
  }
  for (const bold of body.querySelectorAll(
    ':is(h1, h2, h3, h4, h5, h6) :is(b, strong), :is(b, strong) :is(b, strong)',
  ))
    bold.replaceWith(...bold.childNodes)
}

/** Word writes items as paragraphs: `mso-list:l0 level2 lfo1`, with their bullet or number in the text. */
function listParagraphs(body: HTMLElement): void {
  const lists: HTMLElement[] = []
  let last: Element | null = null
  for (const item of body.querySelectorAll<HTMLElement>(
    'p[style*="mso-list"], p[class*="MsoListParagraph"]',
  )) {
    const mark = [...item.querySelectorAll<HTMLElement>('span[style*="mso-list"]')].find((each) =>
      /mso-list:\s*Ignore/i.test(styleOf(each)),
    )
    const isNumber = /^\s*\(?[\da-z]{1,4}[.)]/i.test(mark?.textContent ?? '')
    mark?.remove()
    const level = Number(/level(\d)/.exec(styleOf(item))?.[1] ?? 1)
    if (item.previousElementSibling !== last) lists.length = 0
    lists.length = Math.min(lists.length, level)
    while (lists.length < level) {
      const list = body.ownerDocument.createElement(isNumber ? 'ol' : 'ul')
      const above = lists.at(-1)
      if (above)
        (above.lastElementChild ?? above.appendChild(body.ownerDocument.createElement('li'))).append(list)
      else item.before(list)
      lists.push(list)
    }
    lists.at(-1)?.append(rename(item, 'li'))
    last = lists[0] ?? null
  }
}

/** Lines of code, also as paragraphs that have nothing else, become blocks. */
function codeBlocks(body: HTMLElement): void {
  for (const pre of body.querySelectorAll('pre')) {
    for (const line of pre.querySelectorAll('br')) line.replaceWith('\n')
    for (const line of pre.querySelectorAll('div, p, li')) if (line.nextElementSibling) line.append('\n')
    const names = [pre, ...pre.querySelectorAll('*')].map(
      (each) =>
        `${each.className} ${each.getAttribute('data-language')} ${each.getAttribute('data-syntaxhighlighter-params')}`,
    )
    const language = /(?:lang(?:uage)?-|brush:\s*)(\w+)/.exec(names.join(' '))?.[1]
    const code = body.ownerDocument.createElement('code')
    code.textContent = (pre.textContent ?? '').replace(/^\n+|\s+$/g, '')
    if (language) code.className = `language-${language}`
    pre.replaceChildren(code)
  }
  const isCode = (line: Element | null): line is Element =>
    line?.matches('p, div') === true &&
    line.querySelector('code') !== null &&
    [...line.childNodes].every(
      (node) =>
        !node.textContent?.trim() ||
        (node instanceof Element && node.matches('code, :has(> code:only-child)')),
    )
  for (const first of body.querySelectorAll('p, div')) {
    if (
      !first.isConnected ||
      first.closest('pre, li, td') ||
      !isCode(first) ||
      !isCode(first.nextElementSibling)
    )
      continue
    const lines: string[] = []
    for (let line: Element | null = first; isCode(line); ) {
      lines.push((line.textContent ?? '').replaceAll('\u00a0', ' '))
      const next: Element | null = line.nextElementSibling
      if (line !== first) line.remove()
      line = next
    }
    const code = body.ownerDocument.createElement('code')
    code.textContent = lines.join('\n')
    const block = rename(first, 'pre')
    block.replaceChildren(code)
  }
}

/** Those in the page itself are uploaded. Of others, those of the web stay where they are. */
function takePictures(body: HTMLElement): File[] {
  const pictures: File[] = []
  for (const image of body.querySelectorAll('img')) {
    const src = image.getAttribute('src') ?? ''
    const [, type = '', bytes] = /^data:(image\/(?:png|jpeg|webp|gif));base64,([\w+/=\s]+)$/.exec(src) ?? []
    if (bytes !== undefined && pictures.length < MOST_PICTURES) {
      const name = image.getAttribute('alt')?.trim() || 'picture'
      pictures.push(
        new File([Uint8Array.from(atob(bytes.replace(/\s/g, '')), (each) => each.charCodeAt(0))], name, {
          type,
        }),
      )
    }
    // Pictures that count their readers have a side of one pixel.
    const isDot = ['width', 'height'].some((side) => Number(image.getAttribute(side) ?? 9) <= 1)
    if (!src.startsWith('https://') || isDot) image.remove()
  }
  return pictures
}

/** Null for one that leads nowhere from here. Google's leads on to the one it has. */
function addressOf(link: HTMLAnchorElement): string | null {
  const url = URL.parse(link.getAttribute('href') ?? '')
  const real =
    url?.hostname === 'www.google.com' && url.pathname === '/url'
      ? (url.searchParams.get('q') ?? '')
      : url?.href
  return real && /^(?:https?:\/\/|mailto:)/.test(real) ? real.replace(/[\s<>]/g, encodeURIComponent) : null
}

function tidyLists(body: HTMLElement): void {
  // Below a list instead of one of its items.
  for (const list of body.querySelectorAll(':is(ul, ol) > :is(ul, ol)'))
    list.previousElementSibling?.append(list)
  for (const item of body.querySelectorAll('li')) {
    const paragraphs = item.querySelectorAll(':scope > :is(p, div)')
    if (paragraphs.length === 1) paragraphs[0]?.replaceWith(...paragraphs[0].childNodes)
  }
}

/** Mails are laid out with tables, which have blocks or one column. */
function tidyTables(body: HTMLElement): void {
  for (const table of [...body.querySelectorAll('table')].reverse()) {
    const isLayout =
      table.getAttribute('role') === 'presentation' ||
      table.querySelector('table, h1, h2, h3, h4, pre, :is(p, div) ~ :is(p, div) ~ :is(p, div)') !== null ||
      ![...table.rows].some(({ cells }) => cells.length > 1)
    if (!isLayout) continue
    const cells = [...table.rows].flatMap((row) => [...row.cells])
    table.replaceWith(...cells.map((cell) => rename(cell, 'div')))
  }
}

/** The highest heading is one below the title. */
function headings(body: HTMLElement): void {
  const all = [...body.querySelectorAll('h1, h2, h3, h4, h5, h6')]
  const level = (heading: Element) => Number(heading.nodeName[1])
  const highest = Math.min(...all.map(level))
  for (const heading of all)
    if (heading.textContent?.trim()) rename(heading, `h${Math.min(level(heading) - highest + 2, 6)}`)
    else heading.remove()
}

function writer(): Turndown {
  const writer = new Turndown({
    headingStyle: 'atx',
    hr: '---',
    bulletListMarker: '-',
    codeBlockStyle: 'fenced',
    emDelimiter: '_',
  })
  const escapeMarks = writer.escape.bind(writer)
  // What is text on the page is no HTML here.
  writer.escape = (text) => escapeMarks(text).replace(/<(?=[a-z/!?])|&(?=#?\w+;)/gi, '\\$&')
  return writer
    .addRule('struck', { filter: ['del', 's', 'strike'], replacement: (words) => `~~${words}~~` })
    .addRule('item', {
      filter: 'li',
      replacement: (content, item) => {
        const list = item.parentElement
        const at = [...(list?.children ?? [])].indexOf(item)
        const mark = list?.nodeName === 'OL' ? `${(Number(list.getAttribute('start')) || 1) + at}. ` : '- '
        const box = item.querySelector<HTMLInputElement>(
          ':scope > input[type=checkbox], :scope > label > input',
        )
        const done = box ? (box.hasAttribute('checked') ? '[x] ' : '[ ] ') : ''
        const words = content.trim().replace(/\n(?=[^\n])/g, `\n${' '.repeat(mark.length)}`)
        return `${mark}${done}${words}${item.nextElementSibling ? '\n' : ''}`
      },
    })
    .addRule('cell', {
      filter: ['th', 'td'],
      replacement: (content) =>
        `| ${content
          .trim()
          .replace(/\|/g, '\\|')
          .replace(/\s*\n\s*/g, ' ')} `,
    })
    .addRule('row', { filter: 'tr', replacement: (content) => `${content}|\n` })
    .addRule('rows', { filter: ['thead', 'tbody', 'tfoot', 'caption'], replacement: (content) => content })
    .addRule('table', {
      filter: 'table',
      replacement: (content, table) => {
        const [head = '', ...rows] = content.trim().split(/\n+/)
        const columns = (table as HTMLTableElement).rows[0]?.cells.length ?? 1
        return `\n\n${[head, `|${' --- |'.repeat(columns)}`, ...rows].join('\n')}\n\n`
      },
    })
}
