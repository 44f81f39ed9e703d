import { inEveryLanguage } from './words.ts'

/** Texts around a release in a message of mail. */

export const mail = inEveryLanguage({
  updated: [
    '{release} (updated)',
    '{release} (aktualisiert)',
    '{release} (mis à jour)',
    '{release} (actualizado)',
    '{release} (更新)',
    '{release} (محدَّث)',
  ],
  several: [
    '{product}: {count} new releases',
    '{product}: {count} neue Versionen',
    '{product}\u00a0: {count} nouvelles versions',
    '{product}: {count} versiones nuevas',
    '{product}: 新しいリリース {count} 件',
    '{product}: إصدارات جديدة ({count})',
  ],
  more: [
    '{count} more on the page',
    '{count} weitere auf der Seite',
    '{count} de plus sur la page',
    '{count} más en la página',
    'ほか {count} 件はページに掲載',
    'المزيد في الصفحة: {count}',
  ],
  rest: [
    'The rest is on the page',
    'Der Rest steht auf der Seite',
    'La suite est sur la page',
    'El resto está en la página',
    '続きはページに掲載',
    'البقية في الصفحة',
  ],
  read: [
    'Read the release notes',
    'Versionshinweise lesen',
    'Lire les notes de version',
    'Leer las notas de versión',
    'リリースノートを読む',
    'قراءة ملاحظات الإصدار',
  ],
  open: ['Open the page', 'Seite öffnen', 'Ouvrir la page', 'Abrir la página', 'ページを開く', 'فتح الصفحة'],
  readAll: [
    'See all releases',
    'Alle Versionen ansehen',
    'Voir toutes les versions',
    'Ver todas las versiones',
    'すべてのリリースを見る',
    'عرض كل الإصدارات',
  ],
  connected: [
    'Mail from changelogd works',
    'E-Mail von changelogd funktioniert',
    'Les e-mails de changelogd fonctionnent',
    'El correo de changelogd funciona',
    'changelogd からのメールは正常です',
    'بريد changelogd يعمل',
  ],
  announced: [
    'Releases will be announced here.',
    'Neue Versionen werden hier angekündigt.',
    'Les nouvelles versions seront annoncées ici.',
    'Las versiones nuevas se anunciarán aquí.',
    '新しいリリースはここでお知らせします。',
    'سيُعلن عن الإصدارات هنا.',
  ],
  reason: [
    'You get this because you are on the list {list}.',
    'Sie erhalten dies, weil Sie auf der Liste {list} stehen.',
    'Vous recevez ce message parce que vous êtes sur la liste {list}.',
    'Recibe este mensaje porque está en la lista {list}.',
    'このメールは {list} の登録者にお送りしています。',
    'تصلك هذه الرسالة لأنك ضمن القائمة {list}.',
  ],
  /** In place of a picture in plain text. */
  picture: [
    '[Picture: {words}]',
    '[Bild: {words}]',
    '[Image\u00a0: {words}]',
    '[Imagen: {words}]',
    '[画像: {words}]',
    '[صورة: {words}]',
  ],
  unsubscribe: ['Unsubscribe', 'Abbestellen', 'Se désabonner', 'Darse de baja', '配信停止', 'إلغاء الاشتراك'],
})
