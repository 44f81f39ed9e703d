/** The base URL at which a server that listens there can be reached: a wildcard address is not a destination. */
export function reachableUrl({ host, port }: { host: string; port: number }): string {
  const place = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host
  return `http://${place.includes(':') ? `[${place}]` : place}:${port}`
}
