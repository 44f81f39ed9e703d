import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Sandbox } from '../../../support/sandbox.ts'
import type { Engine } from '../../../support/servers/server.ts'

const FILE = `# Changelog

Everything that happened.

## [Unreleased]

### Added

- Not yet

## [1.1.0] - 2026-02-03 - The second one

### Added

- A thing
- Another thing
- A third thing

### Fixed

- A fault

## [1.0.0] - 2026-01-02

### Added

- Everything
`

/** Content of every kind: corrected by hand, drafts, and keys that name products. */
export class Deleting {
  private constructor(readonly box: Sandbox) {}

  static async on(engine: Engine): Promise<Deleting> {
    const at = new Deleting(await Sandbox.on(engine))
    const { box } = at
    await box.json('demo')
    writeFileSync(box.at('CHANGELOG.md'), FILE)
    await box.json('import', 'acme/tool', 'CHANGELOG.md', '--create')
    await box.json('change', 'update', 'acme/tool', '1.1.0', '2', '--title', 'By hand')
    await box.json('change', 'delete', 'acme/tool', '1.1.0', '1', '--yes')
    await box.json('version', 'update', 'acme/tool', '1.0.0', '--title', 'The first one')
    await box.json('key', 'create', 'acme', '--label', 'all')
    await box.json('key', 'create', 'acme', '--label', 'one', '--product', 'tool')
    await box.json('key', 'create', 'acme', '--label', 'two', '--product', 'tool', '--product', 'app')
    for (const file of at.kept()) await Bun.file(join(at.trash, file)).delete()
    return at
  }

  get trash(): string {
    return this.box.at(this.box.database.startsWith('postgres') ? 'data/trash' : 'trash')
  }

  /** The files in the trash. */
  kept(): string[] {
    try {
      return readdirSync(this.trash).sort()
    } catch {
      return []
    }
  }

  async everything(): Promise<string> {
    return (await this.box.run(['export', '--all'])).stdout
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.box.close()
  }
}

/** The command that a message names. */
export const undoIn = (stderr: string): string =>
  /^To bring it back: (changelogd undo .*)$/m.exec(stderr)?.[1] ?? 'not named'
