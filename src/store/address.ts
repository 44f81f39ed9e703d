/** Where a database is: the path of a file, or the URL of a PostgreSQL server. */

export const isPostgres = (address: string): boolean => /^postgres(ql)?:/i.test(address)

/** What messages call a database: without its password, and without the parameters, which may have one too. */
export function databaseName(address: string): string {
  if (!isPostgres(address)) return address
  const { protocol, username, host, pathname } = new URL(address)
  return `${protocol}//${username && `${username}@`}${host}${pathname}`
}

/** Whether a text is a URL with a password in it. */
export function hasPassword(text: string): boolean {
  if (!URL.canParse(text)) return /:\/\/.*:.*@/.test(text)
  const { password, searchParams } = new URL(text)
  return password !== '' || [...searchParams.keys()].some((name) => /pass(word)?$/i.test(name))
}
