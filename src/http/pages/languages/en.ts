import type { Words } from './words.ts'

export const en: Words = {
  // Dates as in 12 November 2026.
  locale: 'en-GB',
  direction: 'ltr',
  kinds: {
    breaking: 'Breaking',
    added: 'Added',
    changed: 'Changed',
    deprecated: 'Deprecated',
    removed: 'Removed',
    fixed: 'Fixed',
    security: 'Security',
    other: 'Other',
  },
  widget: {
    button: 'What’s new',
    heading: 'What’s new in {product}',
    all: 'See all releases',
    more: { one: '{count} more change', other: '{count} more changes' },
    unread: 'Unread',
    unreadCount: '{count} unread',
    failed: 'The changes could not be loaded.',
    nothing: 'Nothing yet.',
  },
}
