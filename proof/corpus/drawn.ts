import { mkdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { scratch } from '../../test/support/scratch.ts'
import { countChangelog, type Expected } from './counting/count.ts'
import { countLines } from './counting/count-lines.ts'
import { changelogOf, type File } from './download.ts'

/** The packages of draw.ts and draw-texts.ts, at the versions of draws.txt. */

export const DRAWS = [
  'A',
  'B',
  'C',
  'D',
  'E',
  'F',
  'G',
  'H',
  'I',
  'J',
  'M',
  'Q',
  'T',
  'U',
  'Z',
  'V',
  'O',
  'R',
] as const
export type Draw = (typeof DRAWS)[number]

/** Sets of texts that are no changelogs. */
export const TEXTS = ['K', 'L', 'N', 'P', 'S', 'X', 'Y', 'W'] as const

/** Kept for the end: nobody has opened or measured them. Remove a letter from here to open it. */
export const UNOPENED: readonly string[] = []

/** The packages of draws, as `name@version` or `debian:package=version`, and the path of the file in each. */
export async function drawnEntries(draws: readonly string[]): Promise<{ name: string; path: string }[]> {
  const list = await Bun.file(join(import.meta.dir, 'draws.txt')).text()
  return list
    .split('\n')
    .map((line) => line.split(' '))
    .flatMap(([of = '', , name, path]) => (draws.includes(of) && name && path ? { name, path } : []))
}

/** The files of a draw, npm's from its registry and Debian's by apt. Those in `cache` are not downloaded again. */
export async function drawnFiles(draw: string, cache: string | undefined, isQuick: boolean): Promise<File[]> {
  const entries = await drawnEntries([draw])
  // Debian's come first in the list, and its versions disappear from the archive.
  const chosen = isQuick ? entries.slice(-1) : entries
  using directory = scratch()
  if (cache !== undefined) await mkdir(cache, { recursive: true })
  const files: File[] = []
  for (const { name, path } of chosen) {
    const kept = cache === undefined ? null : Bun.file(join(cache, name.replaceAll('/', '+')))
    const isKept = (await kept?.exists()) === true
    const text = isKept && kept ? await kept.text() : await textOf(name, path, directory.path)
    if (text !== null && kept && !isKept) await kept.write(text)
    if (text === null) console.error(`${name}: no longer in the archive, left out`)
    else files.push({ name, text, fileName: basename(path) })
  }
  return files
}

/** Null for a version that Debian no longer has. */
async function textOf(name: string, path: string, directory: string): Promise<string | null> {
  const debian = /^debian:(?<spec>.+)$/.exec(name)?.groups?.spec
  if (debian === undefined) return changelogOf(name, directory, [new RegExp(`^${RegExp.escape(path)}$`)])
  const got = await Bun.$`apt-get download ${debian}`.cwd(directory).quiet().nothrow()
  if (got.exitCode !== 0) return null
  const text = await Bun.$`dpkg-deb --fsys-tarfile *.deb | tar -xO ${path} ${path}.gz | gzip -cdf`
    .cwd(directory)
    .quiet()
    .text()
  await Bun.$`rm -f *.deb`.cwd(directory)
  return text
}

/**
 * In these the count by lines takes for versions what is none, as was seen by eye: a heading that repeats the number
 * of its version, `npm install name@1.2.0`, bumped packages, and versions of another program or of a bundle.
 */
const NOT_BY_LINES = [
  'getbase',
  'iridium',
  'debian:node-body-parser',
  'debian:node-mime-types',
  '@plasosdk/plaso-electron-sdk',
  '@uppy/aws-s3',
  'zone',
]

/** By lines where that finds half as many versions again as markdown has. `isCorrected` leaves out what was seen to be wrong. */
export function countDrawn({ name, text }: File, isCorrected: boolean): Expected {
  const [markdown, lines] = [countChangelog(text), countLines(text)]
  const isKnown = NOT_BY_LINES.some((one) => name.startsWith(`${one}@`) || name.startsWith(`${one}=`))
  if (isCorrected && isKnown) return markdown
  if (isCorrected && name.startsWith('@mui/')) return withoutParts(markdown)
  return lines.versions.length > markdown.versions.length * 1.5 + 1 ? lines : markdown
}

/** Without the packages of a release, which are headings inside of it: `@mui/material@7.3.2` below `7.3.2`. */
function withoutParts(expected: Expected): Expected {
  let outer = ''
  const versions = expected.versions.filter(({ text, number }) => {
    const isPackage = /^\W*[\w./-]+@\d/.test(text)
    if (!isPackage) outer = number
    return !isPackage || number !== outer
  })
  return { ...expected, versions }
}
