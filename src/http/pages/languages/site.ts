import type { Language } from '../../../domain/records.ts'
import type { ErrorCode } from '../../errors.ts'
import { inEveryLanguage, plural } from './words.ts'

/** What every page and feed says of the site, and what errors say. */

export const site = inEveryLanguage({
  en: {
    whatsNew: 'What’s new',
    /** For search engines: of the list of all products. */
    about: 'The newest releases of all products.',
    aboutNamed: 'What is new at {site}: all products.',
    breadcrumb: 'Breadcrumb',
    startPage: 'Start page',
    goToStart: 'Go to the start page',
    nothingPublic: 'No changelog is public yet. What is published appears here.',
  },
  de: {
    whatsNew: 'Neuigkeiten',
    about: 'Die neuesten Versionen aller Produkte.',
    aboutNamed: 'Neues bei {site}: alle Produkte.',
    breadcrumb: 'Navigationspfad',
    startPage: 'Startseite',
    goToStart: 'Zur Startseite',
    nothingPublic: 'Noch ist nichts öffentlich. Was veröffentlicht wird, erscheint hier.',
  },
  fr: {
    whatsNew: 'Nouveautés',
    about: 'Les dernières versions de tous les produits.',
    aboutNamed: 'Les nouveautés de {site} : tous les produits.',
    breadcrumb: 'Fil d’Ariane',
    startPage: 'Accueil',
    goToStart: 'Aller à l’accueil',
    nothingPublic: 'Aucune note de version n’est encore publique. Ce qui est publié apparaît ici.',
  },
  es: {
    whatsNew: 'Novedades',
    about: 'Las últimas versiones de todos los productos.',
    aboutNamed: 'Novedades de {site}: todos los productos.',
    breadcrumb: 'Ruta de navegación',
    startPage: 'Inicio',
    goToStart: 'Ir al inicio',
    nothingPublic: 'Todavía no hay notas de versión públicas. Lo que se publique aparecerá aquí.',
  },
  ja: {
    whatsNew: '新着情報',
    about: 'すべての製品の最新リリース。',
    aboutNamed: '{site} の新着情報: すべての製品。',
    breadcrumb: 'パンくずリスト',
    startPage: 'トップページ',
    goToStart: 'トップページへ',
    nothingPublic: '公開されている変更履歴はまだありません。公開されるとここに表示されます。',
  },
  ar: {
    whatsNew: 'ما الجديد',
    about: 'أحدث إصدارات كل المنتجات.',
    aboutNamed: 'الجديد في {site}: كل المنتجات.',
    breadcrumb: 'مسار التنقل',
    startPage: 'الصفحة الرئيسية',
    goToStart: 'الذهاب إلى الصفحة الرئيسية',
    nothingPublic: 'لا يوجد سجل تغييرات عام بعد. ما يُنشر يظهر هنا.',
  },
})

