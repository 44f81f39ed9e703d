import { expect, test } from 'bun:test'
import { typeFromHeading } from '../../../src/domain/slug.ts'
import { breakingIn, isBreaking } from '../../../src/domain/versions/breaking.ts'
import { isAside, KINDS, kindOf, kindOfChange } from '../../../src/domain/versions/kinds.ts'
import { isSecurity } from '../../../src/domain/versions/security.ts'

const HEADINGS: Record<(typeof KINDS)[number], string[]> = {
  breaking: [
    ...['Breaking', '⚠ BREAKING CHANGES', '💥 Breaking Change', 'Potentially breaking changes'],
    ...['Major Changes'],
    ...['Backwards-incompatible changes', 'Non backwards compatible changes', 'BREAK', 'BC breaks'],
    ...['Inkompatible Änderungen', '破壊的変更'],
  ],
  added: [
    ...['Added', '🚀 Features', ':sparkles: New', 'Notable new features', 'New Rules', 'Hinzugefügt'],
    ...['Ajouté'],
    ...['Añadido', '追加', 'إضافات', 'Добавлено', '新增功能', '✨ Editor'],
    ...['Neue Befehle', 'Nuevas funcionalidades', 'Новые возможности', '新特性'],
  ],
  changed: [
    ...['Changed', 'Improvements', ':zap: Improvements', 'Patch Changes', 'Minor Changes', 'Updates'],
    ...['Non-breaking changes'],
    ...['Geändert', 'Modifié', 'Cambiado', '変更', 'Lagt om og endret', 'Обновлено', '更新', '样式调整'],
  ],
  deprecated: ['Deprecated', 'Deprecations', 'Veraltet', 'Obsolète', '非推奨', 'Kullanımdan kaldırıldı'],
  removed: ['Removed', 'Removal of deprecated APIs', 'Entfernt', 'Supprimé', 'Eliminado', '削除', 'إزالة'],
  fixed: [
    ...['Fixed', '🐛 Bug Fixes', 'Fixes :wrench:', 'Bugfixes & enhancements', 'Behoben', 'Corrigé'],
    ...['Corregido', '修复', 'Behobene Fehler', 'Corrección de errores', 'Исправление ошибок', '🐛 Editor'],
  ],
  security: [
    ...['Security', '🔒 Security Fixes', 'Security updates', 'Sicherheit', 'Sécurité', 'Seguridad'],
    ...['セキュリティ', 'الأمان'],
  ],
  other: [
    ...['Contributors', '❤️ New Contributors', 'Dependencies', 'Dependency updates', 'Documentation'],
    ...['Docs updates'],
    ...['Core', 'API', 'Performance', 'Test improvements', 'Chores', 'Other Changes', 'Commits', '⚠️ Notices'],
  ],
}

test('a heading has one kind, whatever its words, language and emoji', () => {
  for (const kind of KINDS)
    for (const heading of HEADINGS[kind])
      expect([heading, kindOf(typeFromHeading(heading) ?? '', heading)]).toEqual([heading, kind])
})

test('a type without a heading of its own has the kind of its words', () => {
  expect(kindOf('bug-fixes')).toBe('fixed')
  expect(kindOf('core')).toBe('other')
})

test('a prefix tells the kind below a heading that does not', () => {
  const kind = (type: string, title: string) => kindOfChange({ type, title, description: null })
  expect(kind('changed', '[fix] crash')).toBe('fixed')
  expect(kind('patch-changes', 'a1b2c3d: feat(ai): retry')).toBe('added')
  expect(kind('core', 'docs: say it')).toBe('other')
  expect([kind('removed', 'feat: x'), kind('core', 'x'), kind('docs', 'fix: x')]).toEqual([
    'removed',
    'other',
    'other',
  ])
})

test('sections that list people or bumped packages are told from others', () => {
  expect(
    ['contributors', 'new-contributors', 'dependencies', 'dependency-updates', 'deps'].filter(isAside),
  ).toHaveLength(5)
  expect(['added', 'core', 'documentation', 'chores'].filter(isAside)).toEqual([])
})

const change = (title: string, description: string | null = null) => ({ type: 'changed', title, description })

test('a change is breaking by the mark that its author set', () => {
  for (const title of [
    ...['BREAKING CHANGE: New router API', '**BREAKING:** Bump to Node 16 ([#1](https://example.com))'],
    ...['feat(layout): BREAKING remove `reset`', 'Breaking: implement configuration hierarchy'],
    ...['*Breaking* display an error', '**mildly breaking change** floors its outputs'],
    ...['[breaking] enable a rule', 'Update event filtering **(breaking change)**'],
    ...['e64b2c2 Breaking: remove `no-empty-label`'],
    ...['[GH-801](https://example.com) breaking(`pod`): remove unused API'],
    ...['[#8115](https://example.com) Thanks [@alice](https://example.com)! - Breaking change: rename it'],
    ...['**Breaking changes / Events:** `select2-blur`', '*(cli)* [**breaking**] Use the current time'],
    ...['feat!: drop Node 18', 'feat(core)!: drop Node 18', '**core:** refactor!: drop Node 18'],
    ...['💥 Drop Node 18', ':boom: Drop Node 18', '**Incompatible:** key handlers return'],
    ...['[Backward incompatible change for flags] Read them otherwise', 'Remove it (SEMVER-MAJOR)'],
    ...[
      'Major: throw an error on an empty body',
      '[v5 breaking change] change sort fields',
      'incompatible changes',
    ],
    ...['Dates are `Timestamp` objects. This is a breaking change; update your code.'],
    ...['Drop support for Node 18', 'b7dd452 Build: Remove support for Node v5', 'drop node 6 and 8 support'],
    ...[
      '**Drop support for Internet Explorer 6**.',
      'Python 3.4 is no longer supported',
      'Require Node.js 20',
    ],
  ])
    expect([title, isBreaking(change(title))]).toEqual([title, true])
  expect(isBreaking(change('Rename it', 'More.\n\nBREAKING CHANGE: rename yours.'))).toBe(true)
  expect(isBreaking(change('Rename it', '- Rename it\n- Breaking: it returns another type'))).toBe(true)
  for (const line of ['### ⚠️ Breaking changes', '**Breaking Changes**', '> **Potentially breaking**'])
    expect(isBreaking(change('Rename it', `More.\n\n${line}\n\n- Rename yours`))).toBe(true)
  expect(isBreaking({ ...change('Rename it'), type: 'breaking-changes' })).toBe(true)
  expect(isBreaking({ ...change('Rename it'), type: 'editor', typeLabel: '💥 Editor' })).toBe(true)
})

