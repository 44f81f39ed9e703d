export const isPostgres = (address: string): boolean => /^postgres(ql)?:/i.test(address)

/** How messages name a database: without password and parameters, which may have one too. */
export function databaseName(address: string): string {
  if (!isPostgres(address)) return address
  const { protocol, username, host, pathname } = new URL(address)
  return `${protocol}//${username && `${username}@`}${host}${pathname}`
}

/** True for a URL with a password, or one meant as such: misspelled, quoted, without its scheme. */
export function hasPassword(text: string): boolean {
  if (MEANT_PASSWORD.test(text)) return true
  const url = URL.parse(text)
  if (!url) return /:\/\/.*:.*@/.test(text)
  return url.password !== '' || [...url.searchParams.keys()].some((name) => /pass(word)?$/i.test(name))
}

/** `…//user:password@`, `user:password@` and `password=`, but not a file name after `file:`. */
const MEANT_PASSWORD = /\/\/[^/?#@]*:[^/?#@]*@|^(?!file:)[^/]+:[^/].*@|\bpassword\s*=/i
