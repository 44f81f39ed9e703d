import { expect, test } from 'bun:test'
import { readText } from '../../../../src/formats/lines/read.ts'

const CHAPTERS = '# A specification\n\n## 1.1 Scope\n\ntext\n\n## 1.2 Terms\n\ntext\n\n## 1.3 Rest\n\nmore\n'

test('chapters are no versions, unless somebody insists that the text is a changelog', () => {
  const labels = (isInsisting: boolean) =>
    readText(CHAPTERS, 'CHANGELOG.md', { isInsisting }).versions.map(({ label }) => label)
  expect(labels(false)).toEqual([])
  expect(labels(true)).toEqual(['1.1', '1.2', '1.3'])
})
