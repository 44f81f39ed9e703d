import { letters } from './compare.ts'
import type { File } from './download.ts'
import { importBoth, type StoredVersion } from './program.ts'

/** What became of the ids of a changelog when a newer file of the same package was imported over it. */
export interface Upgrade {
  from: string
  to: string
  /** Versions of the older file that the newer one has too, perhaps under another label. */
  versions: [kept: number, expected: number]
  /** Changes of the older file whose title the newer one has too, in the same version. */
  changes: [kept: number, expected: number]
}

export async function measureUpgrade(before: File, after: File): Promise<Upgrade> {
  const [first, second] = await importBoth(before.text, after.text)
  const upgrade: Upgrade = { from: before.name, to: after.name, versions: [0, 0], changes: [0, 0] }
  const count = (pair: [number, number], isKept: boolean): void => {
    pair[0] += isKept ? 1 : 0
    pair[1]++
  }
  for (const version of first) {
    const same = counterpart(version, first, second)
    if (same === undefined) continue
    count(upgrade.versions, same.id === version.id)
    const left = Map.groupBy(same.changes, ({ title }) => letters(title))
    for (const { id, title } of version.changes) {
      const candidates = left.get(letters(title)) ?? []
      if (candidates.length === 0) continue
      const own = candidates.findIndex((one) => one.id === id)
      candidates.splice(Math.max(0, own), 1)
      count(upgrade.changes, own !== -1)
    }
  }
  return upgrade
}

/**
 * The version of the newer file with the same label, however it is prefixed. For one that was unreleased: the new
 * version that has most of its changes, if those are at least half.
 */
function counterpart(
  version: StoredVersion,
  first: StoredVersion[],
  second: StoredVersion[],
): StoredVersion | undefined {
  const known = new Set(first.map((one) => plain(one.version)))
  if (!/unreleased|next|head|master|main/i.test(version.version))
    return second.find((one) => plain(one.version) === plain(version.version))
  const titles = new Set(version.changes.map(({ title }) => letters(title)))
  const shared = (one: StoredVersion) => one.changes.filter(({ title }) => titles.has(letters(title))).length
  const renamed = second
    .filter((one) => !known.has(plain(one.version)) || one.version === version.version)
    .toSorted((a, b) => shared(b) - shared(a))[0]
  return renamed !== undefined && titles.size > 0 && shared(renamed) * 2 >= titles.size ? renamed : undefined
}

const plain = (label: string): string => label.toLowerCase().replace(/^v(?=\d)/, '')
