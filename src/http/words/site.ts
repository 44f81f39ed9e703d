import type { Language } from '../../domain/records.ts'
import type { ErrorCode } from '../request/errors.ts'
import { inEveryLanguage, plural, pluralWithMany, pluralWithTwo } from './words.ts'

/** Texts about the site for pages and feeds, and of errors. */

export const site = inEveryLanguage({
  en: {
    whatsNew: 'What’s new',
    /** For search engines: of the list of all products. */
    about: 'The newest releases of all products.',
    breadcrumb: 'Breadcrumb',
    goToStart: 'Go to the start page',
    nothingPublic: 'No changelog is public yet. Published changelogs appear here.',
  },
  de: {
    whatsNew: 'Neuigkeiten',
    about: 'Die neuesten Versionen aller Produkte.',
    breadcrumb: 'Navigationspfad',
    goToStart: 'Zur Startseite',
    nothingPublic: 'Noch ist nichts veröffentlicht. Neue Versionen erscheinen hier.',
  },
  fr: {
    whatsNew: 'Nouveautés',
    about: 'Les dernières versions de tous les produits.',
    breadcrumb: 'Fil d’Ariane',
    goToStart: 'Retour à l’accueil',
    nothingPublic: 'Aucune note de version n’est publique pour l’instant. Elles apparaîtront ici.',
  },
  es: {
    whatsNew: 'Novedades',
    about: 'Las últimas versiones de todos los productos.',
    breadcrumb: 'Ruta de navegación',
    goToStart: 'Ir al inicio',
    nothingPublic: 'Todavía no hay notas de versión públicas. Lo que se publique aparecerá aquí.',
  },
  ja: {
    whatsNew: '新着情報',
    about: 'すべての製品の最新リリース。',
    breadcrumb: 'パンくずリスト',
    goToStart: 'トップページへ',
    nothingPublic: '公開されている変更履歴はまだありません。公開されるとここに表示されます。',
  },
  ar: {
    whatsNew: 'ما الجديد',
    about: 'أحدث إصدارات كل المنتجات.',
    breadcrumb: 'مسار التنقل',
    goToStart: 'الذهاب إلى الصفحة الرئيسية',
    nothingPublic: 'لا يوجد سجل تغييرات عام بعد. سيظهر هنا كل ما يُنشر.',
  },
})

/** For browsers without the password. */
export const gate = inEveryLanguage({
  en: {
    about: 'You need a user name and a password to open this site. Your browser asks for them.',
    enter: 'Enter the password',
    ask: 'Don’t have one? Ask whoever gave you this address.',
    blocked: 'Too many wrong passwords',
    tryAgain: plural('Try again in {count} minute.', 'Try again in {count} minutes.'),
  },
  de: {
    about: 'Für diese Website brauchen Sie Benutzername und Passwort. Ihr Browser fragt danach.',
    enter: 'Passwort eingeben',
    ask: 'Noch kein Passwort? Wer Ihnen diese Adresse gegeben hat, kann weiterhelfen.',
    blocked: 'Zu viele falsche Passwörter',
    tryAgain: plural('Bitte {count} Minute warten.', 'Bitte {count} Minuten warten.'),
  },
  fr: {
    about:
      'L’accès à ce site demande un nom d’utilisateur et un mot de passe, à saisir dans votre navigateur.',
    enter: 'Saisir le mot de passe',
    ask: 'Vous ne les avez pas\u202f? Demandez-les à la personne qui vous a donné cette adresse.',
    blocked: 'Trop de mots de passe erronés',
    tryAgain: pluralWithMany('Réessayez dans {count} minute.', 'Réessayez dans {count} minutes.'),
  },
  es: {
    about: 'Para entrar en este sitio se necesita un usuario y una contraseña. El navegador los pedirá.',
    enter: 'Introducir la contraseña',
    ask: '¿No los tiene? Pídaselos a quien le dio esta dirección.',
    blocked: 'Demasiadas contraseñas incorrectas',
    tryAgain: pluralWithMany('Inténtelo dentro de {count} minuto.', 'Inténtelo dentro de {count} minutos.'),
  },
  ja: {
    about: 'このサイトを見るにはユーザー名とパスワードが必要です。ブラウザーの入力画面に入力してください。',
    enter: 'パスワードを入力',
    ask: 'お持ちでない場合は、このアドレスを案内した方にお問い合わせください。',
    blocked: '誤ったパスワードが何度も入力されました',
    tryAgain: '{count} 分後にもう一度お試しください。',
  },
  ar: {
    about: 'يتطلب هذا الموقع اسم مستخدم وكلمة مرور، وسيطلبهما المتصفح.',
    enter: 'إدخال كلمة المرور',
    ask: 'ليست لديك كلمة مرور؟ اطلبها ممن أعطاك هذا العنوان.',
    blocked: 'محاولات كثيرة بكلمات مرور خاطئة',
    tryAgain: pluralWithTwo(
      'أعد المحاولة بعد دقيقة.',
      'أعد المحاولة بعد دقيقتين.',
      'أعد المحاولة بعد {count} دقائق.',
      'أعد المحاولة بعد {count} دقيقة.',
      'أعد المحاولة بعد {count} دقيقة.',
    ),
  },
})

