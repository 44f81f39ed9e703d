import { inEveryLanguage } from './words.ts'

/** For changelogs of dated entries, in the place of texts of the same names that speak of releases. */

export const search = inEveryLanguage({
  changes: [
    'Search updates',
    'Neuigkeiten suchen',
    'Rechercher',
    'Buscar novedades',
    '更新情報を検索',
    'ابحث في التحديثات',
  ],
})

export const pages = inEveryLanguage({
  newer: [
    'Newer updates',
    'Neuere Meldungen',
    'Nouveautés plus récentes',
    'Novedades más recientes',
    'より新しい更新',
    'تحديثات أحدث',
  ],
  older: [
    'Older updates',
    'Ältere Meldungen',
    'Nouveautés plus anciennes',
    'Novedades anteriores',
    '以前の更新',
    'تحديثات أقدم',
  ],
  searchOlder: [
    'Search older updates',
    'Ältere Meldungen durchsuchen',
    'Chercher dans les nouveautés plus anciennes',
    'Buscar en novedades anteriores',
    '以前の更新を検索',
    'البحث في تحديثات أقدم',
  ],
  andOlder: [
    '{version} and older',
    '{version} und älter',
    '{version} et avant',
    '{version} y anteriores',
    '{version} 以前',
    '{version} وما قبله',
  ],
})

export const changelog = inEveryLanguage({
  releases: [
    ['{count} update', '{count} updates'],
    ['{count} Meldung', '{count} Meldungen'],
    ['{count} nouveauté', '{count} nouveautés'],
    ['{count} novedad', '{count} novedades'],
    '{count} 件の更新',
    ['تحديث واحد', 'تحديثان', '{count} تحديثات', '{count} تحديثًا', '{count} تحديث'],
  ],
  noReleases: [
    'Nothing yet',
    'Noch nichts',
    'Rien pour l’instant',
    'Todavía nada',
    'まだありません',
    'لا شيء بعد',
  ],
  showAll: [
    'Show all updates',
    'Alle Meldungen anzeigen',
    'Afficher toutes les nouveautés',
    'Mostrar todas las novedades',
    'すべての更新を表示',
    'عرض كل التحديثات',
  ],
  nothing: [
    'New updates appear here and in the feeds.',
    'Neue Meldungen erscheinen hier und in den Feeds.',
    'Les nouveautés apparaissent ici et dans les flux.',
    'Las novedades aparecerán aquí y en los feeds.',
    '公開されると、ここやフィードに表示されます。',
    'تظهر التحديثات الجديدة هنا وفي الخلاصات.',
  ],
  noneOfKind: [
    'No update has changes of this kind so far.',
    'Bisher enthält keine Meldung Änderungen dieser Art.',
    'Aucune nouveauté ne contient de changement de ce type pour l’instant.',
    'Por ahora ninguna novedad tiene cambios de este tipo.',
    '今のところ、この種類の変更を含む更新はありません。',
    'لا يوجد تحديث فيه تغييرات من هذا النوع حتى الآن.',
  ],
  noneMentions: [
    'No update mentions “{words}” so far.',
    'Bisher erwähnt keine Meldung „{words}“.',
    'Aucune nouveauté ne mentionne «\u00a0{words}\u00a0» pour l’instant.',
    'Por ahora ninguna novedad menciona «{words}».',
    '今のところ、「{words}」を含む更新はありません。',
    'لا يوجد تحديث يذكر «{words}» حتى الآن.',
  ],
})

export const timeline = inEveryLanguage({
  latest: [
    'Latest updates',
    'Neueste Meldungen',
    'Dernières nouveautés',
    'Últimas novedades',
    '最新の更新',
    'أحدث التحديثات',
  ],
})

export const release = inEveryLanguage({
  ofAll: [
    '{count} of {all} changes · see the whole update',
    '{count} von {all} Änderungen · ganze Meldung ansehen',
    '{count} changements sur {all} · voir toute la nouveauté',
    '{count} de {all} cambios · ver la novedad completa',
    '{all} 件中 {count} 件の変更 · 更新全体を見る',
    '{count} من أصل {all} من التغييرات · عرض التحديث كاملًا',
  ],
  readAll: [
    'Read all of this update',
    'Diese Meldung vollständig lesen',
    'Lire toute la nouveauté',
    'Leer la novedad completa',
    'この更新の全文を読む',
    'قراءة هذا التحديث كاملًا',
  ],
  asMarkdown: ['Markdown', 'Markdown', 'Markdown', 'Markdown', 'Markdown', 'Markdown'],
  releases: [
    'Other updates',
    'Weitere Meldungen',
    'Autres nouveautés',
    'Otras novedades',
    'ほかの更新',
    'تحديثات أخرى',
  ],
  next: ['Later', 'Später', 'Plus tard', 'Después', '次', 'لاحقًا'],
  previous: ['Earlier', 'Früher', 'Plus tôt', 'Antes', '前', 'سابقًا'],
})

export const missing = inEveryLanguage({
  title: [
    'There is no update {version}',
    'Es gibt keine Meldung {version}',
    'La nouveauté {version} n’existe pas',
    'No existe la novedad {version}',
    '更新 {version} はありません',
    'التحديث {version} غير موجود',
  ],
})

export const near = inEveryLanguage({
  perhaps: [
    'Perhaps you mean one of these updates.',
    'Vielleicht meinen Sie eine dieser Meldungen.',
    'Peut-être cherchez-vous l’une de ces nouveautés.',
    'Quizá busque una de estas novedades.',
    '次のいずれかの更新をお探しかもしれません。',
    'ربما تقصد أحد هذه التحديثات.',
  ],
})
