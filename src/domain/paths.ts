/** Where the API and the pages are. The server routes by these paths, and the command line prints them. */

export const API = '/api/v1'
export const PUBLIC_API = `${API}/public` as const

/** The public path of a product's changelog. */
export const publicChangelogPath = <Team extends string, Product extends string>(
  team: Team,
  product: Product,
) => `${PUBLIC_API}/teams/${team}/products/${product}/changelog` as const

/** The path of a product's changelog for API-key holders. */
export const keyedChangelogPath = <Team extends string, Product extends string>(
  team: Team,
  product: Product,
) => `${API}/teams/${team}/products/${product}/changelog` as const

/** Where the pages of teams, changelogs and versions are. */
export const PAGES = '/changelog'

/** The path of the page with a team's changelogs. */
export const teamPagePath = <Team extends string>(team: Team) => `${PAGES}/${team}` as const

/** The path of the page with a product's changelog. */
export const changelogPagePath = <Team extends string, Product extends string>(
  team: Team,
  product: Product,
) => `${PAGES}/${team}/${product}` as const
