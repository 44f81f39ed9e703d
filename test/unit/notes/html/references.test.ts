import { describe, expect, test } from 'bun:test'
import { parseRepository } from '../../../../src/notes/html/github/repository.ts'
import { renderBlocks, renderInline } from '../../../../src/notes/html/render.ts'

const LENGTH = 20_000
const GITHUB = parseRepository('https://github.com/acme/rocket')
const GITLAB = parseRepository('https://gitlab.com/acme/tools/rocket')
const FORGEJO = parseRepository('https://codeberg.org/acme/rocket.git')

const HASH = '4f1e2d3c4b5a69788796a5b4c3d2e1f001122334'

/** The links of a title, each as what it shows and where it leads. */
const links = (title: string, repository = GITHUB): string[] =>
  [...renderInline(title, repository).matchAll(/<a[^>]* href="([^"]*)"[^>]*>(.*?)<\/a>/g)].map(
    ([, href, shown]) => `${shown} ${href}`,
  )

describe('with a repository, a title has short links', () => {
  test.each([
    ['Thanks @alice-h!', ['@alice-h https://github.com/alice-h']],
    ['Thanks @anaïs and é@ana', []],
    ['Thanks @anai\u0308s', []],
    ['«@ana»', ['@ana https://github.com/ana']],
    ['@anaさん', ['@ana https://github.com/ana']],
    ['By @dependabot[bot]', ['@dependabot[bot] https://github.com/apps/dependabot']],
    ['Fix #12, (#13) and #14.', [12, 13, 14].map((n) => `#${n} https://github.com/acme/rocket/issues/${n}`)],
    ['See acme/docs#4', ['acme/docs#4 https://github.com/acme/docs/issues/4']],
    ['As in GH-421', ['GH-421 https://github.com/acme/rocket/issues/421']],
    [`Since ${HASH}`, [`4f1e2d3 https://github.com/acme/rocket/commit/${HASH}`]],
    ['b7c8d9e: Fix it', ['b7c8d9e https://github.com/acme/rocket/commit/b7c8d9e']],
    ['In https://github.com/acme/rocket/pull/1204', ['#1204 https://github.com/acme/rocket/pull/1204']],
    [
      'https://github.com/acme/rocket/issues/7#issuecomment-9',
      ['#7 (comment) https://github.com/acme/rocket/issues/7#issuecomment-9'],
    ],
    ['https://github.com/acme/other/issues/7', ['acme/other#7 https://github.com/acme/other/issues/7']],
    [
      'https://github.com/acme/rocket/compare/v2.8.0...v2.9.0',
      ['2.8.0…2.9.0 https://github.com/acme/rocket/compare/v2.8.0...v2.9.0'],
    ],
    [
      `https://github.com/acme/rocket/commit/${HASH}`,
      [`4f1e2d3 https://github.com/acme/rocket/commit/${HASH}`],
    ],
    ['https://github.com/alice-h', ['@alice-h https://github.com/alice-h']],
    [
      'https://gitlab.com/a/b/c/-/merge_requests/42',
      ['a/b/c!42 https://gitlab.com/a/b/c/-/merge_requests/42'],
    ],
    ['https://codeberg.org/acme/depot/pulls/3', ['acme/depot#3 https://codeberg.org/acme/depot/pulls/3']],
  ])('%s', (title, expected) => {
    expect(links(title)).toEqual(expected)
  })

  test.each([
    [
      '@alice.b and #12',
      ['@alice.b https://gitlab.com/alice.b', '#12 https://gitlab.com/acme/tools/rocket/-/issues/12'],
    ],
    ['Merge !42', ['!42 https://gitlab.com/acme/tools/rocket/-/merge_requests/42']],
    ['0c1d2e3', ['0c1d2e3 https://gitlab.com/acme/tools/rocket/-/commit/0c1d2e3']],
    [
      'https://gitlab.com/acme/tools/rocket/-/merge_requests/42',
      ['!42 https://gitlab.com/acme/tools/rocket/-/merge_requests/42'],
    ],
  ])('of GitLab: %s', (title, expected) => {
    expect(links(title, GITLAB)).toEqual(expected)
  })

  test('of Forgejo', () => {
    expect(links('#12 by @bob', FORGEJO)).toEqual([
      '#12 https://codeberg.org/acme/rocket/issues/12',
      '@bob https://codeberg.org/bob',
    ])
  })
})

test.each([
  'mail me: a@b.c',
  '@acme/ui and @types/node',
  'the decorator @cached(1)',
  '`@alice` `#12` `b7c8d9e`',
  'C# 12, issue#12, #12a, #0',
  'color #b7c8d9e or #123abc',
  'the word defaced, the number 20261112, md5 9e107d9d372bb6826bd81d3542a419d6',
  'sha256:b7c8d9e0 and 550e8400-e29b-41d4-a716-446655440000',
  'wow!12 and !12',
  'https://github.com/acme/rocket/blob/main/a.md?x#L1'.replace('https://', ''),
])('is no reference: %s', (title) => {
  expect(renderInline(title, GITHUB)).not.toContain('class="ref"')
})

test('without a repository nothing is a reference', () => {
  const title = 'By @alice in #12, https://github.com/acme/rocket/pull/12'
  expect(renderInline(title)).toContain('>https://github.com/acme/rocket/pull/12</a>')
  expect(renderInline(title).match(/<a /g)).toHaveLength(1)
})

test.each([
  'Add it by @alice in #12',
  'Add it by @alice and @bob in https://github.com/acme/rocket/pull/12',
  'Add it @alice (#12)',
])('who made a change and where stay together at its end: %s', (title) => {
  expect(renderInline(title, GITHUB)).toMatch(
    /^Add it <span class="by">(by )?<a [^>]*>@alice<.*12<\/a>\)?<\/span>$/,
  )
  expect(renderBlocks(`- ${title}\n- x`, 3, LENGTH, GITHUB).html).toMatch(/<li>Add it <span class="by">/)
})

test.each([
  ['https://github.com/acme/rocket/', 'https://github.com/acme/rocket'],
  ['https://git.acme.test/acme/rocket.git', 'https://git.acme.test/acme/rocket'],
  ['https://github.com/acme', undefined],
  ['javascript:alert(1)//a/b', undefined],
  ['https://github.com/acme/"onclick=x', undefined],
  ['acme/rocket', undefined],
])('the repository at %s is %p', (address, url) => {
  expect(parseRepository(address)?.url).toBe(url as string)
})
