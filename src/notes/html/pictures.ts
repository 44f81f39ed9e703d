import { PAGES } from '../../domain/addresses/paths.ts'
import { PICTURES } from '../../domain/pictures.ts'
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

/** HTML in which the addresses of our own pictures, which are paths while a text is rendered, begin with this. */
export const picturesFrom = (html: string, base: string): string =>
  base !== '' && html.includes(`/${PICTURES}/`) ? html.replace(OWN_PATH, () => base) : html
