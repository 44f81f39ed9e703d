import { Database } from 'bun:sqlite'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Every schema that a SQLite database of this program has ever had, with data in it. */

const FOLDER = join(import.meta.dir, '../../../drizzle/sqlite')
const MIGRATIONS = readdirSync(FOLDER)
  .filter((name) => name.endsWith('.sql'))
  .sort()
  .map((name) => readFileSync(join(FOLDER, name), 'utf8'))
const [START = '', KEEP_CHANGE_COUNT = ''] = MIGRATIONS

/** The table of versions as the first two builds of 0.1.0 had it; their indexes differed. */
const startWith = (index: string): string =>
  START.slice(0, START.indexOf('CREATE TABLE `version`')) +
  `CREATE TABLE \`version\` (
	\`id\` text PRIMARY KEY NOT NULL,
	\`changelog_id\` text NOT NULL,
	\`label\` text NOT NULL,
	\`title\` text NOT NULL,
	\`status\` text NOT NULL,
	\`published_at\` integer NOT NULL,
	\`dated\` integer NOT NULL,
	\`description\` text,
	\`created_at\` integer NOT NULL,
	FOREIGN KEY (\`changelog_id\`) REFERENCES \`changelog\`(\`id\`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "version_status" CHECK(status in ('draft', 'published')),
	CONSTRAINT "version_dated" CHECK(dated in (0, 1))
) STRICT;
--> statement-breakpoint
CREATE ${index} \`version_order\` ON \`version\` (\`changelog_id\`,\`published_at\`,\`id\`);--> statement-breakpoint
CREATE UNIQUE INDEX \`version_label\` ON \`version\` (\`changelog_id\`,\`label\`);`

/** Schema 2 of a build in which commands counted the changes, not triggers. */
const withoutTriggers = `${KEEP_CHANGE_COUNT.slice(
  0,
  KEEP_CHANGE_COUNT.indexOf('--> statement-breakpoint\n-- Whoever'),
)
  .replace(' DEFAULT 0', '')
  .trimEnd()}\n`

export interface OldSchema {
  readonly name: string
  readonly schema: number
  readonly statements: readonly string[]
}

export const OLD_SCHEMAS: readonly OldSchema[] = [
  { name: '1, as first built', schema: 1, statements: [startWith('INDEX')] },
  { name: '1, with a unique order', schema: 1, statements: [startWith('UNIQUE INDEX')] },
  { name: '2, without triggers', schema: 2, statements: [START, withoutTriggers] },
  ...MIGRATIONS.slice(0, -1).map((_, at) => ({
    name: String(at + 1),
    schema: at + 1,
    statements: MIGRATIONS.slice(0, at + 1),
  })),
]

