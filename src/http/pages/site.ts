import type { Config } from '../../config/config.ts'
import type { ChangelogInfo } from '../../store/store.ts'
import { type PageLanguage, pageLanguage } from './languages/languages.ts'
import { LIGHT_GROUND, readableOn } from './style/brand.ts'
import { createStylesheet } from './style/stylesheet.ts'

/** Settings and texts that all pages share. */
export interface Site {
  /** Empty if it is not set. */
  readonly name: string
  readonly logoUrl: string
  readonly shareImageUrl: string
  /** The WebSub hub of feeds; empty if there is none. */
  readonly hub: string
  /** The public address; empty if unknown. */
  readonly publicUrl: string
  /** The address in feeds. */
  baseUrl(): string
  /** Whether agents can ask at `/mcp`. */
  readonly hasMcp: boolean
  /** Whether there are pages with lists of changelogs. */
  readonly hasLists: boolean
  /** The changelog at `/`, if any. */
  readonly home: { readonly team: string; readonly product: string } | null
  /** In a shade that is readable on a light background. */
  readonly brandColor: string
  readonly stylesheet: string
  readonly policy: string
  /** What its pages are written with. */
  readonly language: PageLanguage
  /** The same for a product, which may have a language of its own. */
  in(product: Pick<ChangelogInfo, 'settings'>): Site
}

type SiteSettings = Pick<
  Config,
  | 'pages'
  | 'homePage'
  | 'publicUrl'
  | 'siteName'
  | 'brandColor'
  | 'logoUrl'
  | 'shareImageUrl'
  | 'siteLanguage'
  | 'mcp'
  | 'websubHub'
>

/** `address` is the address the server listens on. */
export function createSite(settings: SiteSettings, address: () => string): Site {
  const { publicUrl, homePage } = settings
  const [team = '', product = ''] = homePage.split('/')
  const stylesheet = createStylesheet(settings.brandColor)
  const site: Site = {
    name: settings.siteName,
    logoUrl: settings.logoUrl,
    shareImageUrl: settings.shareImageUrl,
    hub: settings.websubHub,
    publicUrl,
    baseUrl: () => publicUrl || address(),
    hasMcp: settings.mcp,
    hasLists: settings.pages === 'on',
    home: homePage === '' ? null : { team, product },
    brandColor: readableOn(settings.brandColor, LIGHT_GROUND),
    stylesheet,
    policy: policyFor(stylesheet),
    language: pageLanguage(settings.siteLanguage),
    in: ({ settings: { language } }) =>
      language === null || language === settings.siteLanguage
        ? site
        : { ...site, language: pageLanguage(language) },
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
