import { inEveryLanguage } from './words.ts'

/** Texts of releases and upgrades, and the names of kinds. */

export const kinds = inEveryLanguage({
  breaking: ['Breaking', 'Inkompatibel', 'Incompatible', 'Incompatible', '破壊的変更', 'غير متوافق'],
  added: ['Added', 'Neu', 'Ajouté', 'Añadido', '追加', 'أُضيف'],
  changed: ['Changed', 'Geändert', 'Modifié', 'Cambiado', '変更', 'تغيّر'],
  deprecated: ['Deprecated', 'Veraltet', 'Obsolète', 'Obsoleto', '非推奨', 'مهمل'],
  removed: ['Removed', 'Entfernt', 'Supprimé', 'Eliminado', '削除', 'أُزيل'],
  fixed: ['Fixed', 'Behoben', 'Corrigé', 'Corregido', '修正', 'أُصلح'],
  security: ['Security', 'Sicherheit', 'Sécurité', 'Seguridad', 'セキュリティ', 'الأمان'],
  other: ['Other', 'Sonstiges', 'Autre', 'Otros', 'その他', 'أخرى'],
})

export const release = inEveryLanguage({
  noChanges: [
    'No changes listed.',
    'Keine Änderungen aufgeführt.',
    'Aucun changement indiqué.',
    'No se indican cambios.',
    '変更の記載はありません。',
    'لم تُذكر أي تغييرات.',
  ],
  placeInList: [
    'Link to {label} in this list',
    'Link zu {label} in dieser Liste',
    'Lien vers {label} dans cette liste',
    'Enlace a {label} en esta lista',
    'この一覧の {label} へのリンク',
    'رابط إلى {label} في هذه القائمة',
  ],
  linkToChange: [
    'Link to this change',
    'Link zu dieser Änderung',
    'Lien vers ce changement',
    'Enlace a este cambio',
    'この変更へのリンク',
    'رابط إلى هذا التغيير',
  ],
  ofAll: [
    '{count} of {all} changes · see the whole release',
    '{count} von {all} Änderungen · ganze Version ansehen',
    '{count} changements sur {all} · voir la version complète',
    '{count} de {all} cambios · ver la versión completa',
    '{all} 件中 {count} 件の変更 · リリース全体を見る',
    '{count} من أصل {all} من التغييرات · عرض الإصدار كاملًا',
  ],
  readAll: [
    'Read all of this release',
    'Diese Version vollständig lesen',
    'Lire la version complète',
    'Leer la versión completa',
    'このリリースの全文を読む',
    'قراءة هذا الإصدار كاملًا',
  ],
  showAll: [
    'Show all {count} changes',
    'Alle {count} Änderungen anzeigen',
    'Afficher les {count} changements',
    'Mostrar los {count} cambios',
    '{count} 件の変更をすべて表示',
    'عرض كل التغييرات ({count})',
  ],
  asMarkdown: [
    'Read it as Markdown',
    'Als Markdown lesen',
    'Lire en Markdown',
    'Leer en Markdown',
    'Markdown で読む',
    'القراءة بصيغة Markdown',
  ],
  range: [
    '{first}–{last} of {all}',
    '{first}–{last} von {all}',
    '{first}–{last} sur {all}',
    '{first}–{last} de {all}',
    '{all} 件中 {first}–{last}',
    '{first}–{last} من {all}',
  ],
  changes: ['Changes', 'Änderungen', 'Changements', 'Cambios', '変更', 'التغييرات'],
  releases: ['Releases', 'Versionen', 'Versions', 'Versiones', 'リリース', 'الإصدارات'],
  next: [
    'Next release',
    'Nächste Version',
    'Version suivante',
    'Versión siguiente',
    '次のリリース',
    'الإصدار التالي',
  ],
  previous: [
    'Previous release',
    'Vorherige Version',
    'Version précédente',
    'Versión anterior',
    '前のリリース',
    'الإصدار السابق',
  ],
})

export const upgrade = inEveryLanguage({
  plan: [
    'Plan an upgrade',
    'Update planen',
    'Préparer une mise à jour',
    'Planificar una actualización',
    'アップグレードを計画',
    'التخطيط للترقية',
  ],
  toThis: [
    'Upgrade to this version',
    'Update auf diese Version',
    'Mettre à jour vers cette version',
    'Actualizar a esta versión',
    'このバージョンへの更新',
    'الترقية إلى هذا الإصدار',
  ],
  upTo: ['Up to {to}', 'Bis {to}', 'Jusqu’à {to}', 'Hasta {to}', '{to} まで', 'حتى {to}'],
  until: [
    '{found}, until {date}',
    '{found}, bis {date}',
    '{found}, jusqu’au {date}',
    '{found}, hasta el {date}',
    '{found} ({date} まで)',
    '{found}، حتى {date}',
  ],
  during: [
    '{found}, from {since} to {date}',
    '{found}, vom {since} bis {date}',
    '{found}, du {since} au {date}',
    '{found}, del {since} al {date}',
    '{found} ({since} から {date} まで)',
    '{found}، من {since} إلى {date}',
  ],
  allKinds: [
    'Show all kinds',
    'Alle Arten anzeigen',
    'Afficher tous les types',
    'Mostrar todos los tipos',
    'すべての種類を表示',
    'عرض كل الأنواع',
  ],
  from: ['From', 'Von', 'De', 'De', '現在', 'من'],
  to: ['to', 'auf', 'à', 'a', '更新先', 'إلى'],
  button: [
    'Show changes',
    'Änderungen anzeigen',
    'Afficher les changements',
    'Mostrar cambios',
    '変更を表示',
    'عرض التغييرات',
  ],
  nothingNewer: [
    'There is no newer release than {version}.',
    'Es gibt keine neuere Version als {version}.',
    'Il n’y a pas de version plus récente que {version}.',
    'No hay ninguna versión más reciente que {version}.',
    '{version} より新しいリリースはありません。',
    'لا يوجد إصدار أحدث من {version}.',
  ],
})

/** For the page of a version that does not exist. */
export const missing = inEveryLanguage({
  title: [
    'There is no version {version}',
    'Es gibt keine Version {version}',
    'La version {version} n’existe pas',
    'No existe la versión {version}',
    'バージョン {version} はありません',
    'الإصدار {version} غير موجود',
  ],
  choose: [
    'Or choose others',
    'Oder andere wählen',
    'Ou en choisir d’autres',
    'O elegir otras',
    'ほかのバージョンを選択',
    'أو اختر غيرها',
  ],
})

export const near = inEveryLanguage({
  perhaps: [
    'Perhaps you mean one of these versions.',
    'Vielleicht meinen Sie eine dieser Versionen.',
    'Peut-être cherchez-vous l’une de ces versions.',
    'Quizá busque una de estas versiones.',
    '次のいずれかのバージョンをお探しかもしれません。',
    'ربما تقصد أحد هذه الإصدارات.',
  ],
  older: ['Older', 'Älter', 'Précédente', 'Anterior', '古い版', 'أقدم'],
  newer: ['Newer', 'Neuer', 'Suivante', 'Posterior', '新しい版', 'أحدث'],
})
