import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A changelog and the package it is from, as `name@version`. */
export interface File {
  name: string
  text: string
}

/**
 * The changelogs of packages, from the npm registry. Tarballs, not installs: nothing of a package runs, and only its
 * changelog is unpacked. They are kept in `cache`, if there is one.
 */
export async function download(packages: readonly string[], cache: string | undefined): Promise<File[]> {
  const directory = await mkdtemp(join(tmpdir(), 'changelogd-corpus-'))
  try {
    if (cache !== undefined) await mkdir(cache, { recursive: true })
    const files = new Map<string, string>()
    const queue = [...packages]
    const work = async (): Promise<void> => {
      for (let name = queue.shift(); name !== undefined; name = queue.shift()) {
        const kept = cache === undefined ? null : Bun.file(join(cache, name.replace('/', '+')))
        const text = (await kept?.exists()) ? await kept?.text() : undefined
        files.set(name, text ?? (await changelogOf(name, directory)))
        if (kept !== null && text === undefined) await kept.write(files.get(name) ?? '')
      }
    }
    await Promise.all([work(), work(), work(), work()])
    return packages.map((name) => ({ name, text: files.get(name) ?? '' }))
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}

async function changelogOf(spec: string, directory: string): Promise<string> {
  const at = spec.lastIndexOf('@')
  const [name, version] = [spec.slice(0, at), spec.slice(at + 1)]
  const archive = join(directory, `${spec.replace('/', '+')}.tgz`)
  const address = `https://registry.npmjs.org/${name}/-/${name.replace(/^.*\//, '')}-${version}.tgz`
  await Bun.write(archive, await fetched(address))
  const entries = (await Bun.$`tar -tzf ${archive}`.text()).split('\n')
  const entry =
    entries.find((one) => /^[^/]+\/(changelog|changes|history)(\.md|\.markdown|\.txt|\.rst)?$/i.test(one)) ??
    entries.find((one) => /^[^/]+\/(release-?notes|releases|news)(\.md|\.markdown|\.txt|\.rst)?$/i.test(one))
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
