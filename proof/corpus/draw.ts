/**
 * Draws packages whose changelogs nobody has looked at. The rule was written before the first file was opened:
 *
 * 1. npm: all names with at least 1,000 downloads a month in download-counts@2.20260301.0. Debian: all binary packages of
 *    bookworm/main with at most 5 MB.
 * 2. They are taken in the order of the SHA-256 of their name. Draw A has those whose hash begins with an even digit,
 *    draw B the others. What is in the older lists is left out, and so is what comes after two of the same npm scope, or
 *    of the same Debian source.
 * 3. npm, newest version: the file is the first with a usual name (download.ts). It counts if it has 300 bytes to 1 MB and
 *    three different numbers such as 1.2 or 1.2.3, or three dates. Debian: usr/share/doc/PACKAGE/{NEWS,changelog}.gz, the
 *    first that is there, with the same test; `changelog.Debian` is never taken.
 * 4. Spread. npm, 200 a draw: 100 last packed until 2017, 60 later (the time of package.json in the archive; npm writes 1985
 *    since 2018), and 40 in other languages than English. For these the names begin at 50 downloads
 *    and the description decides what is opened: a letter in ten, or in the file one in fifty, is not ASCII. Debian, 40 a
 *    draw: at most four of one section, which are mostly programming languages.
 * 5. Draw C came later: the same in the order of the SHA-256 of `C ` and the name, without what A and B have, and 40 % of
 *    the size: 40, 24 and 16 of npm and 16 of Debian.
 * 6. Draw D is drawn like C, in the order of the SHA-256 of `D ` and the name, without what A, B and C have.
 * 7. Draw E as well, of those of which the SHA-256 of `practice ` and the name begins with 8 to f, of Debian for every
 *    package of the source: before it, rules were made with files of the other half.
 * 8. Draws F to J and M are drawn like E, each in the order of the SHA-256 of its letter, a blank and the name, without what those before have.
 * 9. Draw Q as well, and without the packages of the texts K, L and N. Files that have the same bytes as one that was drawn
 *    before are left out of Q and P, compared by their SHA-256: two of Q, and one of P, for which the next one came.
 * 10. Draw T as well, without the packages of all texts from K to P, and smaller: 17, 10 and 7 of npm and 6 of Debian. A file
 *    of which DIRECTORY/earlier.txt has the SHA-256 is passed over: it has those of all files that were drawn before, a line each.
 * 11. Draw U is drawn like T, without the packages of all texts from K to X, and of the size of C.
 * 12. Draw Z is drawn like U, without the packages of all texts from K to Y. Names in other languages ended in U: the first
 *    550,000 had none. In their place come more of npm: 50 until 2017 and 30 later.
 * 13. Draw V is drawn like Z, without the packages of all texts from K to W.
 * 14. Draw O has 80 of npm, 40 packed until 2017 and 40 later, and 40 of Debian, in the order of the SHA-256 of `O ` and the name,
 *    without the packages of all draws and texts before. Debian: packages up to 2 MB, of {NEWS,CHANGES,HISTORY,changelog} with any
 *    ending the first that is there. 28 as they come, then as they come, of 3,000 packages: 4 of AsciiDoc, 4 of Org and
 *    4 of wiki markup, told by their headings. Of AsciiDoc 3 were found, and one more of the others is in its place.
 *
 * 15. Draw R has 60 of npm, 30 packed until 2017 and 30 later, and 24 of Debian, in the order of the SHA-256 of `R ` and the name, without
 *    the packages of all draws and texts before. Debian as in O: 21 as they come, then of 2,500 packages 3 of AsciiDoc; none had Org or wiki markup.
 *
 *   bun proof/corpus/draw.ts COUNTS.json DIRECTORY      writes DIRECTORY/{A,B}/* and DIRECTORY/draws.json
 *   bun proof/corpus/draw.ts COUNTS.json DIRECTORY C    writes DIRECTORY/C/* and DIRECTORY/draws.json, and so for the later ones
 */
