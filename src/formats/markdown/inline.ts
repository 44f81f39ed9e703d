/** Escapes only characters that could open markup. */
export const escapeInline = (text: string): string =>
  text.replace(/[\\`*[\]<&]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '\\$&')

/** `[1.2.0](https://…)`, with its text escaped. */
export function inlineLink(text: string, url: string, title?: string | null): string {
  // Joined, because a template keeps its parts in memory, and a file may have very many links.
  return ['[', escapeInline(text), ']', linkTarget(url, title)].join('')
}

/** `(url "title")`, which follows the text of an inline link. */
export function linkTarget(address: string, title?: string | null): string {
  // The parser takes a no-break space before the address for a part of it.
  const url = address.trim()
  const plain = /^[^\s<>()\\&]+$/.test(url)
  const destination = plain ? url : `<${url.replace(/[\\<>&]/g, '\\$&').replace(/\s/g, encodeURIComponent)}>`
  if (!title) return `(${destination})`
  return `(${destination} "${title.replace(/\s+/g, ' ').replace(/["\\&]/g, '\\$&')}")`
}

/** Code and addresses are not escaped. */
const AS_IT_IS = /(```[^`]+```|``(?:[^`]|`(?!`))+``|`[^`\s][^`]*`|\bhttps?:\/\/[^\s<>]+)/

export function escapePlain(text: string): string {
  return text
    .split(AS_IT_IS)
    .map((part, at) => (at % 2 === 1 ? part : escapeInline(part)))
    .join('')
}