/** Creates a database of that schema at `path`, with something in every column. */
export function createOld({ schema, statements }: OldSchema, path: string): void {
  using db = new Database(path)
  for (const sql of statements) db.run(sql)
  db.run('PRAGMA journal_mode = WAL')
  db.run('PRAGMA application_id = 0x636c6764')
  db.run(`PRAGMA user_version = ${schema}`)
  db.run(`
    INSERT INTO team (id, slug, name, visibility, plan, created_at) VALUES ('team_1', 'acme', 'Acme', 'public', 'paid', 11), ('team_2', 'b', 'B', 'private', 'free', 12);
    INSERT INTO product (id, team_id, slug, name, status, created_at) VALUES ('prod_1', 'team_1', 'app', 'App', 'published', 13), ('prod_2', 'team_1', 'lib', 'Lib', 'locked', 14);
    INSERT INTO changelog (id, product_id, name, status, preamble) VALUES ('clog_1', 'prod_1', 'App log', 'published', 'Before it.'), ('clog_2', 'prod_2', 'Lib log', 'draft', NULL);
    INSERT INTO api_key VALUES ('key_1', 'team_1', 'SELECT', 'active', 'ci', 31, 32);
    INSERT INTO api_key_token VALUES ('hash', 'key_1', 'clk_abcd', 33, NULL);
    INSERT INTO api_key_product VALUES ('key_1', 'prod_1', 'team_1');`)
  const isCounted = schema >= 2
  const columns = 'id, changelog_id, label, title, status, published_at, dated, created_at, description'
  const count = isCounted ? { name: ', change_count', value: ', 0' } : { name: '', value: '' }
  db.run(`INSERT INTO version (${columns}${count.name}) VALUES
    ('ver_1', 'clog_1', '1.0', 'One', 'published', 101, 1, 21, NULL${count.value}),
    ('ver_2', 'clog_1', '2.0', 'Two', 'draft', 102, 0, 22, '${'long '.repeat(4_000)}'${count.value}),
    ('ver_3', 'clog_2', '1.0', 'Three', 'published', 100, 1, 23, 'short'${count.value})`)
  db.run(`INSERT INTO change (id, version_id, position, type, title, description) VALUES
    ('chg_1', 'ver_2', 1, 'fixed', 'a', NULL), ('chg_2', 'ver_2', 2, 'added', 'b', 'more'), ('chg_3', 'ver_3', 1, 'added', 'c', NULL)`)
  if (isCounted)
    db.run('UPDATE version SET change_count = (SELECT count(*) FROM change WHERE version_id = version.id)')
  if (schema >= 3) db.run("UPDATE change SET type_label = 'Bug fixes' WHERE id = 'chg_1'")
  if (schema >= 4) {
    db.run(`UPDATE change SET imported = '{"title":"x"}' WHERE id = 'chg_2'`)
    db.run(`UPDATE version SET imported = '{"title":"y"}' WHERE id = 'ver_3'`)
  }
  if (schema >= 9)
    db.run(`INSERT INTO source (id, product_id, url, kind, host_kind, file, ref, tag_dates, tag_prefix, every, prune, paused, token_file, created_at) VALUES
      ('src_1', 'prod_1', 'https://example.org/acme/app', 'auto', NULL, NULL, NULL, 0, 'app@', 900000, 1, 0, '/run/token', 41)`)
  if (schema >= 10) db.run(OLD_HOOKS)
}

/** Hooks of a schema that had no names: of two teams, with the same host or chat, and one whose host looks like a name. */
export const OLD_HOOKS = `INSERT INTO hook (id, team_id, product_id, kind, url, status, created_at) VALUES
  ('hk_1', 'team_1', NULL, 'webhook', 'https://example.org:8443/a', 'active', 51),
  ('hk_2', 'team_1', 'prod_1', 'webhook', 'https://example.org:8443/b', 'disabled', 52),
  ('hk_3', 'team_1', NULL, 'slack', NULL, 'active', 53),
  ('hk_4', 'team_1', NULL, 'slack', NULL, 'active', 54),
  ('hk_5', 'team_1', NULL, 'webhook', 'http://slack-2/', 'active', 55),
  ('hk_6', 'team_1', NULL, 'websub', 'https://[fd00::1]/', 'active', 56)`

/** Their names and events after an upgrade to the schema `named`, which gave them names, or of a later schema. */
export const upgradedHooks = (schema: number, named: number): string[][] =>
  schema < 10
    ? []
    : schema < named
      ? NAMED_HOOKS
      : NAMED_HOOKS.map(([id = '', , events = '']) => [id, id, events])

const NAMED_HOOKS: string[][] = [
  ['hk_1', 'example.org:8443', 'published,updated,withdrawn'],
  ['hk_2', 'example.org:8443-2', 'published,updated,withdrawn'],
  ['hk_3', 'slack', 'published,withdrawn'],
  ['hk_4', 'slack-2', 'published,withdrawn'],
  // Another one has the name of its host, so it goes by its id.
  ['hk_5', 'hk_5', 'published,updated,withdrawn'],
  ['hk_6', 'fd00::1', 'published,updated,withdrawn'],
]
