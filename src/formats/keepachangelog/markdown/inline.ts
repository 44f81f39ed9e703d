/** Inline markdown written from plain text. */

/** Escapes what markdown would take for markup. Characters that cannot open anything stay as they are. */
export function escapeInline(text: string): string {
  return text.replace(/[\\`*[\]<&]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '\\$&')
}

/** `[1.2.0](https://…)`, with its text escaped. */
export function inlineLink(text: string, url: string, title?: string | null): string {
  // joined, because a template keeps its parts in memory, and a file may have a link for each of very many versions
  return ['[', escapeInline(text), ']', linkTarget({ url, title })].join('')
}

/** `(url "title")`: what follows the bracketed text of an inline link. */
export function linkTarget(target: { url: string; title?: string | null | undefined }): string {
  const { title } = target
  // the parser takes a no-break space pasted in front for a part of the address
  const url = target.url.trim()
  const plain = /^[^\s<>()\\&]+$/.test(url)
  const destination = plain ? url : `<${url.replace(/[\\<>&]/g, '\\$&').replace(/\s/g, encodeURIComponent)}>`
  if (title === undefined || title === null || title === '') return `(${destination})`
  return `(${destination} "${title.replace(/\s+/g, ' ').replace(/["\\&]/g, '\\$&')}")`
}
