import type { Words } from './words.ts'

export const de: Words = {
  locale: 'de',
  direction: 'ltr',
  kinds: {
    breaking: 'Inkompatibel',
    added: 'Neu',
    changed: 'Geändert',
    deprecated: 'Veraltet',
    removed: 'Entfernt',
    fixed: 'Behoben',
    security: 'Sicherheit',
    other: 'Sonstiges',
  },
  widget: {
    button: 'Neuigkeiten',
    heading: 'Neu in {product}',
    all: 'Alle Versionen ansehen',
    more: { one: '{count} weitere Änderung', other: '{count} weitere Änderungen' },
    unread: 'Ungelesen',
    unreadCount: '{count} ungelesen',
    failed: 'Die Änderungen konnten nicht geladen werden.',
    nothing: 'Noch nichts.',
  },
}
