import { inEveryLanguage } from './words.ts'

/** Texts about the site for pages and feeds, and of errors. */

export const site = inEveryLanguage({
  whatsNew: ['What’s new', 'Neuigkeiten', 'Nouveautés', 'Novedades', '新着情報', 'ما الجديد'],
  /** For search engines: of the list of all products. */
  about: [
    'The newest releases of all products.',
    'Die neuesten Versionen aller Produkte.',
    'Les dernières versions de tous les produits.',
    'Las últimas versiones de todos los productos.',
    'すべての製品の最新リリース。',
    'أحدث إصدارات كل المنتجات.',
  ],
  newSince: [
    'New since your last visit',
    'Neu seit Ihrem letzten Besuch',
    'Nouveau depuis votre dernière visite',
    'Novedades desde su última visita',
    '前回の訪問以降の新着',
    'الجديد منذ زيارتك الأخيرة',
  ],
  breadcrumb: [
    'Breadcrumb',
    'Navigationspfad',
    'Fil d’Ariane',
    'Ruta de navegación',
    'パンくずリスト',
    'مسار التنقل',
  ],
  goToStart: [
    'Go to the start page',
    'Zur Startseite',
    'Retour à l’accueil',
    'Ir al inicio',
    'トップページへ',
    'الذهاب إلى الصفحة الرئيسية',
  ],
  nothingPublic: [
    'No changelog is public yet. Published changelogs appear here.',
    'Noch ist nichts veröffentlicht. Neue Versionen erscheinen hier.',
    'Aucune note de version n’est publique pour l’instant. Elles apparaîtront ici.',
    'Todavía no hay notas de versión públicas. Lo que se publique aparecerá aquí.',
    '公開されている変更履歴はまだありません。公開されるとここに表示されます。',
    'لا يوجد سجل تغييرات عام بعد. سيظهر هنا كل ما يُنشر.',
  ],
})

/** For browsers without the password. */
export const gate = inEveryLanguage({
  about: [
    'You need a user name and a password to open this site. Your browser asks for them.',
    'Für diese Website brauchen Sie Benutzername und Passwort. Ihr Browser fragt danach.',
    'L’accès à ce site demande un nom d’utilisateur et un mot de passe, à saisir dans votre navigateur.',
    'Para entrar en este sitio se necesita un usuario y una contraseña. El navegador los pedirá.',
    'このサイトを見るにはユーザー名とパスワードが必要です。ブラウザーの入力画面に入力してください。',
    'يتطلب هذا الموقع اسم مستخدم وكلمة مرور، وسيطلبهما المتصفح.',
  ],
  enter: [
    'Enter the password',
    'Passwort eingeben',
    'Saisir le mot de passe',
    'Introducir la contraseña',
    'パスワードを入力',
    'إدخال كلمة المرور',
  ],
  ask: [
    'Don’t have one? Ask whoever gave you this address.',
    'Noch kein Passwort? Wer Ihnen diese Adresse gegeben hat, kann weiterhelfen.',
    'Vous ne les avez pas\u202f? Demandez-les à la personne qui vous a donné cette adresse.',
    '¿No los tiene? Pídaselos a quien le dio esta dirección.',
    'お持ちでない場合は、このアドレスを案内した方にお問い合わせください。',
    'ليست لديك كلمة مرور؟ اطلبها ممن أعطاك هذا العنوان.',
  ],
  blocked: [
    'Too many wrong passwords',
    'Zu viele falsche Passwörter',
    'Trop de mots de passe erronés',
    'Demasiadas contraseñas incorrectas',
    '誤ったパスワードが何度も入力されました',
    'محاولات كثيرة بكلمات مرور خاطئة',
  ],
  tryAgain: [
    ['Try again in {count} minute.', 'Try again in {count} minutes.'],
    ['Bitte {count} Minute warten.', 'Bitte {count} Minuten warten.'],
    ['Réessayez dans {count} minute.', 'Réessayez dans {count} minutes.'],
    ['Inténtelo dentro de {count} minuto.', 'Inténtelo dentro de {count} minutos.'],
    '{count} 分後にもう一度お試しください。',
    [
      'أعد المحاولة بعد دقيقة.',
      'أعد المحاولة بعد دقيقتين.',
      'أعد المحاولة بعد {count} دقائق.',
      'أعد المحاولة بعد {count} دقيقة.',
      'أعد المحاولة بعد {count} دقيقة.',
    ],
  ],
})

export const subscribe = inEveryLanguage({
  menu: ['Subscribe', 'Abonnieren', 'S’abonner', 'Suscribirse', '購読', 'اشتراك'],
  byMail: ['By e-mail', 'Per E-Mail', 'Par e-mail', 'Por correo', 'メール', 'بالبريد الإلكتروني'],
  inbox: [
    'New releases in your inbox',
    'Neue Versionen im Posteingang',
    'Les nouvelles versions dans votre boîte',
    'Las versiones nuevas en su bandeja',
    '新しいリリースを受信箱に',
    'الإصدارات الجديدة في بريدك',
  ],
  readers: [
    'For feed readers',
    'Für Feedreader',
    'Pour les lecteurs de flux',
    'Para lectores de feeds',
    'フィードリーダー向け',
    'لقارئات الخلاصات',
  ],
  chats: [
    'For feed readers, Slack and Teams',
    'Für Feedreader, Slack und Teams',
    'Pour les lecteurs de flux, Slack et Teams',
    'Para lectores de feeds, Slack y Teams',
    'フィードリーダー、Slack、Teams 向け',
    'لقارئات الخلاصات وSlack وTeams',
  ],
  scripts: [
    'For scripts and dashboards',
    'Für Skripte und Dashboards',
    'Pour les scripts et les tableaux de bord',
    'Para scripts y paneles',
    'スクリプトやダッシュボード向け',
    'للبرامج النصية ولوحات المعلومات',
  ],
  file: [
    'The whole changelog as one file',
    'Alle Änderungen in einer Datei',
    'Toutes les notes de version dans un seul fichier',
    'Todas las notas de versión en un archivo',
    '変更履歴全体を 1 つのファイルで',
    'سجل التغييرات كله في ملف واحد',
  ],
})

