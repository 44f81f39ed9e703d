import { expect, test } from 'bun:test'
import { escapeYanked, isPrerelease, readYanked } from '../../../src/domain/versions/standing.ts'

test('a version is a pre-release by its label, or because its host says so', () => {
  for (const label of ['2.0.0-beta.1', 'v2.0-rc', 'app@1.0.0-0', '2.0.0rc1', '2.0 Beta'])
    expect([label, isPrerelease({ label, prerelease: null })]).toEqual([label, true])
  for (const label of ['2.0.0', 'v2.0+beta', '2.0.0-1', 'harbor', 'Unreleased'])
    expect([label, isPrerelease({ label }), isPrerelease({ label, prerelease: true })]).toEqual([
      label,
      false,
      true,
    ])
})

test('[YANKED] first or last in a title is a remark, unless it is escaped', () => {
  for (const title of ['[YANKED]', '(yanked)', 'Two [Yanked]', '[yanked] Two'])
    expect(readYanked(title)).toEqual({ title: title.includes('Two') ? 'Two' : '', isYanked: true })
  for (const title of ['Two', 'Undo [yanked] lines', 'x[yanked]', ''])
    expect(readYanked(title)).toEqual({ title, isYanked: false })
  for (const title of ['Two [YANKED]', '\\[yanked] (yanked)', '[YANKED]'])
    expect(readYanked(escapeYanked(title))).toEqual({ title, isYanked: false })
})
