import { cut } from '../../domain/text/cut.ts'
import type { Kind } from '../../domain/versions/kinds.ts'
import { DARK_GROUND, LIGHT_GROUND, readableOn, tinted } from '../../notes/html/brand.ts'
import { html, type Markup, trusted } from '../../notes/html/markup.ts'
import { badgesOf, withTail } from '../../notes/release.ts'
import type { Links } from '../message.ts'
import type { Letter, Part, Section } from './letter.ts'
import stylesheet from './mail.css' with { type: 'text' }

/**
 * A message as HTML. Clients know tables and the styles of elements; most know a stylesheet too, which is for dark colors and narrow
 * windows only. Nothing is loaded but pictures of the author.
 */

const FONT = "font-family:-apple-system,'Segoe UI',Roboto,'Noto Sans',Helvetica,Arial,sans-serif"
const MONO = 'font-family:ui-monospace,Menlo,Consolas,monospace'
const [TEXT, QUIET, LINE] = ['#16181d', '#575e6b', '#e4e7ec']

const COLORS: Readonly<Record<Kind, string>> = {
  breaking: '#b3261e',
  added: '#15713a',
  changed: '#8a5300',
  deprecated: '#6b5b00',
  removed: '#a3295f',
  fixed: '#0b57c4',
  security: '#7a1fa2',
  other: QUIET,
}
const PANELS: Partial<Record<Kind, readonly [ground: string, edge: string]>> = {
  breaking: ['#fcf4f4', '#ecc9c7'],
  security: ['#f8f4fa', '#dec7e8'],
}
const BADGES = { breaking: 'background:#b3261e;color:#ffffff', security: 'background:#efe4f4;color:#7a1fa2' }

export function letterHtml(
  letter: Letter,
  { title, intro, sections, closing, rest }: Part,
  preview: string,
  links: Links,
): string {
  const { language, subject, origin, button, reason, unsubscribe } = letter
  const { base, brandColor } = links
  const { locale, direction } = language.words
  const page = button?.href ?? base
  const own = (rendered: string) => trusted(styled(rendered, base, page))
  const document = html`<!DOCTYPE html>
<html lang="${locale.slice(0, 2)}" dir="${direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${subject}</title>
<style>
${trusted(stylesheet.replace('BRAND_ON_DARK', readableOn(brandColor, DARK_GROUND)))}
</style>
</head>
<body class="ground" style="margin:0;padding:0;background:#f3f5f8">
<div style="display:none;max-height:0;overflow:hidden">${previewOf(letter, preview)}</div>
<table role="presentation" class="ground" width="100%" cellpadding="0" cellspacing="0" border="0" bgcolor="#f3f5f8" style="background:#f3f5f8"><tr><td class="outer" align="center" style="padding:32px 12px">
<table role="presentation" dir="${direction}" class="card" width="600" cellpadding="0" cellspacing="0" border="0" bgcolor="#ffffff" style="width:100%;max-width:600px;background:#ffffff;border:1px solid ${LINE};border-radius:12px;color:${TEXT};${FONT};overflow-wrap:anywhere;word-break:break-word">
${row('quiet', `padding:28px 32px 0;font-size:14px;line-height:1.6;color:${QUIET}`, html`<bdi>${origin}</bdi>`)}
${letter.label === null && letter.date === null ? null : row('', 'padding:20px 32px 0;font-size:14px;line-height:24px', standing(letter, brandColor))}
${title === null ? null : row('', 'padding:10px 32px 0', html`<h1 dir="auto" style="margin:0;font-size:30px;line-height:1.25;letter-spacing:-.02em;color:${TEXT}">${own(title)}</h1>`)}
${intro && row('text', `padding:4px 32px 4px;font-size:17px;line-height:1.6;color:${TEXT}`, html`<div dir="auto">${own(intro)}</div>`)}
${sections.map((section) => sectionRow(section, own))}
${closing && row('text', `padding:20px 32px 0;font-size:16px;line-height:1.55;color:${TEXT}`, html`<div dir="auto">${own(closing)}</div>`)}
${rest && row('quiet', `padding:20px 32px 0;font-size:14px;line-height:1.6;color:${QUIET}`, html`${rest}`)}
${
  button === null
    ? row('', 'padding:16px 32px', html``)
    : row(
        '',
        'padding:16px 32px 32px',
        html`<table role="presentation" cellpadding="0" cellspacing="0" border="0"><tr><td class="button" bgcolor="${TEXT}" style="background:${TEXT};border-radius:8px"><a href="${button.href}" style="display:inline-block;padding:0 18px;font-size:15px;line-height:42px;font-weight:600;color:#ffffff;text-decoration:none">${button.words}</a></td></tr></table>`,
      )
}
${row('rule quiet', `border-top:1px solid ${LINE};padding:18px 32px 24px;font-size:13px;line-height:1.6;color:${QUIET}`, html`${reason}${unsubscribe && html` <a href="${unsubscribe.href}" style="color:${QUIET}">${unsubscribe.words}</a>`}`)}
</table>
</td></tr></table>
</body>
</html>
`
  return `${document}`
}

/** The text that an inbox shows after the subject: `2 breaking changes, 1 security fix. A rollback takes seconds.` */
function previewOf({ language, counts }: Letter, text: string): string {
  const urgent = badgesOf(counts).flatMap((kind) => {
    const count = counts.get(kind) ?? 0
    return count === 0
      ? []
      : `${language.number(count)} ${language.counted(language.words.verdict[kind], count)}`
  })
  return cut(
    [...(urgent.length > 0 ? [`${urgent.join(', ')}.`] : []), text.replace(/\s+/g, ' ')].join(' '),
    140,
  )
}

