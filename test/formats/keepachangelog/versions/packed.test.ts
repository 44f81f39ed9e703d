import { expect, test } from 'bun:test'
import { parseMarkdown } from '../../../../src/formats/keepachangelog/read.ts'

const VERSION = `## [1.1.0] - 2026-01-02

Words about it.

### Added

- One thing

  More about it.

### Under the hood

- Another

## [1.0.0] - 2026-01-01

- First
`

test('a version of a long text is read as that of a short one', () => {
  const long = `${VERSION}\n## [0.1.0] - 2025-01-01\n\n${'- A change of many that make it long\n'.repeat(60_000)}`
  const [short, packed] = [VERSION, long].map((text) =>
    parseMarkdown(text)
      .versions.slice(0, 2)
      .map(({ label, title, date, status, description, closing, changes, line }) => ({
        ...{ label, title, date, status, description, closing: closing ?? null, changes, line },
      })),
  )
  expect(short?.map(({ changes }) => changes.length)).toEqual([2, 1])
  expect(packed).toEqual(short)
})
