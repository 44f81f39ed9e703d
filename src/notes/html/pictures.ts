import { PAGES, pictureAt } from '../../domain/addresses/paths.ts'
import {
  inForm,
  isMoving,
  isWide,
  PICTURE_LIMITS,
  PICTURES,
  type Side,
  sidesOf,
  smallSides,
} from '../../domain/pictures.ts'
import { REL } from './check.ts'
import { unescapeHtml } from './entities.ts'
import { TAG_END } from './in-text.ts'

const IMAGE = new RegExp(`<img ${TAG_END}`, 'g')
const TAGS = `<a ${TAG_END}|</a>|</?picture>|<source ${TAG_END}|${IMAGE.source}`
/** A line of nothing but images, some of which may be links or have several sources. */
const LINE = new RegExp(
  `(?:^|\\n|<br ?/?>|<p(?: align="[a-z]+")?>)[ \\t]*(?:(?:${TAGS})[ \\t]*)+(?=$|\\n|<br|</p>)`,
  'g',
)
/** Images that say their width or are ours, and small ones: badges, and what is drawn. */
const SIZED = / width="|src="(?:[^"]*(?:badge|shields\.io|\.svg(?:[?#"]))|\/[^"]*\/pictures\/)/

/**
 * HTML in which images on lines of their own have a class, unless they are known to be small: they get a place of their own
 * before they are loaded, so that nothing moves when they are.
 */
export function markPictures(html: string): string {
  if (!html.includes('<img ')) return html
  return html.replace(LINE, (line) =>
    line.replace(IMAGE, (image) =>
      SIZED.test(image) ? image : image.replace('<img ', '<img class="wide" '),
    ),
  )
}

const OWN_PATH = new RegExp(`(?<=[" ])(?=${PAGES}/[^/\\s"]+/[^/\\s"]+/${PICTURES}/)`, 'g')

/** How pictures of ours are shown: their addresses begin with `base`. */
export interface ShownPictures {
  base: string
  /** The ids of those that need a light ground on a dark page. */
  grounds?: string | null | undefined
  /** For mail: programs that choose no width, and some of which read no WebP. */
  isMail?: true
}

const SHOWN = new RegExp(`<(/?)(a|summary)\\b${TAG_END}|<picture>.*?</picture>|${IMAGE.source}`, 'gs')
const SOURCE = /<img (?:[^>]* )?src="([^"]*)"/
const STILL = '(prefers-reduced-motion: reduce)'
const WIDTH = /<img [^>]*\bwidth="(\d+)"/

/**
 * HTML in which pictures are links to themselves at full size, unless they are in a link or `isLink` says that all is one; ours, which
 * are paths while a text is rendered, are in the width that a screen needs.
 */
export function showPictures(html: string, { base, grounds, isMail }: ShownPictures, isLink = false): string {
  if (!html.includes('<img '))
    return base !== '' && html.includes(`/${PICTURES}/`) ? html.replace(OWN_PATH, () => base) : html
  let depth = isLink ? 1 : 0
  const shown = html.replace(SHOWN, (part, slash?: string, name?: string) => {
    if (name !== undefined) {
      depth += slash ? -1 : 1
      return part
    }
    const source = SOURCE.exec(part)?.[1] ?? ''
    const named = pictureAt(source)
    const own = named?.form === null ? named : null
    const image = own ? ofWidths(part, source, own.id, isMail, grounds?.includes(own.id)) : part
    if (depth > 0 || isMail || !(own || part.includes('class="wide"'))) return image
    return `<a class="picture" href="${source}"${own ? '' : REL}>${image}</a>`
  })
  return base === '' ? shown : shown.replace(OWN_PATH, () => base)
}

/** A picture as networks show it for a link, with its sides if they are known. */
export interface SharedPicture {
  url: string
  alt: string
  sides: Side | null
}

/** The first picture of rendered texts: all are over https or ours, which is then its card. Null if there is none. */
export function sharedPicture(
  texts: readonly string[],
  site: { publicUrl: string; baseUrl(): string },
): SharedPicture | null {
  const image = texts.map((text) => /<img [^>]*>/.exec(text)?.[0]).find(Boolean)
  const source = unescapeHtml(SOURCE.exec(image ?? '')?.[1] ?? '')
  if (!image || !source) return null
  const path = source.slice(source.startsWith(site.publicUrl) ? site.publicUrl.length : 0)
  const own = pictureAt(path)
  const alt = unescapeHtml(/ alt="([^"]*)"/.exec(image)?.[1] ?? '') ?? ''
  return own
    ? {
        url: site.baseUrl() + inForm(path, 'card'),
        alt,
        sides: smallSides(own.id),
      }
    : { url: source, alt, sides: null }
}

/** The image of a picture of ours; in two widths if it is wide. A text is 680 pixels wide, and no picture higher than most of the window. */
function ofWidths(given: string, source: string, id: string, isMail = false, hasGround = false): string {
  if (isMail) return isMoving(id) ? given : given.replace(source, inForm(source, 'card'))
  const image = hasGround ? given.replace('<img ', '<img class="ground" ') : given
  if (image.includes('<source ') || !(isWide(id) || isMoving(id))) return image
  if (isMoving(id)) {
    const still = `<source media="${STILL}" srcset="${inForm(source, 'small')}">`
    return image.startsWith('<img ')
      ? `<picture>${still}${image}</picture>`
      : image.replace('<img ', `${still}<img `)
  }
  const { width, height } = sidesOf(id)
  const own = Number(WIDTH.exec(image)?.[1] ?? width)
  const column = `min(680px, 100vw - 40px, ${Math.ceil((80 * width) / height)}vh)`
  const widths = `${inForm(source, 'small')} ${PICTURE_LIMITS.small}w, ${source} ${width}w`
  return image.replace('<img ', `<img srcset="${widths}" sizes="${own < width ? `${own}px` : column}" `)
}
