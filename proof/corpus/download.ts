import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { scratch } from '../../test/support/scratch.ts'

/** A changelog and the package it is from, as `name@version`. */
export interface File {
  name: string
  text: string
  /** By default CHANGELOG.md. */
  fileName?: string
}

/** The names that a changelog may have, first the more usual ones. */
export const CHANGELOGS = [
  /^[^/]+\/(changelog|changes|history)(\.md|\.markdown|\.txt|\.rst)?$/i,
  /^[^/]+\/(release-?notes|releases|news)(\.md|\.markdown|\.txt|\.rst)?$/i,
]
export const RUSH_CHANGELOG = [/^[^/]+\/CHANGELOG\.json$/]

/**
 * The changelogs of packages, from the npm registry. Tarballs, not installs: nothing of a package runs, and only its
 * changelog is unpacked: the one with the first of the names that it has. They are kept in `cache`, if there is one.
 */
export async function download(
  packages: readonly string[],
  cache: string | undefined,
  fileName: RegExp[] = CHANGELOGS,
): Promise<File[]> {
  using directory = scratch()
  if (cache !== undefined) await mkdir(cache, { recursive: true })
  const files = new Map<string, string>()
  const queue = packages.values()
  const work = async (): Promise<void> => {
    for (const name of queue) {
      const key = name.replace('/', '+') + (fileName === CHANGELOGS ? '' : '.json')
      const kept = cache === undefined ? null : Bun.file(join(cache, key))
      const text = (await kept?.exists()) ? await kept?.text() : undefined
      files.set(name, text ?? (await changelogOf(name, directory.path, fileName)))
      if (kept !== null && text === undefined) await kept.write(files.get(name) ?? '')
    }
  }
  await Promise.all([work(), work(), work(), work()])
  return packages.map((name) => ({ name, text: files.get(name) ?? '' }))
}

export async function changelogOf(spec: string, directory: string, fileName: RegExp[]): Promise<string> {
  const at = spec.lastIndexOf('@')
  const [name, version] = [spec.slice(0, at), spec.slice(at + 1)]
  const archive = join(directory, `${spec.replace('/', '+')}.tgz`)
  const address = `https://registry.npmjs.org/${name}/-/${name.replace(/^.*\//, '')}-${version}.tgz`
  await Bun.write(archive, await fetched(address))
  const entries = (await Bun.$`tar -tzf ${archive}`.text()).split('\n')
  const [entry] = fileName.flatMap((one) => entries.find((path) => one.test(path)) ?? [])
  if (entry === undefined) throw new Error(`${spec} ships no changelog`)
  const text = await Bun.$`tar -xzOf ${archive} ${entry}`.text()
  await rm(archive)
  return text
}

/** What is at an address. A request that fails, or takes longer than a minute, is repeated twice. */
async function fetched(address: string, attempts = 3): Promise<ArrayBuffer> {
  try {
    const response = await fetch(address, { signal: AbortSignal.timeout(60_000) })
    if (!response.ok) throw new Error(`${address}: the registry responds ${response.status}`)
    return await response.arrayBuffer()
  } catch (error) {
    if (attempts === 1) throw error
    return fetched(address, attempts - 1)
  }
}
