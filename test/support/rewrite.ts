import { readFileSync, writeFileSync } from 'node:fs'

/** Replaces a part of a file, whatever else in it has been replaced meanwhile. */
export function rewrite(path: string, from: string, to: string): void {
  writeFileSync(
    path,
    readFileSync(path, 'utf8').replace(from, () => to),
  )
}
