import { expect, test } from 'bun:test'
import { repositoryIn } from '../../../../src/domain/addresses/repository.ts'

const OWN = 'https://github.com/acme/rocket'

test.each([
  [
    'most links',
    `[a](${OWN}/issues/1) [b](${OWN}/commit/a1b2c3d) ${OWN}/compare/v1...v2 https://github.com/x/y/pull/3`,
    OWN,
  ],
  ['GitLab', 'https://git.acme.test/a/b/c/-/issues/1 '.repeat(3), 'https://git.acme.test/a/b/c'],
  ['too few', `${OWN}/issues/1 ${OWN}/issues/2`, null],
  ['half of them', `${OWN}/pull/1 https://github.com/x/y/pull/1 `.repeat(4), null],
  ['other pages', `${OWN}/releases/v1 ${OWN} https://github.com/acme `.repeat(4), null],
  ['nothing', '# Changelog', null],
])('the repository of a text by its links: %s', (_, text, expected) => {
  expect(repositoryIn(text)).toBe(expected)
})