test('a change that only speaks of breaking is not', () => {
  for (const title of [
    ...['Fix breaking change on 7.4.2', 'No breaking changes', 'NON-BREAKING: rename it'],
    ...['This is **not breaking**', 'Fix an import breaking AMD modules'],
    ...['add `BREAKING` to the list of words', 'Support strings with leading line-breaks', 'Hello world!'],
    ...['Incompatible receiver, Set required! [\\#2901](https://example.com/2901)'],
    ...['A major: the smallest chord', '⚠️ Read this first', 'This is not a breaking change'],
    ...['Drag and drop support for Chrome', 'CI: drop node 6', 'Revert "drop support for Node v5"'],
  ])
    expect([title, isBreaking(change(title))]).toEqual([title, false])
  for (const description of ['It was BREAKING before.', 'Breaking changes: none', '## No breaking changes'])
    expect([description, isBreaking(change('Fix it', description))]).toEqual([description, false])
})

test('an introduction that says what breaks tells that part of it', () => {
  const rest = 'All the rest.'
  for (const part of [
    '### ⚠️ Breaking changes\n\nRename yours.\n\n#### More',
    '**Breaking:**\n\nRename yours.\n\n- twice',
    'This release contains a few important breaking changes.',
    'BREAKING CHANGE: rename yours',
  ])
    expect(breakingIn(`# Highlights\n\nIt is fast.\n\n${part}\n\n## Thanks\n\n${rest}`)).toBe(part)
  for (const text of ['Without breaking changes.', 'There are no breaking changes.', 'Fast again', ''])
    expect([text, breakingIn(text)]).toEqual([text, null])
})

test('a change is about security by the id of a weakness or words for one', () => {
  for (const title of [
    ...[
      'update axios, fix CVE-2024-39338',
      'Bump tar to mitigate GHSA-8qq5-rm4j-mr97',
      'fix(security): check it',
    ],
    ...[
      '**sec:** check it',
      '[Security] Ensure it escapes',
      'Security fix',
      'Updated vulnerable dependencies',
    ],
    ...[
      'Fixed XSS in jsonp-polling',
      'Harden CSRF code paths',
      'Fix a path traversal issue when using `root`',
    ],
    ...['remove ReDoS regexp in %o', 'avoid prototype pollution', 'escape quotes to prevent SQL injection'],
    ...[
      'Fixed SSRF in the remote() function',
      'prevent stack overflow DoS',
      'Inline code is off for security reasons',
    ],
  ])
    expect([title, isSecurity(change(title))]).toEqual([title, true])
  expect(isSecurity(change('deps: send@0.8.5', '- Fix a path traversal vulnerability'))).toBe(true)
  expect(isSecurity({ ...change('Escape it'), type: 'security-fixes' })).toBe(true)
  expect(isSecurity({ ...change('存在的 xss 问题'), type: '修复' })).toBe(true)
})

test('a change that only speaks of security is not', () => {
  for (const title of [
    ...[
      'chore(deps-dev): bump jest, CVE-2024-39338',
      'bump the rollup devDependency to disable CVE warnings',
    ],
    ...['docs: add security vulnerability disclosure', '[meta] add SECURITY.md', 'Added securityToken check'],
    ...[
      'Show vulnerabilities in the report',
      'limit amount of undos/redos',
      '3D Tiles traversal',
      'DOS line endings',
    ],
    ...[
      'Set a `Content-Security-Policy` header',
      'constructor injection',
      'Pass custom XSRF cookies in a header',
    ],
  ])
    expect([title, isSecurity(change(title))]).toEqual([title, false])
  expect(isSecurity(change('Drop Node 8', 'It no longer receives security updates.'))).toBe(false)
})

test('a hostile title costs no more than its length', () => {
  const titles = ['()', '[](x)', '----: ', '[a](', '**a', 'abcdef1 ', 'backwards incompatible ']
  for (const part of [...titles, 'fix xss ', 'This is a ', 'drop node ', '\n**']) {
    const text = part.repeat(40_000 / part.length)
    for (const each of [change(`${text} breaking CSRF`), change('', `${text} breaking CSRF`)])
      for (const is of [isBreaking, isSecurity]) is(each)
    breakingIn(`${text} breaking`)
  }
})
