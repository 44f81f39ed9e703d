/** Where the API is. The server routes by these paths, and the command line prints them. */

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
