import { posix } from 'node:path'
import type { Entry } from './archive.ts'

/**
 * The README and every file that its links lead to, directly or through other pages, under their paths in the checkout: what
 * is packed, so that no link of it leads nowhere. Throws if a file is missing.
 */
export async function readPages(directory: string): Promise<Entry[]> {
  const pages: Entry[] = []
  const found = new Set(['README.md'])
  for (const path of found) {
    const file = Bun.file(posix.join(directory, path))
    const data = isPage(path) ? await file.text() : await file.bytes()
    if (typeof data === 'string') for (const link of relativeLinks(path, data)) found.add(link)
    pages.push({ path, data })
  }
  return pages
}

export const isPage = (path: string): boolean => path.endsWith('.md')

/** The files that a page links to or shows, under their paths in the checkout. */
export function relativeLinks(path: string, markdown: string): Set<string> {
  const links = new Set<string>()
  const note = (address: string | null) => {
    const [file = ''] = (address ?? '').split('#')
    if (file !== '' && !ABSOLUTE.test(file)) links.add(posix.join(posix.dirname(path), file))
  }
  new HTMLRewriter()
    .on('a', { element: (link) => note(link.getAttribute('href')) })
    .on('img', { element: (image) => note(image.getAttribute('src')) })
    .on('source', { element: (image) => note(image.getAttribute('srcset')) })
    .transform(Bun.markdown.html(markdown))
  return links
}

const ABSOLUTE = /^(\w+:|\/)/
