import type { Config } from '../../config/config.ts'
import type { ChangelogInfo } from '../../store/store.ts'
import { type PageLanguage, pageLanguage } from './languages/languages.ts'
import { LIGHT_GROUND, readableOn } from './style/brand.ts'
import { createStylesheet } from './style/stylesheet.ts'

/** The settings of all pages, and values derived from them. */
export interface Site extends Config {
  /** The address in feeds. */
  baseUrl(): string
  /** True if there are pages with lists of changelogs. */
  readonly hasLists: boolean
  /** The changelog at `/`, if any. */
  readonly home: { readonly team: string; readonly product: string } | null
  /** In a shade that is readable on a light background. */
  readonly brandColor: string
  readonly stylesheet: string
  readonly policy: string
  readonly language: PageLanguage
  /** The same for a product, which may have a language of its own. */
  in(product: Pick<ChangelogInfo, 'settings'>): Site
}

/** `address` is the address the server listens on. */
export function createSite(config: Config, address: () => string): Site {
  const { publicUrl, homePage, brandColor, siteLanguage } = config
  const [team = '', product = ''] = homePage.split('/')
  const stylesheet = createStylesheet(brandColor)
  const site: Site = {
    ...config,
    baseUrl: () => publicUrl || address(),
    hasLists: config.pages === 'on',
    home: homePage === '' ? null : { team, product },
    brandColor: readableOn(brandColor, LIGHT_GROUND),
    stylesheet,
    policy: policyFor(stylesheet),
    language: pageLanguage(siteLanguage),
    in: ({ settings: { language } }) =>
      language === null || language === siteLanguage ? site : { ...site, language: pageLanguage(language) },
  }
  return site
}

/**
 * A page runs nothing and loads only images over https. The stylesheet is inline and named by its hash; the icon is a
 * `data:` URL. Connections are allowed only for audits in browsers, which fetch `/robots.txt`.
 */
const policyFor = (stylesheet: string): string =>
  [
    "default-src 'none'",
    `style-src 'sha256-${new Bun.CryptoHasher('sha256').update(stylesheet).digest('base64')}'`,
    'img-src https: data:',
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