import { join } from 'node:path'
import { CHANGELOGS } from './download.ts'
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
import { DRAWS, type Draw, drawnEntries, TEXTS } from './drawn.ts'
import { PACKAGES } from './packages.ts'

const [countsFile = '', directory = '', later = ''] = process.argv.slice(2)
const DRAWN: readonly Draw[] = later === '' ? ['A', 'B'] : [later as Draw]
const SIZES = {
  first: { until2017: 100, later: 60, otherLanguage: 40, debian: 40 },
  later: { until2017: 40, later: 24, otherLanguage: 16, debian: 16 },
  T: { until2017: 17, later: 10, otherLanguage: 7, debian: 6 },
  Z: { until2017: 50, later: 30, otherLanguage: 0, debian: 16 },
}
const sizeOf = (draw: string): keyof typeof SIZES =>
  draw === '' ? 'first' : draw === 'T' ? 'T' : draw === 'Z' || draw === 'V' ? 'Z' : 'later'
const SIZE = SIZES[sizeOf(later)]
type Group = keyof typeof SIZE

interface Drawn {
  draw: Draw
  group: string
  /** `name@version`, or `debian:package=version`. */
  name: string
  /** The path of the file in the package. */
  path: string
}

const salt = later === '' ? '' : `${later} `
const hash = (name: string): string => sha256(salt + name)
const isPractice = (name: string): boolean => later >= 'E' && isForPractice(name)
const halfOf = (name: string): Draw => (Number.parseInt(hash(name).charAt(0), 16) % 2 === 0 ? 'A' : 'B')
const drawOf = (name: string): Draw => (later === '' ? halfOf(name) : (later as Draw))
const before = [
  ...(later === '' ? [] : DRAWS.slice(0, DRAWS.indexOf(later as Draw))),
  ...(later === 'Q' ? TEXTS.slice(0, TEXTS.indexOf('P')) : []),
  ...(later === 'T' ? TEXTS.slice(0, TEXTS.indexOf('S')) : []),
  ...(later === 'U' ? TEXTS.slice(0, TEXTS.indexOf('Y')) : []),
  ...(later === 'Z' ? TEXTS.slice(0, TEXTS.indexOf('W')) : []),
  ...(later === 'V' ? TEXTS : []),
]
const older = (await drawnEntries(before)).map(({ name }) => name)
const known = new Set([...PACKAGES, ...older].map(packageOf))
const earlier = await earlierFiles(directory)
const drawn: Drawn[] = []
const perOwner = new Map<string, number>()

const LETTERS = /\p{L}/gu
const isOther = (text: string, share: number): boolean => {
  const letters = text.match(LETTERS) ?? []
  return letters.length > 0 && letters.filter((one) => one > '\x7f').length >= letters.length * share
}

function isChangelog(text: string): boolean {
  const size = Buffer.byteLength(text)
  return size >= 300 && size <= 1_000_000 && hasNumbers(text) && !earlier.has(sha256(text))
}

const room = (draw: Draw, group: string, size: number): boolean =>
  drawn.filter((one) => one.draw === draw && one.group === group).length < size

