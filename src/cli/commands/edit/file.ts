import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileError } from '../../../files/errors.ts'
import { decodeText, readChunks } from '../../files.ts'

/** The file in the editor. It stays until it is removed, so that nothing is lost. */
export interface EditedFile {
  readonly path: string
  read(): Promise<string>
  write(text: string): void
  remove(): void
}

/** Readable by this user only, in a directory of its own: editors put other files beside it. */
export function createEditedFile(label: string, text: string): EditedFile {
  const name = label.replace(/[^\w.+-]/g, '-').replace(/^[.-]+/, '')
  const place = orRefuse(tmpdir(), () => mkdtempSync(join(tmpdir(), 'changelogd-')))
  const path = join(place, `${name.slice(0, 64) || 'version'}.md`)
  const write = (content: string) => orRefuse(path, () => writeFileSync(path, content, { mode: 0o600 }))
  write(text)
  return {
    path,
    // Deleting the file empties it.
    read: async () => (existsSync(path) ? decodeText(path, readChunks(path)) : ''),
    write,
    remove: () => rmSync(place, { recursive: true, force: true }),
  }
}

function orRefuse<T>(path: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw fileError(error, path, `Cannot write a temporary file in ${tmpdir()}`)
  }
}
