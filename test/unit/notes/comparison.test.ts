import { expect, test } from 'bun:test'
import { placeComparison } from '../../../src/notes/comparison.ts'
import type { VersionContent } from '../../../src/store/store.ts'

const COMPARE = 'https://acme.test/app/compare/my-app-v1.1.0...@acme/my-app@1.2.0'

const placed = (description: string | null, closing: string | null = null, label = '1.2.0') =>
  Object.values(placeComparison({ label, description, closing } as VersionContent))

test.each([
  [`[1.2.0](${COMPARE})`, null, null, `[1.1.0…1.2.0](${COMPARE})`],
  [`Words.\n\n[v1.2.0](${COMPARE})`, 'Thanks.', 'Words.', `Thanks.\n\n[1.1.0…1.2.0](${COMPARE})`],
  [null, `Thanks.\n\n[1.2.0](${COMPARE})`, null, `Thanks.\n\n[1.1.0…1.2.0](${COMPARE})`],
  [
    `[1.2.0](${COMPARE})\n\n[v1.2.0](${COMPARE})`,
    null,
    null,
    `[1.1.0…1.2.0](${COMPARE})\n\n[1.1.0…1.2.0](${COMPARE})`,
  ],
  ['[1\\.2.0](https://acme.test/tag)', null, null, '[1\\.2.0](https://acme.test/tag)'],
  ['[1.2.0](https://acme.test/tag)', null, null, '[1.2.0](https://acme.test/tag)'],
  [`Words.\n\n**Full Changelog**: ${COMPARE}`, null, 'Words.', `**Full Changelog**: ${COMPARE}`],
])(
  'a link that only repeats the label comes last and says what it compares: %s, %s',
  (description, closing, about, after) => {
    expect(placed(description, closing)).toEqual([about, after])
  },
)

test.each([`See [1.2.0](${COMPARE}).`, `[1.1.0](${COMPARE})`, `[1.2.0](${COMPARE}) is out.`, 'Words.'])(
  'what says more stays where it is: %s',
  (text) => {
    expect(placed(text, text)).toEqual([text, text])
  },
)
