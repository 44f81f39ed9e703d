import type { Sandbox } from '../../../support/sandbox.ts'

const ID = '01hzzz00000000000000000000'
export const NOW = '2026-01-02T03:04:05.678Z'

/** An id that sorts by its number. */
export const id = (prefix: string, number = 0) =>
  `${prefix}_${ID.slice(0, -8)}${String(number).padStart(8, '0')}`

/** An export with so many versions of about 2 KB each, as lines. */
export function linesOf(versions: number): string[] {
  const team = {
    id: id('team'),
    slug: 'acme',
    name: 'Acme',
    visibility: 'public',
    plan: 'paid',
    createdAt: NOW,
  }
  const changelog = { id: id('clog'), name: 'Changes', status: 'published', preamble: null }
  const product = { id: id('prod'), slug: 'app', name: 'App', status: 'published', createdAt: NOW, changelog }
  const version = (number: number) => ({
    id: id('ver', number),
    version: `1.${number}.0`,
    title: `Version ${number}`,
    status: 'published',
    publishedAt: NOW,
    dated: true,
    createdAt: NOW,
    description: 'words '.repeat(300),
    changes: [{ id: id('chg', number), type: 'added', title: 'A thing', description: null }],
  })
  const values = [
    { format: 'changelogd', version: 2 },
    { team },
    { product },
    ...Array.from({ length: versions }, (_, at) => ({ version: version(versions - at) })),
    { end: { team: 1, product: 1, version: versions, key: 0 } },
  ]
  return values.map((value) => `${JSON.stringify(value)}\n`)
}

/** Whether nothing was imported into a database that did not exist before. */
export const isEmpty = async (box: Sandbox) =>
  (await box.isMissing()) || (await box.json<unknown[]>('team', 'list')).length === 0
