import { afterAll, describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Glob } from 'bun'
import { detectFormat } from '../../../src/formats/detect.ts'
import type { Records } from '../../../src/store/records/records.ts'
import { openNow } from '../../../src/store/sqlite/commands.ts'
import { importChangelog } from '../../../src/transfer/import-changelog.ts'
import { parseChangelog } from '../../../src/transfer/parse-changelog.ts'
import { rewrite } from '../../support/rewrite.ts'
import { scratch } from '../../support/scratch.ts'

/**
 * Every file in `stories/` holds stories of an author who changes a changelog between two imports: the files `before` and
 * `after`, and the `ids` that follow: each version and change that is stored then, with its name before if that was another
 * one, or `(new)`. After a change that is meant, write the ids again and review the difference:
 * UPDATE_CASES=1 bun test test/unit/transfer/stories.test.ts
 */
const STORIES = join(import.meta.dir, 'stories')
const NAME = { team: 'acme', product: 'app' }
const NOW = Date.UTC(2026, 5, 1)

const place = scratch()
const store = openNow(join(place.path, 'x.db'), 'create')
afterAll(() => {
  store.close()
  place[Symbol.dispose]()
})

/** What everything is called, by its id. */
type Names = Map<string, { version: string; change?: string }>

async function namesIn(records: Records): Promise<Names> {
  const product = await records.products.find(NAME.team, NAME.product)
  if (!product) throw new Error('there is no product')
  const names: Names = new Map()
  for (const version of await records.versions.list(product)) {
    names.set(version.id, { version: version.label })
    for (const { id, title } of await records.changes.list(version))
      names.set(id, { version: version.label, change: title })
  }
  return names
}

function idsOf(before: Names, after: Names): string {
  const lines = [...after].map(([id, { version, change }]) => {
    const [was, indent] = [before.get(id), change === undefined ? '' : '  ']
    if (!was) return `${indent}${change ?? version} (new)`
    const isSame = was.version === version && was.change === change
    const formerly = was.change === undefined ? was.version : `${was.version}: ${was.change}`
    return `${indent}${change ?? version}${isSame ? '' : ` ← ${formerly}`}`
  })
  return lines.map((line) => `${line}\n`).join('')
}

/** The files of a part of a story, such as `before: CHANGELOG.md` and the text below. */
const filesOf = (story: string, part: string) =>
  [...story.matchAll(/^(before|after): (\S+)\n(.*?)(?=^before: |^after: |^ids:)/gms)]
    .filter(([, of]) => of === part)
    .map(([, , name = '', text = '']) => [name, text] as const)

const played = (story: string): Promise<string> =>
  store.transaction(
    async (records) => {
      const importAll = async (part: string) => {
        let written = 0
        for (const [name, text] of filesOf(story, part)) {
          const format = detectFormat(name, text)
          if (format === 'json' || format === 'changesets') throw new Error(`${name} is no changelog`)
          const source = parseChangelog(name, text, format)
          const { added, updated } = await importChangelog(records, NAME, source, { create: true, now: NOW })
          written += added + updated
        }
        return written
      }
      await importAll('before')
      const before = await namesIn(records)
      await importAll('after')
      const after = await namesIn(records)
      expect(await importAll('after')).toBe(0)
      return idsOf(before, after)
    },
    { commit: false },
  )

describe('everything that a reader would call the same keeps its id when the author', () => {
  for (const file of [...new Glob('*.txt').scanSync(STORIES)].sort()) {
    const path = join(STORIES, file)
    const stories = readFileSync(path, 'utf8').split(/^(?=✂ )/m)
    test.each(stories.map((story) => [/^✂ (.*)/.exec(story)?.[1], story]))('%s', async (_, story = '') => {
      const ids = await played(story)
      const updated = story.replace(/^ids:\n.*/ms, () => `ids:\n${ids}`)
      if (process.env.UPDATE_CASES) return rewrite(path, story, updated)
      expect(ids).toBe(/^ids:\n(.*)/ms.exec(story)?.[1] ?? '')
    })
  }
  test('renames a section of changes that are hard to tell apart', async () => {
    const words = ['red', 'green', 'blue', 'wide', 'tall', 'deep', 'light']
    const titles = Array.from({ length: 127 }, (_, at) =>
      words.filter((_, bit) => ((at + 1) >> bit) % 2 === 1).join(' '),
    )
    const items = titles.map((title) => `- ${title}\n`).join('')
    const file = (section: string) => `CHANGELOG.md\n## 1.0.0 - 2026-01-02\n### ${section}\n${items}`
    expect(await played(`before: ${file('Changed')}after: ${file('Dependencies')}ids:\n`)).toBe(
      ['1.0.0', ...titles.map((title) => `  ${title}`), ''].join('\n'),
    )
  })
})
