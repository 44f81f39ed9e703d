import type { Words } from './words.ts'

export const ja: Words = {
  locale: 'ja',
  direction: 'ltr',
  kinds: {
    breaking: '破壊的変更',
    added: '追加',
    changed: '変更',
    deprecated: '非推奨',
    removed: '削除',
    fixed: '修正',
    security: 'セキュリティ',
    other: 'その他',
  },
  widget: {
    button: '新着情報',
    heading: '{product} の新着情報',
    all: 'すべてのリリースを見る',
    more: { other: '他 {count} 件の変更' },
    unread: '未読',
    unreadCount: '未読 {count} 件',
    failed: '変更内容を読み込めませんでした。',
    nothing: 'まだ何もありません。',
  },
}