/** What browsers without the password see. */
export const gate = inEveryLanguage({
  en: {
    about: 'This site is open to those who have its user name and password. Your browser asks for them.',
    enter: 'Enter the password',
    ask: 'You have none? Ask whoever gave you this address.',
    blocked: 'Too many wrong passwords',
    tryAgain: plural('Try again in {count} minute.', 'Try again in {count} minutes.'),
  },
  de: {
    about: 'Diese Website öffnet sich mit Benutzername und Passwort. Der Browser fragt danach.',
    enter: 'Passwort eingeben',
    ask: 'Noch kein Passwort? Wer Ihnen diese Adresse gegeben hat, kann weiterhelfen.',
    blocked: 'Zu viele falsche Passwörter',
    tryAgain: plural(
      'Versuchen Sie es in {count} Minute erneut.',
      'Versuchen Sie es in {count} Minuten erneut.',
    ),
  },
  fr: {
    about: 'Ce site s’ouvre avec un nom d’utilisateur et un mot de passe. Votre navigateur vous les demande.',
    enter: 'Saisir le mot de passe',
    ask: 'Vous n’en avez pas ? Demandez-le à la personne qui vous a donné cette adresse.',
    blocked: 'Trop de mots de passe erronés',
    tryAgain: {
      one: 'Réessayez dans {count} minute.',
      many: 'Réessayez dans {count} de minutes.',
      other: 'Réessayez dans {count} minutes.',
    },
  },
  es: {
    about: 'Este sitio se abre con un nombre de usuario y una contraseña. El navegador los pedirá.',
    enter: 'Introducir la contraseña',
    ask: '¿No la tiene? Pídala a quien le dio esta dirección.',
    blocked: 'Demasiadas contraseñas incorrectas',
    tryAgain: {
      one: 'Inténtelo de nuevo en {count} minuto.',
      many: 'Inténtelo de nuevo en {count} de minutos.',
      other: 'Inténtelo de nuevo en {count} minutos.',
    },
  },
  ja: {
    about: 'このサイトを見るにはユーザー名とパスワードが必要です。ブラウザーの入力画面に入力してください。',
    enter: 'パスワードを入力',
    ask: 'お持ちでない場合は、このアドレスを知らせた人にお問い合わせください。',
    blocked: 'パスワードの間違いが多すぎます',
    tryAgain: '{count} 分後にもう一度お試しください。',
  },
  ar: {
    about: 'يُفتح هذا الموقع باسم مستخدم وكلمة مرور، وسيطلبهما المتصفح.',
    enter: 'إدخال كلمة المرور',
    ask: 'ليست لديك كلمة مرور؟ اطلبها ممن أعطاك هذا العنوان.',
    blocked: 'محاولات كثيرة بكلمات مرور خاطئة',
    tryAgain: {
      one: 'أعد المحاولة بعد دقيقة.',
      two: 'أعد المحاولة بعد دقيقتين.',
      few: 'أعد المحاولة بعد {count} دقائق.',
      many: 'أعد المحاولة بعد {count} دقيقة.',
      other: 'أعد المحاولة بعد {count} دقيقة.',
    },
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
    file: 'Toutes les notes de version en un fichier',
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

export const feed = inEveryLanguage({
  en: { ofProduct: 'What is new in {product}', ofTeam: 'What is new at {team}' },
  de: { ofProduct: 'Neues in {product}', ofTeam: 'Neues bei {team}' },
  fr: { ofProduct: 'Nouveautés de {product}', ofTeam: 'Nouveautés de {team}' },
  es: { ofProduct: 'Novedades de {product}', ofTeam: 'Novedades de {team}' },
  ja: { ofProduct: '{product} の新着情報', ofTeam: '{team} の新着情報' },
  ar: { ofProduct: 'الجديد في {product}', ofTeam: 'الجديد لدى {team}' },
})

export const badge = inEveryLanguage({
  en: { name: 'changelog', none: 'none yet' },
  de: { name: 'Änderungen', none: 'noch keine' },
  fr: { name: 'notes de version', none: 'aucune version' },
  es: { name: 'notas de versión', none: 'sin versiones' },
  ja: { name: '変更履歴', none: 'リリースなし' },
  ar: { name: 'التغييرات', none: 'لا إصدار بعد' },
})

/** Without a message, it is the one for programs. */
type ErrorTexts = Readonly<Record<ErrorCode, { title: string; message: string | null }>>

export const errors: Readonly<Record<Language, ErrorTexts>> = {
  en: {
    bad_request: { title: 'This address is not right', message: null },
    unauthorized: { title: 'A password is needed', message: null },
    forbidden: { title: 'Not allowed', message: null },
    not_found: {
      title: 'Page not found',
      message: 'There is no page at this address, or it is not public.',
    },
    method_not_allowed: { title: 'This page can only be read', message: null },
    rate_limited: { title: 'Too many requests', message: null },
    internal_error: {
      title: 'Something went wrong',
      message: 'The server failed. Its operator finds the cause in the log.',
    },
    unavailable: {
      title: 'Not available right now',
      message: 'The database does not answer. Please try again in a moment.',
    },
  },
  de: {
    bad_request: {
      title: 'Diese Adresse stimmt nicht',
      message: 'Ein Teil der Adresse hat keinen gültigen Wert.',
    },
    unauthorized: {
      title: 'Ein Passwort ist nötig',
      message: 'Diese Seite ist durch ein Passwort geschützt.',
    },
    forbidden: { title: 'Kein Zugriff', message: 'Diese Seite darf nicht gelesen werden.' },
    not_found: {
      title: 'Seite nicht gefunden',
      message: 'Unter dieser Adresse gibt es keine Seite, oder sie ist nicht öffentlich.',
    },
    method_not_allowed: {
      title: 'Diese Seite kann nur gelesen werden',
      message: 'Hier sind nur GET und HEAD möglich.',
    },
    rate_limited: { title: 'Zu viele Anfragen', message: 'Bitte einen Moment warten und neu laden.' },
    internal_error: {
      title: 'Etwas ist schiefgegangen',
      message: 'Der Server hat einen Fehler. Sein Betreiber findet die Ursache im Protokoll.',
    },
    unavailable: {
      title: 'Gerade nicht verfügbar',
      message: 'Die Datenbank antwortet nicht. Bitte gleich noch einmal versuchen.',
    },
  },
  fr: {
    bad_request: {
      title: 'Cette adresse n’est pas correcte',
      message: 'Une partie de l’adresse n’a pas une valeur valable.',
    },
    unauthorized: {
      title: 'Un mot de passe est nécessaire',
      message: 'Cette page est protégée par un mot de passe.',
    },
    forbidden: { title: 'Non autorisé', message: 'Cette page ne peut pas être lue.' },
    not_found: {
      title: 'Page introuvable',
      message: 'Il n’y a pas de page à cette adresse, ou elle n’est pas publique.',
    },
    method_not_allowed: {
      title: 'Cette page peut seulement être lue',
      message: 'Seuls GET et HEAD sont possibles ici.',
    },
    rate_limited: { title: 'Trop de requêtes', message: 'Veuillez patienter un instant, puis recharger.' },
    internal_error: {
      title: 'Une erreur est survenue',
      message: 'Le serveur a échoué. Son exploitant en trouve la cause dans le journal.',
    },
    unavailable: {
      title: 'Indisponible pour le moment',
      message: 'La base de données ne répond pas. Veuillez réessayer dans un instant.',
    },
  },
  es: {
    bad_request: {
      title: 'Esta dirección no es correcta',
      message: 'Una parte de la dirección no tiene un valor válido.',
    },
    unauthorized: {
      title: 'Se necesita una contraseña',
      message: 'Esta página está protegida con contraseña.',
    },
    forbidden: { title: 'No permitido', message: 'Esta página no se puede leer.' },
    not_found: {
      title: 'Página no encontrada',
      message: 'No hay ninguna página en esta dirección, o no es pública.',
    },
    method_not_allowed: {
      title: 'Esta página solo se puede leer',
      message: 'Aquí solo son posibles GET y HEAD.',
    },
    rate_limited: {
      title: 'Demasiadas solicitudes',
      message: 'Espere un momento y vuelva a cargar la página.',
    },
    internal_error: {
      title: 'Algo salió mal',
      message: 'El servidor falló. Quien lo administra encontrará la causa en el registro.',
    },
    unavailable: {
      title: 'No disponible en este momento',
      message: 'La base de datos no responde. Inténtelo de nuevo en un momento.',
    },
  },
  ja: {
    bad_request: { title: 'アドレスが正しくありません', message: 'アドレスの一部の値が正しくありません。' },
    unauthorized: { title: 'パスワードが必要です', message: 'このページはパスワードで保護されています。' },
    forbidden: { title: '許可されていません', message: 'このページは読めません。' },
    not_found: {
      title: 'ページが見つかりません',
      message: 'このアドレスにページがないか、公開されていません。',
    },
    method_not_allowed: {
      title: 'このページは閲覧専用です',
      message: 'ここでは GET と HEAD だけが使えます。',
    },
    rate_limited: { title: 'リクエストが多すぎます', message: 'しばらく待ってから再読み込みしてください。' },
    internal_error: {
      title: '問題が発生しました',
      message: 'サーバーでエラーが発生しました。原因は運営者がログで確認できます。',
    },
    unavailable: {
      title: '現在利用できません',
      message: 'データベースが応答しません。しばらくしてからもう一度お試しください。',
    },
  },
  ar: {
    bad_request: { title: 'هذا العنوان غير صحيح', message: 'جزء من العنوان له قيمة غير صالحة.' },
    unauthorized: { title: 'كلمة المرور مطلوبة', message: 'هذه الصفحة محمية بكلمة مرور.' },
    forbidden: { title: 'غير مسموح', message: 'لا تجوز قراءة هذه الصفحة.' },
    not_found: {
      title: 'الصفحة غير موجودة',
      message: 'لا توجد صفحة في هذا العنوان، أو أنها ليست عامة.',
    },
    method_not_allowed: {
      title: 'هذه الصفحة للقراءة فقط',
      message: 'هنا يمكن استخدام GET وHEAD فقط.',
    },
    rate_limited: { title: 'طلبات كثيرة جدًا', message: 'يرجى الانتظار لحظة ثم إعادة التحميل.' },
    internal_error: {
      title: 'حدث خطأ ما',
      message: 'تعطّل الخادم. يجد مشغّله السبب في السجل.',
    },
    unavailable: {
      title: 'غير متاح الآن',
      message: 'قاعدة البيانات لا تستجيب. يرجى المحاولة بعد لحظة.',
    },
  },
}
