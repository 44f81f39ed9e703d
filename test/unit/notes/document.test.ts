import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { isDocument } from '../../../src/notes/document.ts'

/** Of packages on npm, as their files have them. */
const REAL = (await Bun.file(join(import.meta.dir, 'documents.md')).text()).split(/^=== /m).slice(1)

const LIST = '### Fixed\n\n- One\n- Two\n'
const LONG =
  'Words that say more than any list of changes could, in a paragraph of their own, as people write it.'

describe('a text that a list of its changes would tear is a document', () => {
  test.each(REAL.map((text) => /^(\w+): (.*)\n([\s\S]*)$/.exec(text)?.slice(1) as string[]))(
    '%s: %s',
    (kind, _, text = '') => expect(isDocument(text)).toBe(kind === 'document'),
  )

  test.each([
    ['prose below a heading', `## Highlights\n\n${LONG}\n\n${LIST}`],
    ['a task list', `${LIST}\n### To do before upgrading\n\n- [x] Back up\n- [ ] Migrate\n`],
    ['a footnote', `${LIST}- Three[^1]\n\n[^1]: But not on Tuesdays.\n`],
    ['a picture below the last list', `${LIST}\n![The new start page](https://example.org/start.png)\n`],
    ['a table in a section', `${LIST}\n### Benchmarks\n\n| | ms |\n|---|---|\n| old | 9 |\n| new | 4 |\n`],
    ['names in front of every item', `${LIST}\n#### Command line\n\n- Three\n- Four\n- Five\n`],
  ])('%s', (_, text) => expect(isDocument(text)).toBe(true))

  test.each([
    ['an introduction', `${LONG}\n\n![Start](https://example.org/start.png)\n\n${LIST}`],
    ['headings of the author', '### Core\n\n- One\n- Two\n\n### Command line\n\n- Three\n'],
    [
      'what hosts generate',
      `## What's Changed\n\n* One by @ada\n\n## New Contributors\n\n* @ada\n\n**Full Changelog**: https://github.com/a/b/compare/v1...v2\n`,
    ],
    ['code below an item', `${LIST}\n\`\`\`sh\nchangelogd serve\n\`\`\`\n\n- Three\n`],
    ['no list at all', `${LONG}\n\n${LONG}\n`],
  ])('a list: %s', (_, text) => expect(isDocument(text)).toBe(false))
})