async function keep(one: Drawn, text: string, owner: string): Promise<void> {
  drawn.push(one)
  perOwner.set(owner, (perOwner.get(owner) ?? 0) + 1)
  await Bun.write(
    join(directory, one.draw, one.name.replaceAll('/', '+'), one.path.replace(/^.*\//, '')),
    text,
  )
  await Bun.write(join(directory, 'draws.json'), JSON.stringify(drawn, null, 1))
}

async function tryNpm(name: string, isForLanguage: boolean): Promise<void> {
  const draw = drawOf(name)
  const groups = (isForLanguage ? ['otherLanguage'] : ['until2017', 'later']) as Group[]
  if (known.has(name) || isPractice(name) || (perOwner.get(ownerOf(name)) ?? 0) >= 2) return
  if (!groups.some((group) => room(draw, group, SIZE[group]))) return
  const found = await npmPackage(name, (description) => !isForLanguage || isOther(description, 0.1))
  if (found === null) return
  const { version, files } = found
  const path = CHANGELOGS.flatMap((form) => [...files.keys()].find((one) => form.test(one)) ?? [])[0]
  const file = path === undefined ? undefined : files.get(path)
  if (path === undefined || file === undefined) return
  const text = await file.text()
  if (!isChangelog(text)) return
  const manifest = [...files].find(([one]) => /^[^/]+\/package\.json$/.test(one))?.[1]
  const year = new Date(manifest?.lastModified ?? 0).getUTCFullYear()
  const decade: Group = year >= 2000 && year <= 2017 ? 'until2017' : 'later'
  const group = isForLanguage ? 'otherLanguage' : decade
  if (isForLanguage && !isOther(text, 0.02)) return
  if (!room(draw, group, SIZE[group]) || (perOwner.get(ownerOf(name)) ?? 0) >= 2) return
  await keep({ draw, group, name: `${name}@${version}`, path }, text, ownerOf(name))
}

async function inOrder(
  names: string[],
  work: (name: string) => Promise<void>,
  isFull: () => boolean,
): Promise<void> {
  const queue = names.map((name) => [hash(name), name] as const).sort(([a], [b]) => (a < b ? -1 : 1))
  // B's hashes begin with other digits, so both draws are taken side by side.
  const [a, b] = DRAWN.map((draw) => queue.filter(([, name]) => drawOf(name) === draw))
  const mixed = Array.from({ length: Math.max(a?.length ?? 0, b?.length ?? 0) }, (_, at) => [
    a?.[at],
    b?.[at],
  ]).flat()
  const told = (count: number): void => {
    const sizes = [...Map.groupBy(drawn, (one) => `${one.draw} ${one.group}`)].map(([key, all]) => [
      ...[key, all.length],
    ])
    console.error(count, JSON.stringify(Object.fromEntries(sizes)))
  }
  await inParallel(
    mixed.flatMap((one) => one?.[1] ?? []),
    work,
    isFull,
    told,
  )
}

const isFull = (groups: Group[]) => () =>
  DRAWN.every((draw) => groups.every((group) => !room(draw, group, SIZE[group])))

async function drawDebian(): Promise<void> {
  const packages = await debianPackages()
  const temporary = join(directory, 'deb')
  const sections = new Map<string, number>()
  for (const [name, { source }] of packages)
    if (known.has(`debian:${name}`) || isPractice(name)) perOwner.set(`debian:${source}`, 1)
  const queue = [...packages.keys()].sort((x, y) => (hash(x) < hash(y) ? -1 : 1))
  for (const draw of DRAWN)
    for (const name of queue) {
      if (!room(draw, 'debian', SIZE.debian)) break
      const { section, source, version } = packages.get(name) as DebianPackage
      if (drawOf(name) !== draw || (perOwner.get(`debian:${source}`) ?? 0) >= 1) continue
      if (
        (sections.get(draw + section) ?? 0) >= 4 ||
        /^(debug|metapackages|localization|fonts|doc)/.test(section)
      )
        continue
      const files = await debianFiles(packages.get(name) as DebianPackage, temporary)
      const path = ['NEWS.gz', 'changelog.gz']
        .map((one) => `./usr/share/doc/${name}/${one}`)
        .find((one) => files?.paths.includes(one))
      const text = path === undefined ? undefined : await files?.textOf(path)
      if (path === undefined || text === undefined) continue
      if (!isChangelog(text)) continue
      sections.set(draw + section, (sections.get(draw + section) ?? 0) + 1)
      await keep(
        { draw, group: 'debian', name: `debian:${name}=${version}`, path: path.replace(/\.gz$/, '') },
        text,
        `debian:${source}`,
      )
    }
}

const counts = (await Bun.file(countsFile).json()) as Record<string, number>
const names = Object.keys(counts)
await Promise.all([
  drawDebian(),
  inOrder(
    names.filter((name) => (counts[name] ?? 0) >= 1000),
    (name) => tryNpm(name, false),
    isFull(['until2017', 'later']),
  ),
  inOrder(
    names.filter((name) => (counts[name] ?? 0) >= 50),
    (name) => tryNpm(name, true),
    isFull(['otherLanguage']),
  ),
])
