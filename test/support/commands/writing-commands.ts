import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { png } from '../pictures.ts'

export interface WritingCommand {
  line: string
  /** Set if it keeps what it deletes. */
  deletes?: true
  /** Set if it does nothing else, so that `undo` undoes it all. */
  isWhole?: true
  /** Set if it shows a token, once. */
  tokens?: true
}

/** Every command that writes, on a database that `prepareCommands` has filled. */
export const WRITING: readonly WritingCommand[] = [
  { line: 'team create new --name New' },
  { line: 'team update acme --name Renamed' },
  { line: 'team delete acme --yes', deletes: true, isWhole: true },
  { line: 'product create acme/new --name New' },
  { line: 'product update acme/app --name Renamed' },
  { line: 'product delete acme/app --yes', deletes: true, isWhole: true },
  { line: 'changelog update acme/app --name Renamed' },
  { line: 'version create acme/app 9.0.0' },
  { line: 'version update acme/app 0.1.0 --title Renamed' },
  { line: 'version publish acme/app 0.2.0' },
  { line: 'version schedule acme/app 0.2.0 --at 2099-12-01T09:00Z' },
  { line: 'version unschedule acme/app 0.3.0' },
  { line: 'version draft acme/app 0.1.0' },
  { line: 'version delete acme/app 0.1.0 --yes', deletes: true, isWhole: true },
  { line: 'change add acme/app 0.1.0 Another --type added' },
  { line: 'change update acme/app 0.1.0 1 --title Renamed' },
  { line: 'change move acme/app 0.1.0 1 --position 2' },
  { line: 'change delete acme/app 0.1.0 1 --yes', deletes: true, isWhole: true },
  { line: 'edit acme/app 0.2.0' },
  { line: 'key create acme --label new', tokens: true },
  { line: 'key disable acme/one' },
  { line: 'key enable acme/off' },
  { line: 'key attach acme/one app' },
  { line: 'key detach acme/one changelogd' },
  { line: 'key rotate acme/one', tokens: true },
  { line: 'key delete acme/one --yes' },
  { line: 'apply new.yml', tokens: true },
  { line: 'apply new.yml --prune --yes', deletes: true, tokens: true },
  { line: 'import acme/app CHANGELOG.md' },
  { line: 'import acme/app CHANGELOG.md --prune-drafts --yes', deletes: true },
  { line: 'import --all everything.jsonl' },
  { line: 'undo --last' },
  { line: 'release acme/app 9.0.0' },
  { line: 'publish acme/beta' },
  { line: 'picture add acme/app shot.png' },
]

/** Fills an empty database, and writes the files that the commands read to a directory. */
export async function prepareCommands(
  directory: string,
  run: (...args: string[]) => Promise<unknown>,
): Promise<void> {
  const file = (name: string, text: string | Uint8Array) => writeFileSync(join(directory, name), text)
  file('CHANGELOG.md', '## [1.0.0] - 2026-01-02\n\n### Added\n\n- Everything\n')
  file('new.yml', 'teams:\n  new:\n    name: New\n    plan: paid\n    keys:\n      ci: {}\n')
  file('editor.sh', '#!/bin/sh\nprintf "\\n### Added\\n\\n- By hand\\n" >> "$1"\n')
  chmodSync(join(directory, 'editor.sh'), 0o755)
  file('shot.png', png(1_280, 720))
  await run('demo')
  await run('team', 'create', 'other', '--name', 'Other')
  await run('export', '--all', '--output', 'everything.jsonl')
  await run('team', 'delete', 'other', '--yes')
  await run('change', 'add', 'acme/app', '0.1.0', 'Second', '--type', 'added')
  await run('version', 'create', 'acme/app', 'Unreleased')
  await run('change', 'add', 'acme/app', 'Unreleased', 'Next', '--type', 'added')
  await run('version', 'create', 'acme/app', '0.3.0')
  await run('version', 'schedule', 'acme/app', '0.3.0', '--at', '2099-12-01T09:00Z')
  await run('key', 'create', 'acme', '--label', 'one', '--product', 'changelogd', '--product', 'beta')
  await run('key', 'create', 'acme', '--label', 'off')
  await run('key', 'disable', 'acme/off')
}
