import { readFileSync, writeFileSync } from 'node:fs'
import { Sandbox } from '../../../support/sandbox.ts'

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

const FILLING = `import acme/tool CHANGELOG.md --create
change update acme/tool 1.1.0 2 --title By-hand
change delete acme/tool 1.1.0 1 --yes
version update acme/tool 1.0.0 --title The-first-one
key create acme --label all
key create acme --label one --product tool
key create acme --label two --product tool --product app`

/** The database, once it is filled. */
let filled: Uint8Array | undefined

/** Content of every kind: corrected manually, drafts, and keys that name products. */
export class Deleting {
  private constructor(readonly box: Sandbox) {}

  static async start(): Promise<Deleting> {
    const at = new Deleting(await Sandbox.on('SQLite'))
    writeFileSync(at.box.at('CHANGELOG.md'), FILE)
    if (filled) writeFileSync(at.box.database, filled, { mode: 0o600 })
    else await at.fill()
    filled ??= readFileSync(at.box.database)
    return at
  }

  private async fill(): Promise<void> {
    await this.box.demo()
    for (const line of FILLING.split('\n')) await this.box.json(...line.split(' '))
    for (const table of ['kept_part', 'kept']) this.box.write(`delete from ${table}`)
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
  /^To undo: (changelogd undo .*)$/m.exec(stderr)?.[1] ?? 'not named'