export const subscribe = inEveryLanguage({
  en: {
    menu: 'Subscribe',
    readers: 'For feed readers',
    chats: 'For feed readers, Slack and Teams',
    scripts: 'For scripts and dashboards',
    file: 'The whole changelog as one file',
  },
  de: {
    menu: 'Abonnieren',
    readers: 'Für Feedreader',
    chats: 'Für Feedreader, Slack und Teams',
    scripts: 'Für Skripte und Dashboards',
    file: 'Alle Änderungen in einer Datei',
  },
  fr: {
    menu: 'S’abonner',
    readers: 'Pour les lecteurs de flux',
    chats: 'Pour les lecteurs de flux, Slack et Teams',
    scripts: 'Pour les scripts et les tableaux de bord',
    file: 'Toutes les notes de version dans un seul fichier',
  },
  es: {
    menu: 'Suscribirse',
    readers: 'Para lectores de feeds',
    chats: 'Para lectores de feeds, Slack y Teams',
    scripts: 'Para scripts y paneles',
    file: 'Todas las notas de versión en un archivo',
  },
  ja: {
    menu: '購読',
    readers: 'フィードリーダー向け',
    chats: 'フィードリーダー、Slack、Teams 向け',
    scripts: 'スクリプトやダッシュボード向け',
    file: '変更履歴全体を 1 つのファイルで',
  },
  ar: {
    menu: 'اشتراك',
    readers: 'لقارئات الخلاصات',
    chats: 'لقارئات الخلاصات وSlack وTeams',
    scripts: 'للبرامج النصية ولوحات المعلومات',
    file: 'سجل التغييرات كله في ملف واحد',
  },
})

export const badge = inEveryLanguage({
  en: { name: 'changelog', none: 'none yet' },
  de: { name: 'Änderungen', none: 'noch keine' },
  fr: { name: 'notes de version', none: 'aucune version' },
  es: { name: 'notas de versión', none: 'sin versiones' },
  ja: { name: '変更履歴', none: 'リリースなし' },
  ar: { name: 'التغييرات', none: 'لا إصدارات بعد' },
})

/** The title of each error. */
export const errors: Readonly<Record<Language, Readonly<Record<ErrorCode, string>>>> = {
  en: {
    bad_request: 'This address is not valid',
    unauthorized: 'A password is needed',
    forbidden: 'Not allowed',
    not_found: 'Page not found',
    method_not_allowed: 'This page can only be read',
    rate_limited: 'Too many requests',
    internal_error: 'Something went wrong',
    unavailable: 'Not available right now',
  },
  de: {
    bad_request: 'Diese Adresse ist ungültig',
    unauthorized: 'Passwort erforderlich',
    forbidden: 'Kein Zugriff',
    not_found: 'Seite nicht gefunden',
    method_not_allowed: 'Diese Seite kann nur gelesen werden',
    rate_limited: 'Zu viele Anfragen',
    internal_error: 'Etwas ist schiefgegangen',
    unavailable: 'Gerade nicht verfügbar',
  },
  fr: {
    bad_request: 'Cette adresse n’est pas valide',
    unauthorized: 'Mot de passe requis',
    forbidden: 'Accès refusé',
    not_found: 'Page introuvable',
    method_not_allowed: 'Cette page est en lecture seule',
    rate_limited: 'Trop de requêtes',
    internal_error: 'Une erreur est survenue',
    unavailable: 'Indisponible pour le moment',
  },
  es: {
    bad_request: 'Esta dirección no es válida',
    unauthorized: 'Se necesita una contraseña',
    forbidden: 'Acceso denegado',
    not_found: 'Página no encontrada',
    method_not_allowed: 'Esta página es de solo lectura',
    rate_limited: 'Demasiadas solicitudes',
    internal_error: 'Algo salió mal',
    unavailable: 'No disponible en este momento',
  },
  ja: {
    bad_request: 'アドレスが正しくありません',
    unauthorized: 'パスワードが必要です',
    forbidden: 'アクセスが許可されていません',
    not_found: 'ページが見つかりません',
    method_not_allowed: 'このページは閲覧専用です',
    rate_limited: 'リクエストが多すぎます',
    internal_error: '問題が発生しました',
    unavailable: '現在利用できません',
  },
  ar: {
    bad_request: 'هذا العنوان غير صحيح',
    unauthorized: 'كلمة المرور مطلوبة',
    forbidden: 'الوصول غير مسموح',
    not_found: 'الصفحة غير موجودة',
    method_not_allowed: 'هذه الصفحة للقراءة فقط',
    rate_limited: 'طلبات كثيرة جدًا',
    internal_error: 'حدث خطأ ما',
    unavailable: 'غير متاح الآن',
  },
}

