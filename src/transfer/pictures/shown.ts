import { identityIn } from '../../domain/importing/match-versions.ts'
import { picturesIn } from '../../domain/pictures.ts'
import type { Product } from '../../domain/records.ts'
import { mapTexts, type Texts } from '../../domain/versions/texts.ts'
import { withAddresses } from '../../formats/markdown/pictures.ts'
import type { ParsedVersion } from '../../formats/parsed.ts'
import type { Records } from '../../store/records/records.ts'

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
  const open = addresses.difference(ids)
  if (stored.size === 0 || open.size === 0) return ids
  const identity = identityIn([...(await records.versions.list(product)), ...versions])
  const followed = new Map(versions.map((version) => [identity(version.label), version]))
  for await (const before of records.transfer.contents(product)) {
    const version = followed.get(identity(before.label))
    const former = version && pictured(before)
    for (const [words, addresses] of version ? pictured(version) : [])
      for (const [at, address] of addresses.entries()) {
        const [own = ''] = picturesIn(former?.get(words)?.[at])
        if (stored.has(own) && open.delete(address)) ids.set(address, own)
      }
  }
  return ids
}

/** The addresses of the pictures that a version shows, by the words of the texts around them. */
function pictured(version: Texts): Map<string, string[]> {
  const found = new Map<string, string[]>()
  mapTexts(version, (text) => {
    const shown: string[] = []
    const words = withAddresses(text, (address) => {
      shown.push(address)
      return ''
    })
    found.set(words, [...(found.get(words) ?? []), ...shown])
    return text
  })
  return found
}
