/** A package (`core@`, `@acme/core@`, `core/`, `core-`), a `v`, two to four numbers, a pre-release, a build. */
const SEMANTIC =
  /^(?:[^\s\d][^\s]*?[@/-])??v?(?<own>(?<numbers>\d+(?:\.\d+){1,3})(?:-(?<pre>[0-9a-z-]+(?:\.[0-9a-z-]+)*))?(?:\+[0-9a-z.-]+)?)$/i

/** Behind the numbers of a release. It sorts after the identifiers of its pre-releases. */
const RELEASE = '~'

/**
 * A text by which semantic versions sort in the order of their precedence; null for any other label. Texts are compared by
 * their bytes. A package and a build have no part in it.
 */
export function precedenceOf(label: string): string | null {
  const { numbers, pre } = SEMANTIC.exec(label)?.groups ?? {}
  if (numbers === undefined) return null
  const all = `${numbers}.0.0`.split('.').slice(0, 4)
  const core = all.map(sortable).join('')
  return pre === undefined ? core + RELEASE : `${core}${pre.split('.').map(identifier).join('')}`
}

/** `core@v1.2.0` → `1.2.0`; null for a label that is no semantic version. */
export const numberOf = (label: string): string | null => SEMANTIC.exec(label)?.groups?.own ?? null

/** Sorts right before a precedence: no other is in between, as none has these characters. */
export const rightBelow = (precedence: string): string =>
  precedence.slice(0, -1) + (isPrereleaseKey(precedence) ? ' ' : '}')

/** True if the label of this precedence is a pre-release's. For versions, see `isPrerelease`. */
export const isPrereleaseKey = (precedence: string): boolean => !precedence.endsWith(RELEASE)

/** Sorts before every pre-release of the same numbers, and after all lower numbers. */
export const coreOf = (precedence: string): string => {
  let end = 0
  for (let numbers = 0; numbers < 4; numbers++) end += 3 + Number(precedence.slice(end, end + 3))
  return precedence.slice(0, end)
}

/** A number behind the number of its digits. */
function sortable(digits: string): string {
  const number = digits.replace(/^0+(?=\d)/, '')
  return String(number.length).padStart(3, '0') + number
}

/** Numbers sort before words, and an identifier before the same one with more behind it. */
const identifier = (text: string): string => `${/^\d+$/.test(text) ? `0${sortable(text)}` : `1${text}`}!`
