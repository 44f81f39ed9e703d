import { ROUTES, routeAt, TOKEN } from './routes.ts'

/** Reduces a request target to its path and the parameters that mean something there. */
export type Reduce = (target: string) => string

/**
 * Unknown parameters are ignored, so they must not create cache entries: the cache key is the path with the known
 * parameters in one order. `homePage` is the setting.
 */
export const createReduce =
  (homePage: string): Reduce =>
  (target) => {
    const end = target.indexOf('?')
    if (end < 0) return target
    const path = target.slice(0, end)
    const isChangelog = path === ROUTES.homePage.path && homePage !== ''
    const route = isChangelog ? ROUTES.changelogPage : routeAt(path)
    if (!route?.parameters) return path
    const kept = keep(target.slice(end + 1), route.parameters)
    return kept === '' ? path : `${path}?${kept}`
  }

/** A query that `URLSearchParams` would write as it is. */
const PLAIN = /^[a-z]+=[\w*.-]*(&[a-z]+=[\w*.-]*)*$/

/**
 * Those parameters of a query, as `URLSearchParams` writes them, which takes seven times as long. Of a token, only that
 * it is there.
 */
function keep(query: string, names: readonly string[]): string {
  const given = PLAIN.test(query) ? query.split('&') : parts(query)
  const kept: string[] = []
  for (const name of names)
    for (const each of given)
      if (each.startsWith(name) && each[name.length] === '=') kept.push(name === TOKEN ? `${TOKEN}=x` : each)
  return kept.join('&')
}

const parts = (query: string): string[] => String(new URLSearchParams(query)).split('&')
