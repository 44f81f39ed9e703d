import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { typeFromHeading } from '../../../src/domain/slug.ts'
import { isAside, KINDS, kindOf, kindOfChange } from '../../../src/domain/versions/kinds.ts'
import { saysBreaking } from '../../../src/domain/versions/marks/breaking.ts'
import { type Groups, type Phrases, withAny } from '../../../src/domain/versions/marks/phrases.ts'
import { breakingIn } from '../../../src/domain/versions/marks/said.ts'
import { isSecurity } from '../../../src/domain/versions/marks/security.ts'
import * as breakingWords from '../../../src/domain/versions/marks/tables/breaking.ts'
import * as securityWords from '../../../src/domain/versions/marks/tables/security.ts'
import { signsOf } from '../../../src/domain/versions/marks.ts'

const HEADINGS: Record<(typeof KINDS)[number], string[]> = {
  breaking: [
    ...['Breaking', '⚠ BREAKING CHANGES', '💥 Breaking Change', 'Potentially breaking changes'],
    ...['Backwards-incompatible changes', 'Non backwards compatible changes', 'BREAK', 'BC breaks'],
    ...['Major Changes', 'Inkompatible Änderungen'],
    ...['Inkompatibel', '破壊的変更', 'Ruptures de compatibilité', 'تغييرات غير متوافقة'],
  ],
  added: [
    ...['Added', '🚀 Features', ':sparkles: New', 'Notable new features', 'New Rules', 'Hinzugefügt'],
    ...['Ajouté', 'Añadido', '追加', 'إضافات', 'Добавлено', '新增功能', '✨ Editor'],
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
    ...['Fixed', '🐛 Bug Fixes', 'Fixes :wrench:', 'Bugfixes & enhancements', 'Behoben', 'أُصلح'],
    ...['Corrigé', '修复', 'Behobene Fehler', 'Corrección de errores', 'Исправление ошибок', '🐛 Editor'],
  ],
  security: [
    ...['Security', '🔒 Security Fixes', 'Security updates', 'Sicherheit', 'Sécurité', 'Seguridad'],
    ...['セキュリティ', 'الأمان'],
  ],
  other: [
    ...['Contributors', '❤️ New Contributors', 'Dependencies', 'Dependency updates', 'Documentation'],
    ...['Docs updates'],
    ...['API', 'Performance', 'Test improvements', 'Chores', 'Other Changes', 'Commits', '⚠️ Notices', 'Core'],
  ],
}

test('a heading has one kind, whatever its words, language and emoji', () => {
  for (const kind of KINDS)
    for (const heading of HEADINGS[kind])
      expect([heading, kindOf(typeFromHeading(heading) ?? '', heading)]).toEqual([heading, kind])
})

test('a prefix tells the kind below a heading that does not', () => {
  const kind = (type: string, title: string) => kindOfChange({ type, title, description: null })
  expect(kind('changed', '[fix] crash')).toBe('fixed')
  expect(kind('patch-changes', 'a1b2c3d: feat(ai): retry')).toBe('added')
  expect(kind('core', 'docs: say it')).toBe('other')
  expect([kind('removed', 'feat: x'), kind('docs', 'fix: x')]).toEqual(['removed', 'other'])
})

test('the first word tells the kind below a heading that names none', () => {
  const kinds = (type: string, ...titles: string[]) =>
    titles.map((title) => kindOfChange({ type, title, description: null }))
  expect(kinds('changed', 'Fix a crash', '[#12] fixes #11', '**Fixed** it')).toEqual([
    'fixed',
    'fixed',
    'fixed',
  ])
  expect(kinds('core', 'Added search', 'adds `x`', 'breaking: Add y')).toEqual(['added', 'added', 'added'])
  expect(kinds('changed', 'Fixtures moved', 'Add-ons load', 'Faster')).toEqual([
    'changed',
    'changed',
    'changed',
  ])
  expect([kinds('improvements', 'Fix it'), kinds('docs', 'Add it')]).toEqual([['changed'], ['other']])
})

test('sections that list people or bumped packages are told from others', () => {
  expect(
    ['contributors', 'new-contributors', 'dependencies', 'dependency-updates', 'deps'].filter(isAside),
  ).toHaveLength(5)
  expect(['added', 'core', 'documentation', 'chores'].filter(isAside)).toEqual([])
})

const change = (title: string, description: string | null = null) => ({ type: 'changed', title, description })

test('the words of a change say that it breaks something, or only suggest it, and whether it is about security', async () => {
  // Of real changelogs: the marks of a change in no section, and its title.
  const lines = (await Bun.file(join(import.meta.dir, 'marks.txt')).text()).trimEnd().split('\n')
  expect(lines.length).toBeGreaterThan(70)
  expect(lines.map((line) => `${signsOf(change(titleIn(line))).join() || '-'}\t${titleIn(line)}`)).toEqual(
    lines,
  )
})

test('what a section for removals lists may break something, unless nobody else used it', () => {
  const removed = (title: string) => signsOf({ ...change(title), type: 'removed' })
  expect(removed('Drop `RawURL`.')).toEqual(['mayBreak'])
  for (const title of ['A bug in `open()`', 'An internal helper', 'Unused files', 'Deprecation warnings'])
    expect([title, ...removed(title)]).toEqual([title])
  expect(signsOf({ ...change('CVE-2026-1234 is still open'), type: 'known-issues' })).toEqual([])
})

