/** Where a database is: the path of a file, or the URL of a PostgreSQL server. */

export const isPostgres = (address: string): boolean => /^postgres(ql)?:/i.test(address)

/** What messages call a database: without its password, and without the parameters, which may have one too. */
export function databaseName(address: string): string {
  if (!isPostgres(address)) return address
  const { protocol, username, host, pathname } = new URL(address)
  return `${protocol}//${username && `${username}@`}${host}${pathname}`
}

/** Whether a text is a URL with a password in it, or was meant to be one: misspelled, within quotes, without its scheme. */
export function hasPassword(text: string): boolean {
  if (MEANT_PASSWORD.test(text)) return true
  const url = URL.parse(text)
  if (!url) return /:\/\/.*:.*@/.test(text)
  return url.password !== '' || [...url.searchParams.keys()].some((name) => /pass(word)?$/i.test(name))
}

/** `…//user:password@`, `user:password@` and the `password=` of other programs; a file's name after `file:` may be the like. */
const MEANT_PASSWORD = /\/\/[^/?#@]*:[^/?#@]*@|^(?!file:)[^/]+:[^/].*@|\bpassword\s*=/i
