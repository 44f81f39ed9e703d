import { commit, isBinary, platform } from '../../build-info.ts'

/** What `--version` prints. The first line is the version alone, so that a script can read it. */
export async function versionText(version: string): Promise<string> {
  const { SCHEMA_VERSION: sqlite } = await import('../../store/sqlite/migrations.ts')
  const { SCHEMA_VERSION: postgres } = await import('../../store/postgres/migrations.ts')
  const origin =
    commit ?? (isBinary ? 'unknown, not built from a clean checkout' : 'unknown, runs from source')
  return [
    version,
    `commit: ${origin}`,
    `schema: ${sqlite} (SQLite), ${postgres} (PostgreSQL)`,
    `platform: ${platform}`,
  ].join('\n')
}
