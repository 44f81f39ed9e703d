import type { Words } from './words.ts'

export const ar: Words = {
  locale: 'ar',
  direction: 'rtl',
  kinds: {
    breaking: 'تغيير كاسر',
    added: 'أضيف',
    changed: 'تغيّر',
    deprecated: 'مهمل',
    removed: 'أزيل',
    fixed: 'أُصلح',
    security: 'الأمان',
    other: 'أخرى',
  },
  widget: {
    button: 'ما الجديد',
    heading: 'ما الجديد في {product}',
    all: 'عرض كل الإصدارات',
    more: {
      one: 'تغيير واحد آخر',
      two: 'تغييران آخران',
      few: '{count} تغييرات أخرى',
      many: '{count} تغييرًا آخر',
      other: '{count} تغيير آخر',
    },
    unread: 'غير مقروء',
    unreadCount: 'غير مقروء: {count}',
    failed: 'تعذّر تحميل التغييرات.',
    nothing: 'لا شيء بعد.',
  },
}
