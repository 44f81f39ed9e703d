import { inEveryLanguage } from './words.ts'

/** Additions to the text of authors. */

export const authored = inEveryLanguage({
  note: ['Note', 'Hinweis', 'Remarque', 'Nota', 'メモ', 'ملاحظة'],
  tip: ['Tip', 'Tipp', 'Astuce', 'Consejo', 'ヒント', 'تلميح'],
  important: ['Important', 'Wichtig', 'Important', 'Importante', '重要', 'مهم'],
  warning: ['Warning', 'Warnung', 'Avertissement', 'Advertencia', '警告', 'تحذير'],
  caution: ['Caution', 'Vorsicht', 'Attention', 'Precaución', '注意', 'تنبيه'],
  /** For those who do not see them. */
  table: ['Table', 'Tabelle', 'Tableau', 'Tabla', '表', 'جدول'],
  image: ['Image', 'Bild', 'Image', 'Imagen', '画像', 'صورة'],
  /** In place of a picture, in plain text, and of one that is not shown. */
  picture: [
    '[Picture: {words}]',
    '[Bild: {words}]',
    '[Image\u00a0: {words}]',
    '[Imagen: {words}]',
    '[画像: {words}]',
    '[صورة: {words}]',
  ],
  done: ['done', 'erledigt', 'fait', 'hecho', '完了', 'تم'],
  notDone: ['not done', 'nicht erledigt', 'à faire', 'pendiente', '未完了', 'لم يتم'],
  footnote: [
    'Footnote {number}',
    'Fußnote {number}',
    'Note {number}',
    'Nota al pie {number}',
    '脚注 {number}',
    'حاشية {number}',
  ],
  footnotes: ['Footnotes', 'Fußnoten', 'Notes', 'Notas al pie', '脚注', 'الحواشي'],
  backToText: [
    'Back to the text',
    'Zurück zum Text',
    'Retour au texte',
    'Volver al texto',
    '本文に戻る',
    'العودة إلى النص',
  ],
})
