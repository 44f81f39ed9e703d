import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'

/** What both rules of drawing (draw.ts, draw-texts.ts) share: the order of names, and what is in packages. */

export const sha256 = (text: string): string => new Bun.CryptoHasher('sha256').update(text).digest('hex')

/** Whether rules may be made with the files of a package, so that none of them is drawn. */
export const isForPractice = (name: string): boolean => sha256(`practice ${name}`) < '8'

/** Without its version: `name@version`, `debian:package=version`. */
export const packageOf = (entry: string): string => entry.replace(/[@=][^@=]*$/, '')

export const ownerOf = (name: string): string => (name.startsWith('@') ? (name.split('/')[0] ?? name) : name)

/** Whether a text could be a changelog: a long one with numbers or dates. */
export function hasNumbers(text: string): boolean {
  const numbers = new Set(text.match(/\d+\.\d+(?:\.\d+)?/g))
  const dates = new Set(text.match(/(?:19|20)\d\d-\d\d-\d\d/g))
  return numbers.size >= 3 || dates.size >= 3
}

/** The SHA-256 of files that were drawn before, from a list in the directory of a draw. Without one there are none. */
export async function earlierFiles(directory: string): Promise<Set<string>> {
  const list = Bun.file(join(directory, 'earlier.txt'))
  return new Set((await list.exists()) ? (await list.text()).split('\n') : [])
}

/** Draws at once from npm, so that the registry is asked in parallel. */
export async function inParallel(
  names: readonly string[],
  work: (name: string) => Promise<void>,
  isFull: () => boolean,
  told: (count: number) => void = () => {},
): Promise<void> {
  let next = 0
  const worker = async (): Promise<void> => {
    while (next < names.length && !isFull()) {
      const name = names[next++]
      if (name !== undefined) await work(name).catch(() => {})
      if (next % 1000 === 0) told(next)
    }
  }
  await Promise.all(Array.from({ length: 32 }, worker))
}

interface NpmPackage {
  version: string
  files: Map<string, File>
}

/** The newest version of a package, unless `isWanted` says no or it is large. */
export async function npmPackage(
  name: string,
  isWanted: (description: string) => boolean = () => true,
): Promise<NpmPackage | null> {
  const response = await fetch(`https://registry.npmjs.org/${name}/latest`, {
    signal: AbortSignal.timeout(20_000),
  })
  if (!response.ok) return null
  const { version, description, dist } = (await response.json()) as {
    version: string
    description?: unknown
    dist: { tarball: string; unpackedSize?: number }
  }
  if (!isWanted(`${description ?? ''}`) || (dist.unpackedSize ?? 0) > 20_000_000) return null
  const archive = await fetch(dist.tarball, { signal: AbortSignal.timeout(60_000) })
  if (!archive.ok || Number(archive.headers.get('content-length')) > 4_000_000) return null
  return { version, files: await new Bun.Archive(await archive.bytes()).files() }
}

export interface DebianPackage {
  section: string
  source: string
  version: string
  file: string
}

/** Those of the distribution with at most 5 MB, by name. */
export async function debianPackages(): Promise<Map<string, DebianPackage>> {
  const list = await Bun.$`apt-cache dumpavail`.text()
  const packages = new Map<string, DebianPackage>()
  for (const stanza of list.split('\n\n')) {
    const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(stanza)?.[1] ?? ''
    if (Number(field('Size')) > 5_000_000 || field('Package') === '') continue
    packages.set(field('Package'), {
      section: field('Section'),
      source: field('Source').split(' ')[0] || field('Package'),
      version: field('Version'),
      file: field('Filename'),
    })
  }
  return packages
}

/** A package of Debian in a directory: its paths, and the text of one, compressed or not. Null if it is not there. */
export async function debianFiles(
  { file }: DebianPackage,
  directory: string,
): Promise<{ paths: string[]; textOf(path: string): Promise<string> } | null> {
  await mkdir(directory, { recursive: true })
  const response = await fetch(`http://deb.debian.org/debian/${file}`).catch(() => null)
  if (!response?.ok) return null
  await Bun.write(join(directory, 'package.deb'), await response.arrayBuffer())
  const paths = Bun.$`dpkg-deb --fsys-tarfile package.deb | tar -t`.cwd(directory).quiet().nothrow()
  return {
    paths: (await paths.text()).split('\n'),
    textOf: (path) =>
      Bun.$`dpkg-deb --fsys-tarfile package.deb | tar -xO ${path} | gzip -cdf`
        .cwd(directory)
        .quiet()
        .nothrow()
        .text(),
  }
}
