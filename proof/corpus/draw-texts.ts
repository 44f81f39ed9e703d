/**
 * Draws texts that are no changelogs, which the reader should refuse. The rule was written before the first was opened:
 *
 * 1. The names of draw.ts, without the half for practice and without what is drawn there, in the order of the SHA-256 of
 *    `K `, `L ` or `N ` and the name. L is without what K has, N without what both have. A package about changelogs is left
 *    out, by its name (ABOUT).
 * 2. One file a package: .md, .markdown, .txt, .rst, or a name in capitals without a dot; of Debian one that is compressed,
 *    in usr/share/doc/PACKAGE. Nothing in its path is a usual name of a changelog (ABOUT). Of several files, the one of
 *    which path and package have the lowest SHA-256.
 * 3. It has 2 to 200 KB, and three different numbers such as 1.2, or three dates, as the files of the draws have: others
 *    are refused easily.
 * 4. It has no line of a few words that name a changelog (SECTION): there would be one below.
 * 5. 60 a set. npm: 14 with three lines that begin with different numbers such as 1.2 (NUMBERED), 12 others named README,
 *    14 others. Debian: 8, 4 and 8. Of other names than README at most four, of an npm scope two, of a Debian source one.
 * 6. P came later and is from other places, by the same rule: npm names with 50 to 999 downloads a month; of Debian a file,
 *    compressed or not, that is not in usr/share/doc/PACKAGE itself: in a folder of it, or anywhere else in the package. They
 *    are in DIRECTORY/contents.txt, which is Contents-amd64 of bookworm/main through
 *    `grep -E '([.](md|markdown|txt|rst)|/[A-Z][A-Z0-9_-]+)([.]gz)?[[:space:]]'`. Names that differ only in their ending and
 *    in capitals count as one. It is without what K to N have. It was drawn beside Q: a package of both stays in Q.
 * 7. S is drawn like P, from other places: npm names with 10 to 49 downloads a month, and what comes next of Debian, in the
 *    order of the SHA-256 of `S ` and the name. It is without what K to P have. A file of which DIRECTORY/earlier.txt has the
 *    SHA-256 is passed over, and so is one with the same bytes as another of S. It was drawn beside T: a package of both stays in T.
 *    Debian had only three more with lines that begin with numbers: the other five are the next ones of npm.
 * 8. X is drawn like S, from the same places, in the order of the SHA-256 of `X ` and the name. It is without what K to S have.
 *    S took the last of Debian with lines that begin with numbers: X has none of these of Debian, and 22 of npm.
 * 9. Y is drawn like X, from the same places, in the order of the SHA-256 of `Y ` and the name. It is without what K to X have,
 *    and was drawn beside U: a package of both stays in U.
 * 10. W is drawn like Y, from the same places, in the order of the SHA-256 of `W ` and the name. It is without what K to Y have,
 *    and was drawn beside Z: a package of both stays in Z.
 *
 *   bun proof/corpus/draw-texts.ts COUNTS.json DIRECTORY K    writes DIRECTORY/K/* and DIRECTORY/draws.json, and so for the later ones
 */
import { basename, join } from 'node:path'
import {
  type DebianPackage,
  debianFiles,
  debianPackages,
  earlierFiles,
  hasNumbers,
  inParallel,
  isForPractice,
  npmPackage,
  ownerOf,
  packageOf,
  sha256,
} from './drawing.ts'
import { DRAWS, drawnEntries, TEXTS } from './drawn.ts'
import { PACKAGES } from './packages.ts'

const [countsFile = '', directory = '', set = ''] = process.argv.slice(2)
/** How many with lines that begin with numbers are of Debian, where it has no eight. */
const OF_DEBIAN: Record<string, number> = { S: 3, X: 0, Y: 0, W: 0 }
const ofDebian = OF_DEBIAN[set] ?? 8
const SIZE = {
  npm: { numbered: 22 - ofDebian, readme: 12, other: 14 },
  debian: { numbered: ofDebian, readme: 4, other: 8 },
} as const
type Registry = keyof typeof SIZE
type Kind = keyof (typeof SIZE)[Registry]
const KINDS: readonly Kind[] = ['numbered', 'readme', 'other']

const ABOUT = /change|history|release|news|version|what-?s-?new|upgrad|migrat|announc/i
const TEXT = /(?:\.(?:md|markdown|txt|rst)|(?:^|\/)[A-Z][A-Z0-9_-]+)$/
const SECTION =
  /^[^\w\n]*(?:\w+[^\w\n]+){0,2}(?:change ?logs?|changes|history|releases?|release notes?|what.?s new|news|versions?)[^\w\n]*(?:\w+[^\w\n]*)?$/im
