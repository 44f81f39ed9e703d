import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { NO_CHANGE_TEXTS, NO_VERSION_PROPERTIES } from '../../../../src/domain/versions/properties.ts'
import { openExport } from '../../../../src/formats/native/read.ts'
import type { Decoded, ExportRecord } from '../../../../src/formats/native/records.ts'

/** Records to write, and ways to read them. */

const ID = '01hzzz0000000000000000000a'
const createdAt = Date.parse('2026-01-01T00:00:00.000Z')

export const team: Decoded<'team'> = {
  id: `team_${ID}`,
  slug: 'acme',
  name: 'Acme',
  visibility: 'public',
  plan: 'paid',
  createdAt,
  subscribeUrl: 'https://lists.example.org/acme',
  hooks: [
    {
      ...{ id: `hk_${ID}`, product: 'app', kind: 'webhook', url: 'https://example.org/hook' },
      ...{ status: 'active', createdAt, stable: true, unsubscribeUrl: null },
    },
  ],
}
export const product: Decoded<'product'> = {
  id: `prod_${ID}`,
  slug: 'app',
  name: 'App',
  status: 'published',
  createdAt,
  formerNames: [{ team: 'acme-old', product: 'app' }],
  subscribeUrl: 'https://lists.example.org/app',
  repository: 'https://github.com/acme/app',
  language: 'de',
  source: {
    ...{ id: `src_${ID}`, url: 'https://github.com/acme/app', kind: 'file', hostKind: 'github' },
    ...{
      file: 'docs/CHANGELOG.md',
      ref: 'main',
      tagDates: true,
      tagPrefix: 'app@',
      stable: true,
      pictures: false,
      every: 900_000,
    },
    ...{ prune: false, paused: true, tokenFile: '/run/secrets/github', createdAt },
  },
  changelog: { id: `clog_${ID}`, name: 'App changelog', status: 'locked', preamble: '# Changelog' },
}
export const key: Decoded<'key'> = {
  id: `key_${ID}`,
  kind: 'SELECT',
  status: 'disabled',
  label: '',
  createdAt,
  expiresAt: null,
  products: ['app'],
  tokens: [{ hash: 'ab'.repeat(32), start: 'clk_AbCd', createdAt, expiresAt: createdAt }],
}

export const version = (more: Partial<Decoded<'version'>> = {}): Decoded<'version'> => ({
  id: `ver_${ID}`,
  label: '1.0.0',
  formerLabels: [],
  title: 'One',
  ...NO_VERSION_PROPERTIES,
  status: 'published',
  scheduled: false,
  publishedAt: Date.parse('2026-01-02T03:04:05.678Z'),
  dated: true,
  dateKnown: true,
  createdAt,
  source: '- A "thing" {[\n\n  é\n',
  changes: [
    { ...NO_CHANGE_TEXTS, id: `chg_${ID}`, type: 'added', title: 'A "thing" {[', description: 'é\n}]\\' },
  ],
  ...more,
})

export const RECORDS: ExportRecord[] = [
  { team },
  { product },
  { version: version() },
  { version: version({ label: '0.9.0', changes: [] }) },
  { product: { ...product, slug: 'empty' } },
  { key },
  { team: { ...team, slug: 'none' } },
  { team: { ...team, slug: 'last' } },
  { product },
  { version: version() },
]

export async function* each<T>(values: Iterable<T>): AsyncGenerator<T> {
  yield* values
}

export const joined = async (parts: AsyncIterable<string>): Promise<string> =>
  (await Array.fromAsync(parts)).join('')

/** All records of a text that comes in chunks of a size. */
export async function read(text: string | Uint8Array, size = 1 << 16): Promise<ExportRecord[]> {
  const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : text
  const records = await openExport(new TextDecoder().decode(bytes), () => chunks(bytes, size))
  return (await Array.fromAsync(records())).map(({ record }) => record)
}

/** Hands out the same memory again and again, as a file reader may. */
export async function* chunks(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  const memory = new Uint8Array(size)
  for (let at = 0; at < bytes.length; at += size) {
    const part = bytes.subarray(at, at + size)
    memory.set(part)
    yield memory.subarray(0, part.length)
    memory.fill(0)
  }
}

/** The same JSON with the fields of every object in reverse order. */
export function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .map(([name, inner]) => [name, reversed(inner)])
      .reverse(),
  )
}

/** The lines of a file: what to replace in an export, what with, and the beginning of the refusal. */
export const replacements = (name: string): [from: string, to: string, message: string][] =>
  readFileSync(join(import.meta.dir, name), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => {
      const [from = '', to = '', message = ''] = line.split(/ → ?/)
      return [from, to, message]
    })

/** Does one of them. */
export const replaced = (text: string, from: string, to: string): string =>
  text.replace(from, to.replace('NEWLINE', '\n').replace('LONG', 'x'.repeat(1_000_001)))
