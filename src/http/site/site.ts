import type { Config } from '../../config/config.ts'
import type { Language } from '../../domain/records.ts'
import { LIGHT_GROUND, readableOn } from '../../notes/html/brand.ts'
import type { ChangelogInfo } from '../../store/store.ts'
import { type PageLanguage, pageLanguage } from '../../words/languages.ts'
import { createStylesheet } from './stylesheet.ts'
import { VISITS_SCRIPT } from './visits.ts'

/** The settings of all pages, and values derived from them. */
export interface Site extends Config {
  /** The address in feeds. */
  baseUrl(): string
  /** True if there are pages with lists of changelogs. */
  readonly hasLists: boolean
  /** The changelog at `/`, if any. */
  readonly home: { readonly team: string; readonly product: string } | null
  /** The operator's color, in a shade that is readable on a light background. */
  readonly brandColor: string
  readonly stylesheet: string
  readonly policy: string
  readonly language: PageLanguage
  /** The name of the site, or what stands for it. */
  readonly title: string
  /** The site in the language of a product, and of a changelog of entries if it is one. */
  in(product: Pick<ChangelogInfo, 'settings'>, ofEntries?: boolean): Site
}

export function createSite(config: Config, baseUrl: () => string): Site {
  const { publicUrl, homePage, brandColor, siteLanguage } = config
  const [team = '', product = ''] = homePage.split('/')
  const stylesheet = createStylesheet(brandColor)
  const common = {
    ...config,
    baseUrl,
    hasLists: config.pages === 'on',
    home: homePage === '' ? null : { team, product },
    brandColor: readableOn(brandColor, LIGHT_GROUND),
    stylesheet,
    policy: policyFor(stylesheet, publicUrl),
    in: ({ settings: { language } }: Pick<ChangelogInfo, 'settings'>, ofEntries = false) =>
      (language ?? siteLanguage) === siteLanguage && !ofEntries
        ? site
        : inLanguage(language ?? siteLanguage, ofEntries),
  }
  const inLanguage = (code: Language, ofEntries = false): Site => {
    const language = pageLanguage(code, ofEntries)
    return { ...common, language, title: config.siteName || language.words.site.whatsNew }
  }
  const site = inLanguage(siteLanguage)
  return site
}

const hashOf = (text: string): string =>
  `'sha256-${new Bun.CryptoHasher('sha256').update(text).digest('base64')}'`

/**
 * A page loads only images over https and our own. Stylesheet and script are inline and named by their hashes; the icon is a
 * `data:` URL. Connections are allowed only for audits in browsers, which fetch `/robots.txt`.
 */
const policyFor = (stylesheet: string, publicUrl: string): string =>
  [
    "default-src 'none'",
    `style-src ${hashOf(stylesheet)}`,
    `script-src ${hashOf(VISITS_SCRIPT)}`,
    `img-src 'self' https: data:${publicUrl.startsWith('http:') ? ` ${publicUrl}` : ''}`,
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
