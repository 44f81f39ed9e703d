import { join } from 'node:path'

/** What the npm registry knows of a package: the numbers that were released. Null of Debian, which has other versions. */
export type Released = ReadonlySet<string> | null

/** `name` is `name@version` or `debian:package=version`. Kept in `cache`, if there is one. */
export async function releasedVersions(name: string, cache: string | undefined): Promise<Released> {
  if (name.startsWith('debian:')) return null
  const kept =
    cache === undefined ? null : Bun.file(join(cache, `${name.replaceAll('/', '+')}.releases.json`))
  if (kept && (await kept.exists())) return new Set((await kept.json()) as string[])
  const address = `https://registry.npmjs.org/${name.slice(0, name.lastIndexOf('@'))}`
  const response = await fetch(address, { signal: AbortSignal.timeout(120_000) })
  if (!response.ok) throw new Error(`${address}: the registry responds ${response.status}`)
  const { time } = (await response.json()) as { time: Record<string, string> }
  const numbers = Object.keys(time).filter((key) => /^\d/.test(key))
  await kept?.write(JSON.stringify(numbers))
  return new Set(numbers.map((number) => number.toLowerCase()))
}

/** Whether a number was released, also if a file leaves out its last zeros. */
export const isReleased = (released: Released, number: string): boolean =>
  released !== null && ['', '.0', '.0.0'].some((zeros) => released.has(number + zeros))