const row = (name: string, style: string, content: Markup): Markup =>
  html`<tr><td class="pad ${name}" style="${style}">${content}</td></tr>`

function standing(letter: Letter, brand: string): Markup {
  const { language, date, counts } = letter
  const color = readableOn(brand, LIGHT_GROUND)
  const label =
    letter.label &&
    html`<span class="label" style="display:inline-block;vertical-align:middle;padding:0 9px;border-radius:6px;background:${tinted(color, LIGHT_GROUND)};color:${color};${MONO};font-weight:600">${letter.label}</span>`
  return html`${label}${
    date &&
    html`${label && html`&nbsp; `}<span class="quiet" style="vertical-align:middle;color:${QUIET}">${date}</span>`
  }${badgesOf(counts).map((kind, at) => html`${at === 0 ? html`&nbsp;` : null} <span class="badge-${kind}" style="display:inline-block;vertical-align:middle;padding:0 8px;border-radius:99px;font-size:12px;line-height:20px;font-weight:600;${BADGES[kind]}">${language.words.kinds[kind]}</span>`)}`
}

function sectionRow({ heading, kind, changes }: Section, own: (html: string) => Markup): Markup {
  const content = html`<h2 class="${kind}" dir="auto" style="margin:0 0 4px;font-size:15px;line-height:26px;color:${COLORS[kind]}">${heading}</h2>
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="font-size:16px;line-height:1.55">
${changes.map(
  (change) =>
    html`<tr><td class="quiet" width="17" valign="top" style="width:17px;color:${QUIET};padding:4px 0">•</td><td class="text" dir="auto" style="padding:4px 0">${own(withTail(change))}${change.description && html`<div>${own(change.description)}</div>`}</td></tr>\n`,
)}</table>`
  const panel = PANELS[kind]
  if (!panel) return row('', 'padding:24px 32px 0', content)
  const [ground, edge] = panel
  return row(
    '',
    'padding:20px 32px 0',
    html`<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0"><tr><td class="panel-${kind}" bgcolor="${ground}" style="background:${ground};border:1px solid ${edge};border-radius:12px;padding:14px 18px">
${content}
</td></tr></table>`,
  )
}

/** Styles of what authors write, by element. */
const STYLES: Readonly<Record<string, string>> = {
  code: `${MONO};font-size:14px;background:#ffffff;border:1px solid ${LINE};border-radius:5px;padding:1px 4px`,
  pre: `${MONO};font-size:14px;line-height:1.5;white-space:pre-wrap;direction:ltr;text-align:left;margin:10px 0 0;background:#ffffff;border:1px solid ${LINE};border-radius:8px;padding:10px 12px`,
  a: `color:${TEXT}`,
  img: `max-width:100%;height:auto;box-sizing:border-box;border:1px solid ${LINE};border-radius:10px`,
  p: 'margin:10px 0 0',
  ul: 'margin:10px 0 0;padding:0 22px',
  ol: 'margin:10px 0 0;padding:0 22px',
  blockquote: `margin:10px 0 0;padding:0 12px;border-left:3px solid ${LINE}`,
  td: `padding:4px 10px 4px 0;border-bottom:1px solid ${LINE}`,
  th: `padding:4px 10px 4px 0;border-bottom:1px solid ${LINE};text-align:left`,
  kbd: MONO,
}
const CLASSES: Readonly<Record<string, string>> = { code: 'code', pre: 'code', kbd: 'code', img: 'picture' }

/** Only a browser has these, or the box around a table. */
const WITHOUT = new Set(['details', 'picture', 'source', 'div'])
const KEPT = /^(?:href|src|alt|title|width|height|start|colspan|rowspan)$/
const TAG = /<(\/?)([a-z][a-z\d]*)((?: [a-z-]+(?:="[^"]*")?)*) ?\/?>/g
/** Within a card of 600, in pixels. */
const MOST_WIDTH = 536
const MOST_HEIGHT = 560

/** Rendered markdown for a message: with absolute addresses, with styles in place of classes, and without what no client knows. */
const styled = (rendered: string, base: string, page: string): string =>
  rendered
    .replace(/(<pre[^>]*>)<code>|<\/code>(?=<\/pre>)/g, '$1')
    .replace(TAG, (_, slash: string, name: string, written: string) => {
      if (name === 'input') return / checked/.test(written) ? '☑ ' : '☐ '
      if (name === 'summary') return slash ? '</b><br>' : '<b>'
      if (WITHOUT.has(name)) return ''
      if (slash) return `</${name}>`
      const kept = [...written.matchAll(/ ([a-z-]+)(?:="([^"]*)")?/g)].flatMap(([, key = '', value = '']) => {
        if (!KEPT.test(key)) return []
        if (name !== 'img' && (key === 'width' || key === 'height')) return []
        return [[key, key === 'href' || key === 'src' ? absolute(value, base, page) : value] as const]
      })
      const attributes = new Map(kept)
      const width = Number(attributes.get('width'))
      const height = Number(attributes.get('height'))
      const scale = Math.min(1, MOST_WIDTH / width, height > 0 ? MOST_HEIGHT / height : 1)
      if (scale < 1) attributes.set('width', `${Math.round(width * scale)}`)
      if (scale < 1 && height > 0) attributes.set('height', `${Math.round(height * scale)}`)
      const style = STYLES[name]
      if (style !== undefined) attributes.set('style', style.replaceAll('"', "'"))
      if (CLASSES[name]) attributes.set('class', CLASSES[name])
      return `<${name}${[...attributes].map(([key, value]) => ` ${key}="${value}"`).join('')}>`
    })

const absolute = (address: string, base: string, page: string): string => {
  if (address.startsWith('#')) return page + address
  return address.startsWith('/') && !address.startsWith('//') ? base + address : address
}
