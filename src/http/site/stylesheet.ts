import { DARK_GROUND, LIGHT_GROUND, readableOn } from '../../notes/html/brand.ts'
import authored from './authored.css' with { type: 'text' }
import base from './base.css' with { type: 'text' }
import entries from './entries.css' with { type: 'text' }
import header from './header.css' with { type: 'text' }
import lists from './lists.css' with { type: 'text' }
import media from './media.css' with { type: 'text' }
import release from './release.css' with { type: 'text' }
import text from './text.css' with { type: 'text' }
import timeline from './timeline.css' with { type: 'text' }
import upgrade from './upgrade.css' with { type: 'text' }

/** The stylesheet of all pages, in the operator's color; `more` is for pages that are built on them. */
export const createStylesheet = (brandColor: string, more = ''): string =>
  joined(brandColor, base, header, release, text, authored, lists, timeline, upgrade, media, entries, more)

/** A stylesheet for other pages with the same look. */
export const createStylesheetWith = (brandColor: string, more: string): string =>
  joined(brandColor, base, more)

const joined = (brandColor: string, ...parts: string[]): string =>
  parts
    .join('')
    .replace('BRAND_ON_LIGHT', readableOn(brandColor, LIGHT_GROUND))
    .replace('BRAND_ON_DARK', readableOn(brandColor, DARK_GROUND))
    .replace(/\/\*.*?\*\//g, '')
    .replace(/\s+/g, ' ')
    .replace(/ ?([{};,>]) ?/g, '$1')
    .replaceAll(': ', ':')
    .replace(/(?<!\d)0\./g, '.')
    // Not in a sum, which needs its spaces.
    .replace(/ \+ (?=[.a-z])/g, '+')
    .replaceAll(';}', '}')
    .trim()
