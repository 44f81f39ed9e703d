import { inEveryLanguage } from './words.ts'

export const widget = inEveryLanguage({
  en: {
    heading: 'What’s new in {product}',
    more: '{count} more',
    unread: 'Unread',
    loading: 'Loading…',
    failed: 'The changes could not be loaded.',
  },
  de: {
    heading: 'Neu in {product}',
    more: '{count} weitere',
    unread: 'Ungelesen',
    loading: 'Lädt …',
    failed: 'Laden fehlgeschlagen.',
  },
  fr: {
    heading: 'Nouveautés de {product}',
    more: '{count} de plus',
    unread: 'Non lu',
    loading: 'Chargement…',
    failed: 'Échec du chargement.',
  },
  es: {
    heading: 'Novedades de {product}',
    more: '{count} más',
    unread: 'Sin leer',
    loading: 'Cargando…',
    failed: 'Error al cargar.',
  },
  ja: {
    heading: '{product} の新着情報',
    more: '他 {count} 件',
    unread: '未読',
    loading: '読み込み中…',
    failed: '変更内容を読み込めませんでした。',
  },
  ar: {
    heading: 'ما الجديد في {product}',
    more: 'أخرى: {count}',
    unread: 'غير مقروء',
    loading: 'تحميل…',
    failed: 'تعذّر تحميل التغييرات.',
  },
})
