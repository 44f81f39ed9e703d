import { expect, test } from 'bun:test'
import { typeFromHeading } from '../../../src/domain/slug.ts'
import { isAside, isBreaking, KINDS, kindOf } from '../../../src/domain/versions/kinds.ts'

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
    ...['Major: throw an error on an empty body'],
  ])
    expect([title, isBreaking(change(title))]).toEqual([title, true])
  expect(isBreaking(change('Rename it', 'More.\n\nBREAKING CHANGE: rename yours.'))).toBe(true)
  expect(isBreaking(change('Rename it', '- Rename it\n- Breaking: it returns another type'))).toBe(true)
  expect(isBreaking({ ...change('Rename it'), type: 'breaking-changes' })).toBe(true)
  expect(isBreaking({ ...change('Rename it'), type: 'editor', typeLabel: '💥 Editor' })).toBe(true)
})

test('a change that only speaks of breaking is not', () => {
  for (const title of [
    ...['Fix breaking change on 7.4.2', 'No breaking changes', 'NON-BREAKING: rename it'],
    ...['This is **not breaking**', 'Fix an import breaking AMD modules'],
    ...['add `BREAKING` to the list of words', 'Support strings with leading line-breaks', 'Hello world!'],
    ...['Incompatible receiver, Set required! [\\#2901](https://example.com/2901)'],
    ...['A major: the smallest chord', '⚠️ Read this first'],
  ])
    expect([title, isBreaking(change(title))]).toEqual([title, false])
  for (const description of ['It was BREAKING before.', 'Breaking changes: none', 'It is breaking: run it'])
    expect([description, isBreaking(change('Fix it', description))]).toEqual([description, false])
})

test('a hostile title costs no more than its length', () => {
  const titles = ['()', '[](x)', '----: ', '[a](', '**a', 'abcdef1 ', 'backwards incompatible ']
  for (const part of titles) isBreaking(change(`${part.repeat(40_000 / part.length)} break`))
})
