import { expect, test } from 'bun:test'
import { erasOf } from '../../../../src/domain/versions/eras.ts'

/** `8.0.0 2026`, newest first; without a year, nobody dated it. */
const erasIn = (list: string) =>
  erasOf(
    list.split(', ').map((each) => {
      const [label = '', year] = each.split(' ')
      const publishedAt = Date.UTC(Number(year ?? 1970), 5)
      return { label, publishedAt, dateKnown: year !== undefined, prerelease: null, yanked: null }
    }),
  ).map(({ name, versions }) => [name, versions.map(({ label }) => label).join()])

test.each([
  ['majors', '2.1.0, 2.0.0, 1.1.0, 1.0.0', ['2.x 2.1.0,2.0.0', '1.x 1.1.0,1.0.0']],
  [
    'majors, with what is still released of older ones',
    '2.0.1, 1.9.1, 2.0.0, 1.9.0',
    ['2.x 2.0.1,1.9.1,2.0.0', '1.x 1.9.0'],
  ],
  [
    'majors, not by their pre-releases',
    '2.0.0, 1.1.0, v2.0.0-rc.1, 1.0.0',
    ['2.x 2.0.0', '1.x 1.1.0,v2.0.0-rc.1,1.0.0'],
  ],
  [
    'majors, with other labels beside them',
    'nightly, pkg@2.0.0, beta, 1.0.0, first',
    ['2.x nightly,pkg@2.0.0', '1.x beta,1.0.0,first'],
  ],
  ['years, if there is one major', '1.2.0 2026, 1.1.1, 1.1.0 2025', ['2026 1.2.0', '2025 1.1.1,1.1.0']],
  ['years, if there is none', 'c 2026, b 2026, a 2024', ['2026 c,b', '2024 a']],
  ['nothing, if a year is not known', '1.2.0 2026, 1.1.0', []],
  ['nothing, if there is one year', '1.1.0 2026, 1.0.0 2026', []],
  ['nothing, if nothing tells them apart', 'b, a', []],
])('a list is parted by %s', (_, list, expected) => {
  expect(erasIn(list).map((era) => era.join(' '))).toEqual(expected)
})

test('forty majors are eras, and more are years', () => {
  const list = (count: number) =>
    Array.from({ length: count }, (_, at) => `${count - at}.0.0 ${2_025 + Number(at === 0)}`).join(', ')
  expect(erasIn(list(40))).toHaveLength(40)
  expect(erasIn(list(41)).map(([name]) => name)).toEqual(['2026', '2025'])
})
