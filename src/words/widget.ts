import { inEveryLanguage } from './words.ts'

export const widget = inEveryLanguage({
  heading: [
    'What’s new in {product}',
    'Neu in {product}',
    'Nouveautés de {product}',
    'Novedades de {product}',
    '{product} の新着情報',
    'ما الجديد في {product}',
  ],
  more: [
    '{count} more',
    '{count} weitere',
    '{count} de plus',
    '{count} más',
    '他 {count} 件',
    'أخرى: {count}',
  ],
  mail: [
    'Subscribe by e-mail',
    'Per E-Mail abonnieren',
    'S’abonner par e-mail',
    'Suscribirse por correo',
    'メールで購読',
    'الاشتراك بالبريد الإلكتروني',
  ],
  unread: ['Unread', 'Ungelesen', 'Non lu', 'Sin leer', '未読', 'غير مقروء'],
  loading: ['Loading…', 'Lädt …', 'Chargement…', 'Cargando…', '読み込み中…', 'تحميل…'],
  failed: [
    'The changes could not be loaded.',
    'Laden fehlgeschlagen.',
    'Échec du chargement.',
    'Error al cargar.',
    '変更内容を読み込めませんでした。',
    'تعذّر تحميل التغييرات.',
  ],
})
