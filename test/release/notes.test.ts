import { expect, test } from 'bun:test'
import { releaseNotes } from '../../release/notes.ts'
import { PLATFORMS } from '../../release/platforms.ts'
import { smallRelease } from './small-release.ts'

const { source, contents } = smallRelease()

test('the notes of a release have its commit, its changes alone, and each platform', () => {
  const notes = releaseNotes(source, contents.changelog)
  expect(notes).toContain(source.commit)
  expect(notes).toContain('## Fixed\n\n- A thing.\n')
  expect(notes).not.toContain('Old.')
  for (const { name } of PLATFORMS) expect(notes).toContain(`| ${name} | `)
})

test('the notes of a version that CHANGELOG.md does not name yet have what is unreleased', () => {
  const notes = releaseNotes(source, '## [Unreleased]\n\n- New.\n\n## [1.2.2] - 2026-01-01\n\n- Old.\n')
  expect(notes).toContain('- New.\n')
  expect(notes).not.toContain('Old.')
})
