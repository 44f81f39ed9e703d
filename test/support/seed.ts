import { Database } from 'bun:sqlite'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { newId } from '../../src/domain/id.ts'
import type {
  KeyKind,
  KeyStatus,
  Plan,
  Status,
  StoredVersionStatus,
  Visibility,
} from '../../src/domain/records.ts'
import { hashToken, newToken, tokenStart } from '../../src/domain/token.ts'
import { derivedOf } from '../../src/domain/versions/derived.ts'
import { storedSource } from '../../src/domain/versions/source.ts'
import { openNow } from '../../src/store/sqlite/commands.ts'
import type { PlainDatabase } from './postgres/blocking.ts'
import { scratch } from './scratch.ts'

export type Seeder = ReturnType<typeof seederOn<PlainDatabase>>

/** A seeder of a SQLite file, which is created if need be. */
export function seeder(path: string) {
  if (!existsSync(path)) writeFileSync(path, newDatabase(), { mode: 0o600 })
  const db = new Database(path, { strict: true })
  db.run('PRAGMA busy_timeout = 5000')
  db.run('PRAGMA foreign_keys = ON')
  return seederOn(db)
}

let created: Uint8Array | undefined

/** The bytes of a database with a schema and nothing in it: a copy takes a hundredth of the time of the migrations. */
function newDatabase(): Uint8Array {
  if (created) return created
  using directory = scratch()
  const path = join(directory.path, 'new.db')
  openNow(path, 'create').close()
  created = readFileSync(path)
  return created
}

/**
 * Another process's hand on the database: writes rows with plain SQL, so that what the server says of them is
 * checked against something that shares none of its queries.
 */
export function seederOn<DB extends PlainDatabase>(db: DB) {
  const insert = (table: string, row: Record<string, string | number | boolean | null>) => {
    const columns = Object.keys(row)
    const places = columns.map(() => '?')
    db.run(`INSERT INTO ${table} (${columns.join(', ')}) VALUES (${places.join(', ')})`, Object.values(row))
  }

  return {
    db,

    team(slug: string, fields: { name?: string; visibility?: Visibility; plan?: Plan } = {}) {
      const id = newId('team')
      const { name = slug, visibility = 'public', plan = 'paid' } = fields
      insert('team', { id, slug, name, visibility, plan, created_at: Date.now() })
      return id
    },

    product(
      teamId: string,
      slug: string,
      fields: { name?: string; status?: Status; changelog?: Status; repository?: string } = {},
    ) {
      const [id, changelogId] = [newId('prod'), newId('clog')]
      const { name = slug, status = 'published', changelog = 'published', repository = null } = fields
      insert('product', { id, team_id: teamId, slug, name, status, created_at: Date.now(), repository })
      insert('changelog', { id: changelogId, product_id: id, name: `${name} changelog`, status: changelog })
      return { id, changelogId }
    },

    version(
      changelogId: string,
      label: string,
      fields: {
        title?: string
        status?: StoredVersionStatus
        publishedAt?: number
        dateKnown?: boolean
        description?: string | null
        closing?: string
        source?: string
        prerelease?: true
        yanked?: string
        changes?: { type: string; typeLabel?: string; title: string; description?: string }[]
      } = {},
    ) {
      const id = newId('ver')
      const { title = `Release ${label}`, status = 'published', dateKnown = true, changes = [] } = fields
      const { description = null, closing = null, prerelease = null, yanked = null } = fields
      const derived = derivedOf({
        ...{ label, description, closing },
        changes: changes.map((change) => ({ description: null, ...change })),
      })
      const { kinds, precedence, pictures, derivedBy } = derived
      insert('version', {
        ...{ id, changelog_id: changelogId, label, title, status, description, closing },
        ...{ published_at: fields.publishedAt ?? Date.UTC(2026, 0, 2, 3, 4, 5, 678), created_at: Date.now() },
        ...{ dated: dateKnown, date_known: dateKnown, prerelease, yanked },
        ...{ kinds, precedence, pictures, derived_by: derivedBy },
      })
      for (const [at, { type, typeLabel = null, title, description = null }] of changes.entries())
        insert('change', {
          ...{ id: newId('chg'), version_id: id, position: at + 1 },
          ...{ type, type_label: typeLabel, title, description },
        })
      const read = {
        description,
        closing,
        changes: changes.map((change) => ({ description: null, ...change })),
      }
      if (fields.source) insert('version_source', { version_id: id, ...storedSource(fields.source, read) })
      return id
    },

    /** A label that a version had while it was public. */
    formerLabel(changelogId: string, label: string, versionId: string) {
      insert('former_label', { changelog_id: changelogId, label, version_id: versionId })
    },

    key(
      teamId: string,
      fields: {
        kind?: KeyKind
        status?: KeyStatus
        products?: string[]
        expiresAt?: number
        tokenExpiresAt?: number
      } = {},
    ) {
      const [id, token, now] = [newId('key'), newToken(), Date.now()]
      const {
        kind = 'FULL',
        status = 'active',
        products = [],
        expiresAt = null,
        tokenExpiresAt = null,
      } = fields
      const ends = { created_at: now, expires_at: expiresAt }
      insert('api_key', { id, team_id: teamId, kind, status, label: 'test', ...ends })
      insert('api_key_token', {
        ...{ hash: hashToken(token), key_id: id, start: tokenStart(token) },
        ...{ created_at: now, expires_at: tokenExpiresAt },
      })
      for (const product of products)
        insert('api_key_product', { key_id: id, product_id: product, team_id: teamId })
      return { id, token }
    },
  }
}