test('every phrase for a mark passes the quick look', () => {
  for (const [keys, groups, ...all] of [
    [
      breakingWords.KEYS,
      breakingWords.GROUPS,
      breakingWords.DROPPED,
      breakingWords.REQUIRED,
      breakingWords.GONE,
    ],
    [breakingWords.KEYS, {}, breakingWords.TAKES, breakingWords.TAKEN],
    [breakingWords.SAID_KEYS, breakingWords.GROUPS, breakingWords.SAID, breakingWords.MARK],
    [securityWords.KEYS, {}, securityWords.ONLY, securityWords.WEAKNESSES, securityWords.RELATED],
  ] as const)
    expect(
      all.flatMap((table) => examplesOf(table, groups)).filter((one) => !withAny(keys).test(one)),
    ).toEqual([])
})

/** What each phrase stands for, with the first and with the last of its alternatives. */
const examplesOf = (table: Phrases, groups: Groups): string[] =>
  Object.entries(table).flatMap(([language, phrases]) =>
    phrases.flatMap((phrase) =>
      [0, -1].map((at) => {
        let text = phrase.replace(
          /\{(\w+)\}/g,
          (_, name) => `(${groups[name]?.[language as 'en']?.join('|')})`,
        )
        for (let before = ''; before !== text; )
          [before, text] = [
            text,
            text.replace(/\(([^()]*)\)(\??)/, (_, one, mark) => (mark ? '' : (one.split('|').at(at) ?? ''))),
          ]
        return text
          .replace(/[a-z]\?/g, (one) => (one.length > 1 ? '' : one))
          .replace(/[*^$]/g, '')
          .replace('…', ' ')
      }),
    ),
  )

const titleIn = (line: string): string => line.slice(line.indexOf('\t') + 1)

test('a change breaks something by its heading, or by a line of its text', () => {
  expect(saysBreaking(change('Rename it', 'More.\n\nBREAKING CHANGE: rename yours.'))).toBe(true)
  expect(saysBreaking(change('Rename it', '- Rename it\n- Breaking: it returns another type'))).toBe(true)
  for (const line of ['### ⚠️ Breaking changes', '**Breaking Changes**', '> **Potentially breaking**'])
    expect(saysBreaking(change('Rename it', `More.\n\n${line}\n\n- Rename yours`))).toBe(true)
  expect(saysBreaking({ ...change('Rename it'), type: 'breaking-changes' })).toBe(true)
  expect(saysBreaking({ ...change('Rename it'), type: 'editor', typeLabel: '💥 Editor' })).toBe(true)
  for (const description of ['It was BREAKING before.', 'Breaking changes: none', '## No breaking changes'])
    expect([description, saysBreaking(change('Fix it', description))]).toEqual([description, false])
})

test('the text before or after changes that says what breaks tells that part of it', () => {
  for (const part of [
    '### ⚠️ Breaking changes\n\nRename yours.\n\n#### More',
    '**Breaking:**\n\nRename yours.\n\n- twice',
    'This release contains a few important breaking changes.',
    'BREAKING CHANGE: rename yours',
  ])
    for (const name of ['description', 'closing'])
      expect(
        breakingIn({ [name]: `# Highlights\n\nIt is fast.\n\n${part}\n\n## Thanks\n\nAll the rest.` }),
      ).toBe(part)
  for (const text of ['Without breaking changes.', 'There are no breaking changes.', 'Fast again', ''])
    expect([text, breakingIn({ description: text })]).toEqual([text, null])
})

test('a change is about security by its heading, or by what its text mends', () => {
  expect(isSecurity(change('deps: send@0.8.5', '- Fix a path traversal vulnerability'))).toBe(true)
  expect(isSecurity({ ...change('Escape it'), type: 'security-fixes' })).toBe(true)
  expect(isSecurity({ ...change('存在的 xss 问题'), type: '修复' })).toBe(true)
  expect(isSecurity(change('Drop Node 8', 'It no longer receives security updates.'))).toBe(false)
  for (const code of ['~~~\nFix an XSS vulnerability\n~~~', '````\n```\nFix an XSS vulnerability\n````'])
    expect(isSecurity(change('Show how to write it', code))).toBe(false)
  expect(isSecurity(change('send', '```\n```js\n```\nFix a path traversal vulnerability'))).toBe(true)
})

test('the first 30,000 characters of a description tell what it mends', () => {
  const mended = 'Fix a path traversal vulnerability. '
  expect(isSecurity(change('send', `${mended}${'xss '.repeat(200_000)}`))).toBe(true)
  expect(isSecurity(change('send', `${'xss '.repeat(7_500)}${mended}`))).toBe(false)
})

test('a hostile title costs no more than its length', () => {
  const titles = ['()', '[](x)', '----: ', '[a](', '**a', 'abcdef1 ', 'backwards incompatible ']
  for (const part of [...titles, 'fix xss ', 'This is a ', 'drop node ', '\n**']) {
    const text = part.repeat(40_000 / part.length)
    for (const each of [change(`${text} breaking CSRF`), change('', `${text} breaking CSRF`)])
      for (const is of [saysBreaking, isSecurity]) is(each)
    breakingIn({ closing: `${text} breaking` })
  }
})
