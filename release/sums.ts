import { readdirSync } from 'node:fs'
import { join } from 'node:path'

/** The text of SHA256SUMS for every file in `directory`, by name, as `sha256sum --check` reads it. A release has no directories. */
export async function sha256Sums(directory: string): Promise<string> {
  let text = ''
  for (const name of readdirSync(directory).toSorted())
    text += `${await sha256(join(directory, name))}  ${name}\n`
  return text
}

export async function sha256(path: string): Promise<string> {
  const hash = new Bun.CryptoHasher('sha256')
  for await (const part of Bun.file(path).stream()) hash.update(part)
  return hash.digest('hex')
}
