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
  return {
    db,

    team(slug: string, fields: { name?: string; visibility?: Visibility; plan?: Plan } = {}) {
      const id = newId('team')
      db.run('INSERT INTO team (id, slug, name, visibility, plan, created_at) VALUES (?, ?, ?, ?, ?, ?)', [
        id,
        slug,
        fields.name ?? slug,
        fields.visibility ?? 'public',
        fields.plan ?? 'paid',
        Date.now(),
      ])
      return id
    },

    product(
      teamId: string,
      slug: string,
      fields: { name?: string; status?: Status; changelog?: Status; repository?: string } = {},
    ) {
      const id = newId('prod')
      const changelogId = newId('clog')
      const name = fields.name ?? slug
      db.run(
        'INSERT INTO product (id, team_id, slug, name, status, created_at, repository) VALUES (?, ?, ?, ?, ?, ?, ?)',
        [id, teamId, slug, name, fields.status ?? 'published', Date.now(), fields.repository ?? null],
      )
      db.run('INSERT INTO changelog (id, product_id, name, status) VALUES (?, ?, ?, ?)', [
        changelogId,
        id,
        `${name} changelog`,
        fields.changelog ?? 'published',
      ])
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
        changes?: { type: string; typeLabel?: string; title: string; description?: string }[]
      } = {},
    ) {
      const id = newId('ver')
      const drafts = (fields.changes ?? []).map((change) => ({ description: null, ...change }))
      const { kinds, precedence } = derivedOf(label, drafts)
      db.run(
        'INSERT INTO version (id, changelog_id, label, title, status, published_at, dated, description, created_at, closing, kinds, precedence, date_known) VALUES (?, ?, ?, ?, ?, ?, TRUE, ?, ?, ?, ?, ?, ?)',
        [
          id,
          changelogId,
          label,
          fields.title ?? `Release ${label}`,
          fields.status ?? 'published',
          fields.publishedAt ?? Date.UTC(2026, 0, 2, 3, 4, 5, 678),
          fields.description ?? null,
          Date.now(),
          fields.closing ?? null,
          kinds,
          precedence,
          fields.dateKnown ?? true,
        ],
      )
      for (const [position, change] of (fields.changes ?? []).entries())
        db.run(
          'INSERT INTO change (id, version_id, position, type, type_label, title, description) VALUES (?, ?, ?, ?, ?, ?, ?)',
          [
            newId('chg'),
            id,
            position + 1,
            change.type,
            change.typeLabel ?? null,
            change.title,
            change.description ?? null,
          ],
        )
      return id
    },

    /** A label that a version had while it was public. */
    formerLabel(changelogId: string, label: string, versionId: string) {
      db.run('INSERT INTO former_label (changelog_id, label, version_id) VALUES (?, ?, ?)', [
        changelogId,
        label,
        versionId,
      ])
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
      const id = newId('key')
      const token = newToken()
      db.run(
        'INSERT INTO api_key (id, team_id, kind, status, label, created_at, expires_at) VALUES (?, ?, ?, ?, ?, ?, ?)',
        [
          id,
          teamId,
          fields.kind ?? 'FULL',
          fields.status ?? 'active',
          'test',
          Date.now(),
          fields.expiresAt ?? null,
        ],
      )
      db.run(
        'INSERT INTO api_key_token (hash, key_id, start, created_at, expires_at) VALUES (?, ?, ?, ?, ?)',
        [hashToken(token), id, tokenStart(token), Date.now(), fields.tokenExpiresAt ?? null],
      )
      for (const productId of fields.products ?? [])
        db.run('INSERT INTO api_key_product (key_id, product_id, team_id) VALUES (?, ?, ?)', [
          id,
          productId,
          teamId,
        ])
      return { id, token }
    },
  }
}
