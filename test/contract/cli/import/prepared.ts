import { withProduct } from '../../../support/sandbox.ts'
import type { Engine } from '../../../support/servers/server.ts'

export const FILE = `# Changelog

What we did.

## [Unreleased]

### Added

- Something to come

## [1.1.0] - 2026-02-03 - The second one

Words about it.

### Added

- A thing
- Another thing

  With more to say.

### Fixed

- A bug

## [1.0.0] - 2026-01-02

- Everything
`

export interface Summary {
  added: number
  unchanged: number
  warnings: { line: number; message: string }[]
}
interface Shown {
  version: string
  title: string
  publishedAt: string
  description: string | null
  changes: { type: string; title: string }[]
}

/** A sandbox with a public product, and a way to import a text into it. */
export async function prepared(engine: Engine = 'SQLite') {
  const box = await withProduct(engine)
  const path = box.at('CHANGELOG.md')
  const bring = async (text: string, ...options: string[]) => {
    await Bun.write(path, text)
    return box.json<Summary>('import', 'acme/app', path, ...options)
  }
  const list = () => box.json<unknown[]>('version', 'list', 'acme/app')
  const show = (label: string) => box.json<Shown>('version', 'show', 'acme/app', label)
  return { box, path, bring, list, show, [Symbol.asyncDispose]: () => box.close() }
}