export const badge = inEveryLanguage({
  name: ['changelog', 'Änderungen', 'notes de version', 'notas de versión', '変更履歴', 'التغييرات'],
  none: ['none yet', 'noch keine', 'aucune version', 'sin versiones', 'リリースなし', 'لا إصدارات بعد'],
})

/** The title of each error. */
export const errors = inEveryLanguage({
  bad_request: [
    'This address is not valid',
    'Diese Adresse ist ungültig',
    'Cette adresse n’est pas valide',
    'Esta dirección no es válida',
    'アドレスが正しくありません',
    'هذا العنوان غير صحيح',
  ],
  unauthorized: [
    'A password is needed',
    'Passwort erforderlich',
    'Mot de passe requis',
    'Se necesita una contraseña',
    'パスワードが必要です',
    'كلمة المرور مطلوبة',
  ],
  forbidden: [
    'Not allowed',
    'Kein Zugriff',
    'Accès refusé',
    'Acceso denegado',
    'アクセスが許可されていません',
    'الوصول غير مسموح',
  ],
  not_found: [
    'Page not found',
    'Seite nicht gefunden',
    'Page introuvable',
    'Página no encontrada',
    'ページが見つかりません',
    'الصفحة غير موجودة',
  ],
  method_not_allowed: [
    'This page can only be read',
    'Diese Seite kann nur gelesen werden',
    'Cette page est en lecture seule',
    'Esta página es de solo lectura',
    'このページは閲覧専用です',
    'هذه الصفحة للقراءة فقط',
  ],
  rate_limited: [
    'Too many requests',
    'Zu viele Anfragen',
    'Trop de requêtes',
    'Demasiadas solicitudes',
    'リクエストが多すぎます',
    'طلبات كثيرة جدًا',
  ],
  internal_error: [
    'Something went wrong',
    'Etwas ist schiefgegangen',
    'Une erreur est survenue',
    'Algo salió mal',
    '問題が発生しました',
    'حدث خطأ ما',
  ],
  unavailable: [
    'Not available right now',
    'Gerade nicht verfügbar',
    'Indisponible pour le moment',
    'No disponible en este momento',
    '現在利用できません',
    'غير متاح الآن',
  ],
})

/** Texts below the title. Without one, the message for programs is shown. */
export const errorMessages = inEveryLanguage({
  bad_request: [
    null,
    'Die Adresse enthält einen ungültigen Wert.',
    'L’adresse contient une valeur non valide.',
    'La dirección contiene un valor no válido.',
    'アドレスの一部の値が正しくありません。',
    'يحتوي العنوان على قيمة غير صالحة.',
  ],
  not_found: [
    'There is no page at this address, or it is not public.',
    'Unter dieser Adresse gibt es keine Seite, oder sie ist nicht öffentlich.',
    'Il n’y a pas de page à cette adresse, ou elle n’est pas publique.',
    'No hay ninguna página en esta dirección, o no es pública.',
    'このアドレスにページがないか、公開されていません。',
    'لا توجد صفحة في هذا العنوان، أو أنها ليست عامة.',
  ],
  method_not_allowed: [
    null,
    'Hier sind nur GET und HEAD möglich.',
    'Seuls GET et HEAD sont acceptés ici.',
    'Aquí solo se admiten GET y HEAD.',
    'ここでは GET と HEAD だけが使えます。',
    'لا يمكن هنا استخدام غير GET وHEAD.',
  ],
  rate_limited: [
    null,
    'Bitte warten Sie einen Moment und laden Sie die Seite neu.',
    'Veuillez patienter un instant, puis recharger la page.',
    'Espere un momento y vuelva a cargar la página.',
    'しばらく待ってから再読み込みしてください。',
    'يرجى الانتظار لحظة ثم إعادة التحميل.',
  ],
  internal_error: [
    'The server failed. Its operator can find the cause in the log.',
    'Auf dem Server ist ein Fehler aufgetreten. Der Betreiber findet ihn im Protokoll.',
    'Le serveur a rencontré une erreur. La cause se trouve dans son journal.',
    'Se produjo un error en el servidor. Quien lo administra encontrará la causa en el registro.',
    'サーバーでエラーが発生しました。原因は管理者がログで確認できます。',
    'حدث خطأ في الخادم. يمكن لمشغّله معرفة السبب من السجل.',
  ],
  unavailable: [
    'The database is not responding. Please try again in a moment.',
    'Die Datenbank antwortet nicht. Bitte versuchen Sie es gleich noch einmal.',
    'La base de données ne répond pas. Veuillez réessayer dans un instant.',
    'La base de datos no responde. Inténtelo de nuevo en un momento.',
    'データベースが応答しません。しばらくしてからもう一度お試しください。',
    'قاعدة البيانات لا تستجيب. يرجى المحاولة مرة أخرى بعد لحظات.',
  ],
})
