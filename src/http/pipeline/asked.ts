import type { Reduce } from '../parameters.ts'
import { targetOf } from '../paths.ts'
import { type Surface, surfaceOf } from '../routes.ts'

/** What a URL asks for. */
interface Asked {
  readonly target: string
  readonly reduced: string
  readonly surface: Surface
}

/** Reads URLs. The last one is remembered, because the next request often has the same. */
export function createAsked(reduce: Reduce): (url: string) => Asked {
  let lastUrl: string | undefined
  let last: Asked
  return (url) => {
    if (url !== lastUrl) {
      const target = targetOf(url)
      const reduced = reduce(target)
      last = { target, reduced, surface: surfaceOf(reduced) }
      lastUrl = url
    }
    return last
  }
}