/** Texts below the title. Without one, the message for programs is shown. */
export const errorMessages: Readonly<Record<Language, Partial<Record<ErrorCode, string>>>> = {
  en: {
    not_found: 'There is no page at this address, or it is not public.',
    internal_error: 'The server failed. Its operator can find the cause in the log.',
    unavailable: 'The database is not responding. Please try again in a moment.',
  },
  de: {
    bad_request: 'Die Adresse enthält einen ungültigen Wert.',
    not_found: 'Unter dieser Adresse gibt es keine Seite, oder sie ist nicht öffentlich.',
    method_not_allowed: 'Hier sind nur GET und HEAD möglich.',
    rate_limited: 'Bitte warten Sie einen Moment und laden Sie die Seite neu.',
    internal_error: 'Auf dem Server ist ein Fehler aufgetreten. Der Betreiber findet ihn im Protokoll.',
    unavailable: 'Die Datenbank antwortet nicht. Bitte versuchen Sie es gleich noch einmal.',
  },
  fr: {
    bad_request: 'L’adresse contient une valeur non valide.',
    not_found: 'Il n’y a pas de page à cette adresse, ou elle n’est pas publique.',
    method_not_allowed: 'Seuls GET et HEAD sont acceptés ici.',
    rate_limited: 'Veuillez patienter un instant, puis recharger la page.',
    internal_error: 'Le serveur a rencontré une erreur. La cause se trouve dans son journal.',
    unavailable: 'La base de données ne répond pas. Veuillez réessayer dans un instant.',
  },
  es: {
    bad_request: 'La dirección contiene un valor no válido.',
    not_found: 'No hay ninguna página en esta dirección, o no es pública.',
    method_not_allowed: 'Aquí solo se admiten GET y HEAD.',
    rate_limited: 'Espere un momento y vuelva a cargar la página.',
    internal_error:
      'Se produjo un error en el servidor. Quien lo administra encontrará la causa en el registro.',
    unavailable: 'La base de datos no responde. Inténtelo de nuevo en un momento.',
  },
  ja: {
    bad_request: 'アドレスの一部の値が正しくありません。',
    not_found: 'このアドレスにページがないか、公開されていません。',
    method_not_allowed: 'ここでは GET と HEAD だけが使えます。',
    rate_limited: 'しばらく待ってから再読み込みしてください。',
    internal_error: 'サーバーでエラーが発生しました。原因は管理者がログで確認できます。',
    unavailable: 'データベースが応答しません。しばらくしてからもう一度お試しください。',
  },
  ar: {
    bad_request: 'يحتوي العنوان على قيمة غير صالحة.',
    not_found: 'لا توجد صفحة في هذا العنوان، أو أنها ليست عامة.',
    method_not_allowed: 'لا يمكن هنا استخدام غير GET وHEAD.',
    rate_limited: 'يرجى الانتظار لحظة ثم إعادة التحميل.',
    internal_error: 'حدث خطأ في الخادم. يمكن لمشغّله معرفة السبب من السجل.',
    unavailable: 'قاعدة البيانات لا تستجيب. يرجى المحاولة مرة أخرى بعد لحظات.',
  },
}
