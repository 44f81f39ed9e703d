import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Every migration of a folder of `drizzle/`, in order. Called as a macro: the one executable has their texts. */
export function migrationFiles(folder: 'sqlite' | 'postgres' | 'bookkeeping'): string[] {
  const directory = join(import.meta.dir, '../../drizzle', folder)
  const files = readdirSync(directory).filter((name) => name.endsWith('.sql'))
  return files.sort().map((name) => readFileSync(join(directory, name), 'utf8'))
}
