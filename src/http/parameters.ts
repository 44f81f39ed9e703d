import {
  changelogPagePath,
  FEEDS,
  keyedChangelogPath,
  LATEST,
  MARKDOWN,
  publicChangelogPath,
  teamPagePath,
} from '../domain/addresses/paths.ts'
import { ChangelogQuery } from './openapi/request-schemas.ts'
import { HOME_PAGE, SITEMAP_FILE } from './paths.ts'

/** The parameters that mean something in a query, by what is at the path. Their order is that of a reduced target. */
export const PARAMETERS = {
  api: Object.keys(ChangelogQuery.properties) as (keyof ChangelogQuery)[],
  list: ['after'],
  changelog: ['q', 'type', 'cursor'],
  release: ['page'],
  markdown: ['cursor'],
  sitemapFile: ['after', 'cursor'],
} as const

/** Never read, but the refusal says so: only that it is there is kept. */
const TOKEN = 'access_token'

/** Reduces a request target to its path and the parameters that mean something there. */
export type Reduce = (target: string) => string

/**
 * Unknown parameters are ignored, so they must not create cache entries: the cache key is the path with the known
 * parameters in one order. `homePage` is the setting.
 */
export function createReduce(homePage: string): Reduce {
  const name = '[^/]+'
  const changelog = changelogPagePath(name, name)
  const others = [...Object.values(FEEDS), LATEST].map(RegExp.escape).join('|')
  const known = (
    [
      [publicChangelogPath(name, name), PARAMETERS.api],
      [keyedChangelogPath(name, name), [...PARAMETERS.api, TOKEN]],
      [`${keyedChangelogPath(name, name)}/versions/${name}`, [TOKEN]],
      [HOME_PAGE, homePage === '' ? PARAMETERS.list : PARAMETERS.changelog],
      [teamPagePath(name), PARAMETERS.list],
      [changelog, PARAMETERS.changelog],
      [`${changelog}/(${others})`, []],
      [`${changelog}/${RegExp.escape(MARKDOWN)}`, PARAMETERS.markdown],
      [`${changelog}/${name}`, PARAMETERS.release],
      [RegExp.escape(SITEMAP_FILE), PARAMETERS.sitemapFile],
    ] as const
  ).map(([path, names]) => ({ path: new RegExp(`^${path}$`), names }))

  return (target) => {
    const end = target.indexOf('?')
    if (end < 0) return target
    const path = target.slice(0, end)
    const { names } = known.find((each) => each.path.test(path)) ?? { names: [] }
    if (names.length === 0) return path
    const kept = keep(target.slice(end + 1), names)
    return kept === '' ? path : `${path}?${kept}`
  }
}

/** A query that `URLSearchParams` would write as it is. */
const PLAIN = /^[a-z]+=[\w*.-]*(&[a-z]+=[\w*.-]*)*$/

/** Those parameters of a query, as `URLSearchParams` writes them, which takes seven times as long. */
function keep(query: string, names: readonly string[]): string {
  const given = PLAIN.test(query) ? query.split('&') : parts(query)
  const kept: string[] = []
  for (const name of names)
    for (const each of given)
      if (each.startsWith(name) && each[name.length] === '=') kept.push(name === TOKEN ? `${TOKEN}=x` : each)
  return kept.join('&')
}

const parts = (query: string): string[] => String(new URLSearchParams(query)).split('&')
