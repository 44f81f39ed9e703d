import { inEveryLanguage, plural, pluralWithMany, pluralWithTwo } from './words.ts'

/** What the widget says. */

export const widget = inEveryLanguage({
  en: {
    heading: 'What’s new in {product}',
    more: plural('{count} more change', '{count} more changes'),
    unread: 'Unread',
    unreadCount: '{count} unread',
    failed: 'The changes could not be loaded.',
  },
  de: {
    heading: 'Neu in {product}',
    more: plural('{count} weitere Änderung', '{count} weitere Änderungen'),
    unread: 'Ungelesen',
    unreadCount: '{count} ungelesen',
    failed: 'Laden fehlgeschlagen.',
  },
  fr: {
    heading: 'Nouveautés de {product}',
    more: pluralWithMany('{count} autre changement', '{count} autres changements'),
    unread: 'Non lu',
    unreadCount: 'Non lus\u00a0: {count}',
    failed: 'Échec du chargement.',
  },
  es: {
    heading: 'Novedades de {product}',
    more: pluralWithMany('{count} cambio más', '{count} cambios más'),
    unread: 'Sin leer',
    unreadCount: '{count} sin leer',
    failed: 'Error al cargar.',
  },
  ja: {
    heading: '{product} の新着情報',
    more: { other: '他 {count} 件の変更' },
    unread: '未読',
    unreadCount: '未読 {count} 件',
    failed: '変更内容を読み込めませんでした。',
  },
  ar: {
    heading: 'ما الجديد في {product}',
    more: pluralWithTwo(
      'تغيير واحد آخر',
      'تغييران آخران',
      '{count} تغييرات أخرى',
      '{count} تغييرًا آخر',
      '{count} تغيير آخر',
    ),
    unread: 'غير مقروء',
    unreadCount: 'غير مقروء: {count}',
    failed: 'تعذّر تحميل التغييرات.',
  },
})
