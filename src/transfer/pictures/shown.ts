import { identityIn } from '../../domain/importing/match-versions.ts'
import { picturesIn } from '../../domain/pictures.ts'
import type { Product } from '../../domain/records.ts'
import { mapTexts, type Texts } from '../../domain/versions/texts.ts'
import { withAddresses } from '../../formats/markdown/pictures.ts'
import type { ParsedVersion } from '../../formats/parsed.ts'
import type { Records } from '../../store/records/records.ts'
import { addressesIn } from './take.ts'

/**
 * The stored pictures for addresses in the versions of a file: `known` ones, else those that the stored version shows in
 * their place. So what a release shows never vanishes, whatever is remembered and can be read.
 */
export async function picturesShown(
  records: Records,
  product: Product,
  versions: readonly ParsedVersion[],
  addresses: ReadonlySet<string>,
  known: readonly (readonly [address: string, id: string])[],
): Promise<Map<string, string>> {
  const stored = await records.pictures.ids(product)
  const ids = new Map(known.filter(([address, id]) => addresses.has(address) && stored.has(id)))
  const isOpen = (address: string) => addresses.has(address) && !ids.has(address)
  const open = stored.size === 0 ? [] : versions.filter((version) => [...addressesIn(version)].some(isOpen))
  if (open.length === 0) return ids
  const identity = identityIn([...(await records.versions.list(product)), ...versions])
  const wanted = new Map(open.map((version) => [identity(version.label), version]))
  for await (const before of records.transfer.contents(product)) {
    const version = wanted.get(identity(before.label))
    const texts = Map.groupBy(version ? pictured(before) : [], ({ words }) => words)
    for (const { words, shown } of version ? pictured(version) : [])
      for (const [at, address] of (texts.get(words)?.shift()?.shown ?? []).entries()) {
        const [[own = ''], asked = ''] = [picturesIn(address), shown[at]]
        if (isOpen(asked) && stored.has(own)) ids.set(asked, own)
      }
  }
  return ids
}

/** The texts of a version that show pictures: their addresses, and the words around. */
function pictured(version: Texts): { words: string; shown: string[] }[] {
  const found: { words: string; shown: string[] }[] = []
  mapTexts(version, (text) => {
    const shown: string[] = []
    const words = withAddresses(text, (address) => {
      shown.push(address)
      return ''
    })
    if (shown.length > 0) found.push({ words, shown })
    return text
  })
  return found
}