const NUMBERED =
  /^[ \t]*(?:(?:#{1,6}|[-*+=|>])[ \t]*)?(?:(?:v|version|section|chapter)[ \t]*)?(\d{1,3}\.\d{1,3})\b/gim
const MOST_OF_A_NAME = 4
const isElsewhere = ['P', 'S', 'X', 'Y', 'W'].includes(set)
/** How many downloads a month the npm packages of a set have: at least so many, and less than so many. */
const RARE: [number, number] = [10, 50]
const DOWNLOADS: Record<string, [number, number]> = { P: [50, 1000], S: RARE, X: RARE, Y: RARE, W: RARE }

const before = [...DRAWS, ...TEXTS.slice(0, TEXTS.indexOf(set as (typeof TEXTS)[number]))]
const known = new Set([...PACKAGES, ...(await drawnEntries(before)).map(({ name }) => name)].map(packageOf))
const earlier = await earlierFiles(directory)
const drawn: { draw: string; group: string; name: string; path: string }[] = []
const owners = new Map<string, number>()
const names = new Map<string, number>()

const room = (registry: Registry, kind: Kind): boolean =>
  drawn.filter(({ group }) => group === `${registry}-${kind}`).length < SIZE[registry][kind]
const isFull = (registry: Registry): boolean => !KINDS.some((kind) => room(registry, kind))
const isReadme = (path: string): boolean => /^readme/i.test(basename(path))
const inOrder = (all: Iterable<string>): string[] =>
  [...all]
    .filter((name) => !ABOUT.test(name) && !isForPractice(name))
    .map((name) => [sha256(`${set} ${name}`), name] as const)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([, name]) => name)

/** The paths in a folder of a package that may be taken, in their order. */
const candidates = (name: string, paths: readonly string[], folder: RegExp): string[] =>
  paths
    .filter((path) => folder.test(path) && !path.includes('node_modules/'))
    .filter((path) => TEXT.test(path.replace(/\.gz$/, '')) && !ABOUT.test(path.replace(folder, '')))
    .map((path) => [sha256(`${name} ${path}`), path] as const)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([, path]) => path)

function isTaken(text: string): boolean {
  const size = Buffer.byteLength(text)
  const isLike = size >= 2_000 && size <= 200_000 && hasNumbers(text) && !SECTION.test(text)
  return isLike && !earlier.has(sha256(text))
}

function kindOf(path: string, text: string): Kind {
  const numbers = new Set([...text.matchAll(NUMBERED)].map(([, number]) => number))
  return numbers.size >= 3 ? 'numbered' : isReadme(path) ? 'readme' : 'other'
}

async function keep(
  registry: Registry,
  name: string,
  path: string,
  owner: string,
  text: string,
): Promise<void> {
  const file = basename(path)
  const alike = isElsewhere ? file.replace(/\..*$/, '').toLowerCase() : file
  const kind = kindOf(path, text)
  const most = isReadme(path) ? Number.POSITIVE_INFINITY : MOST_OF_A_NAME
  if (!room(registry, kind) || (names.get(alike) ?? 0) >= most) return
  if (set >= 'S') earlier.add(sha256(text))
  drawn.push({ draw: set, group: `${registry}-${kind}`, name, path })
  owners.set(owner, (owners.get(owner) ?? 0) + 1)
  names.set(alike, (names.get(alike) ?? 0) + 1)
  await Bun.write(join(directory, set, name.replaceAll('/', '+'), file), text)
  await Bun.write(join(directory, 'draws.json'), JSON.stringify(drawn, null, 1))
}

async function tryNpm(name: string): Promise<void> {
  if (known.has(name) || (owners.get(ownerOf(name)) ?? 0) >= 2) return
  const found = await npmPackage(name)
  const [path] = found ? candidates(name, [...found.files.keys()], /^[^/]+\//) : []
  const text = path === undefined ? undefined : await found?.files.get(path)?.text()
  if (!found || path === undefined || text === undefined || !isTaken(text)) return
  if ((owners.get(ownerOf(name)) ?? 0) >= 2) return
  await keep('npm', `${name}@${found.version}`, path, ownerOf(name), text)
}

/** The paths of texts by package, from a part of a list of contents: a path, blanks, and `section/package` of those that have it. */
async function listedTexts(): Promise<Map<string, string[]>> {
  const list = await Bun.file(join(directory, 'contents.txt')).text()
  const paths = new Map<string, string[]>()
  for (const line of list.split('\n')) {
    const [path = '', holders = '', more] = line.split(/\s+/)
    // A path with a blank has no place in draws.txt.
    if (more !== undefined) continue
    for (const name of holders.split(',').map((holder) => basename(holder)))
      paths.set(name, [...(paths.get(name) ?? []), `./${path}`])
  }
  return paths
}

async function drawDebian(): Promise<void> {
  const packages = await debianPackages()
  const contents = isElsewhere ? await listedTexts() : null
  for (const [name, { source }] of packages)
    if (known.has(`debian:${name}`) || isForPractice(name)) owners.set(`debian:${source}`, 1)
  for (const name of inOrder(packages.keys())) {
    if (isFull('debian')) return
    const { source, version } = packages.get(name) as DebianPackage
    if (owners.has(`debian:${source}`)) continue
    const itself = RegExp.escape(`./usr/share/doc/${name}/`)
    const other = candidates(name, contents?.get(name) ?? [], new RegExp(`^(?!${itself}[^/]+$)\\./`))
    if (contents && other.length === 0) continue
    const files = await debianFiles(packages.get(name) as DebianPackage, join(directory, 'deb'))
    const compressed = files?.paths.filter((one) => one.endsWith('.gz')) ?? []
    const [path] = contents ? other : candidates(name, compressed, new RegExp(`^${itself}`))
    const text = path === undefined ? undefined : await files?.textOf(path)
    if (path === undefined || text === undefined || !isTaken(text)) continue
    await keep('debian', `debian:${name}=${version}`, path.replace(/\.gz$/, ''), `debian:${source}`, text)
  }
}

const counts = (await Bun.file(countsFile).json()) as Record<string, number>
const [least, below] = DOWNLOADS[set] ?? [1000, Number.POSITIVE_INFINITY]
const isUsed = (count: number) => count >= least && count < below
const used = Object.keys(counts).filter((name) => isUsed(counts[name] ?? 0))
await Promise.all([drawDebian(), inParallel(inOrder(used), tryNpm, () => isFull('npm'))])
