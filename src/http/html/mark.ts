const TAGS = /(<(?:[^<>"]|"[^"]*")*>)/

/** The most marks in one text: they make it longer. */
const MOST = 500

/** Marks words in rendered markdown; words that begin with one are marked to their end. */
export type Mark = (html: string) => string

export function createMark(words: readonly string[]): Mark {
  if (words.length === 0) return (html) => html
  const any = words
    .toSorted((one, other) => other.length - one.length)
    .map((word) => RegExp.escape(Bun.escapeHTML(word)))
    .join('|')
  // An entity is one character: no word is found within its name.
  const found = new RegExp(`((?<![\\p{L}\\p{N}])(?:${any})[\\p{L}\\p{N}]*|${any})|&#?\\w+;`, 'giu')
  return (html) => {
    let marks = 0
    const inText = (text: string) =>
      text.replace(found, (all, word?: string) => (word && ++marks <= MOST ? `<mark>${word}</mark>` : all))
    return html
      .split(TAGS)
      .map((part, at) => (at % 2 === 0 ? inText(part) : part))
      .join('')
  }
}
