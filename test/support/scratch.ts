import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { removedAtEnd } from './leftovers.ts'

/** A new directory, removed when it is disposed of. */
export function scratch(): Disposable & { readonly path: string } {
  const path = mkdtempSync(join(tmpdir(), 'changelogd-test-'))
  return { path, [Symbol.dispose]: removedAtEnd(() => rmSync(path, { recursive: true, force: true })) }
}
