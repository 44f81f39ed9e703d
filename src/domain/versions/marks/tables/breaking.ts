import type { Groups, Phrases } from '../phrases.ts'

/** Words that the phrases below have in common. */
export const GROUPS: Groups = {
  drop: {
    en: ['drop(s|ped|ping)?', 'end(s|ed)?', 'discontinue*', 'remov(e|es|ed|ing)'],
    de: ['(entfern|eingestellt|beendet|gestrichen|aufgegeben|entfallen|entfällt)*', 'fallen gelassen'],
    fr: ['supprim*', 'abandon*', 'retir*', 'retrait', 'arrêt*', 'fin', 'suppression'],
    es: ['elimin*', 'abandon*', 'retir*', 'suprim*', 'fin', 'descontinu*'],
    pt: ['remov*', 'elimin*', 'abandon*', 'retir*', 'descontinu*', 'fim', 'encerr*'],
    ja: ['終了', '廃止', '打ち切', '停止', '削除', '除外'],
    zh: ['移除', '放弃', '停止', '去除', '删除', '去掉', '终止', '放棄'],
    ru: ['удал*', 'убра*', 'прекращ*', 'отказ*', 'исключ*', 'завершен*', 'окончан*'],
  },
  support: {
    de: ['unterstützung', 'support'],
    fr: ['support', 'prise en charge', 'compatibilité'],
    es: ['soporte', 'compatibilidad'],
    pt: ['suporte', 'compatibilidade'],
    ja: ['サポート', '対応'],
    zh: ['支持', '兼容', '支援'],
    ru: ['поддержк*'],
  },
  old: { en: ['old', 'older', 'unsupported', 'eol', 'legacy', 'obsolete', 'end of life'] },
  raise: { en: ['(bump|rais|increas|updat|chang|upgrad|lift)*', 'set'] },
  require: {
    en: ['requir(e|es|ed|ing)', 'needs?', 'forces?'],
    de: ['benötigt', 'benötigen', 'erfordert', 'braucht', 'verlangt', 'setzt'],
    fr: ['requiert', 'requièrent', 'nécessite', 'nécessitent', 'exige'],
    es: ['requiere', 'requieren', 'necesita', 'exige'],
    pt: ['requer', 'requerem', 'exige', 'necessita'],
    ja: ['必要', '必須', '要求'],
    zh: ['需要', '要求', '依赖', '需'],
    ru: ['требуется', 'требуются', 'требует', 'необходим*'],
  },
  breaking: {
    en: ['breaking', 'incompatible', 'backwards? incompatible'],
    de: [
      '(inkompatibl|inkompatible|brechend|bahnbrechend)*',
      '(nicht |in)(ab|rück)wärtskompatible*',
      'nicht kompatible*',
    ],
    fr: ['cassants?', 'incompatibles?', 'de rupture', 'non rétrocompatibles?'],
    es: ['(incompatible|disruptivo|rupturista)*', 'que rompe*', 'de ruptura', '(no|no retro)compatible*'],
    pt: ['incompatíve*', 'disruptiv*', 'de ruptura', 'que quebra*'],
    ja: ['破壊的', '破壊的な', '互換性のない', '非互換'],
    zh: ['破坏性', '破壞性', '不兼容', '非兼容', '不相容', '不向下兼容', '不向后兼容'],
    ru: ['ломающ*', 'критическ*', 'обратно несовместим*', 'несовместим*'],
  },
  change: {
    en: ['changes?', 'api changes?'],
    ja: ['変更', '修正'],
    zh: ['(的)?(改动|变更|更新|修改|变化|更改|改變|升级)'],
  },
  this: { en: ['this( [a-z]+)?', 'it', 'which', 'these( [a-z]+)?'] },
  some: {
    en: ['(a|an|the|some|a few|several|many|multiple|the following|(technically|potentially) an?)'],
  },
  weighty: { en: ['important', 'major', 'minor', 'small', 'large', 'possible', 'potential'] },
}

/** One of these is in every phrase below that tells that something breaks: a quick look, which nearly every title ends at. */
export const KEYS = {
  en: 'break broke compatib remov delet drop renam support requir need force minim min-ver oldest msrv major discontinu stop no-longer no-more',
  de: 'entf umben heißt eingestellt beendet gestrichen unterst benötig erforder braucht verlang setzt mindest oder kompatib',
  fr: 'rupture cass non-rétro suppr retir retrait renomm désormais nécess requi exige minim plus charge',
  es: 'incompat romp rompe rupt elimin retir suprim quit renombr soporte necesita exige mínim llama ya-no',
  pt: 'incompat quebr ruptura remov renome suporte requer necessita mínim chama mais',
  ja: '破壊 互換 削除 廃止 撤去 改名 変更 リネーム サポート 対応 最低 最小 必要 必須 要求 提供',
  zh: '破坏 破壞 兼容 移除 删除 刪除 去除 去掉 废除 下线 重命名 更名 改名 名称 命名 不再 停止 支持 支援 最低 需 要求 依赖 升级 相容 放弃 终止 放棄',
  ru: 'ломающ критич несовмест совмест удал убра поддерж требу необходим миним переимен',
}

/** One of these is in every text in which an author says so. */
export const SAID_KEYS = {
  any: 'break broke kompatib compatib bc-b major brechend rupture cass romp rupt quebr 破壊 互換 破坏 破壞 兼容 相容 ломающ критич совмест',
}

/** Words of an author for a change that breaks something: ahead of it, in brackets, emphasised. */
export const MARK: Phrases = {
  en: [
    'breaking( (api )?changes?)?',
    '(potentially|potential|possibly|possible|mildly|minor|major|other|some|api|#) breaking( (api )?changes?)?',
    'bc breaks?',
    'semver major',
    'backwards? incompatible changes?',
  ],
}

/** Words that are a mark only ahead of a change, with a colon. */
export const MARK_AHEAD: Phrases = {
  en: ['major', 'breaks?', '(backwards? )?incompatib*( [a-z]+)?( [a-z]+)?( [a-z]+)?'],
}

/** What says of a change that it breaks something, anywhere in its text. */
export const SAID: Phrases = {
  en: [
    '{this} (is|are|will be|.s) ({some} )?({weighty} )?{breaking} {change}',
    '({this} )?(contains?|introduces?|includes?|brings?) ({some} )?({weighty} )?{breaking} {change}',
    '{this} (is|are) incompatible (to|with) (#|previous|older|earlier)',
    'not compatible with (#|previous|older|earlier)',
    '(breaks?|broke|breaking) (the |with )?(backwards?|bc|api|abi|source|binary) (compatibility|stability)',
    'breaks? compatibility',
    'not backwards? compatible',
    '(backwards? )?incompatible (api )?changes?',
    '(api|abi) (break|breaks|breakage)',
  ],
  de: ['{breaking} (änderung*|api|schnittstelle*)', 'nicht (mehr )?(abwärts|rückwärts)kompatib*'],
  fr: ['ruptures? de (la )?compatibilité', '(changement|modification)s? {breaking}'],
  es: ['cambios? {breaking}'],
  pt: ['quebra* (de |da |a )?compatibilidade'],
  ja: ['{breaking}{change}', '互換性(が|は)(ない|なくな|失われ|ありません)'],
  zh: ['{breaking}{change}', '不再兼容'],
  ru: ['{breaking} изменени*', 'обратно несовместим*'],
}

/** Words that take back what is said next. */
export const NOT: Phrases = {
  en: ['(no|non|not|without|avoid*|isn.t|aren.t|fix*|revert*|prevent*|detect*|any)( [a-z]+)?( [a-z]+)?'],
  any: ['(keine*|ohne|behoben|aucun|sans|pas de|ningun|sin|no hay|nenhum*|sem|não há|нет|без|исправлен*)'],
  ja: ['修正'],
  zh: ['(无|没有|沒有|修复|避免|非)'],
}

/** What a heading for breaking changes may have below it that breaks nothing. */
export const EMPTY: Phrases = { en: ['(initial|first) (public )?release', 'release candidate'] }

/** A platform or another thing that is given up. */
export const DROPPED: Phrases = {
  en: [
    '{drop} (official |all |the |remaining )?support (for|of|on|to|and)',
    '{drop} …[a-z0-9.`+] support',
    'support ((for|of|on) …)?(has been|have been|was|were|is|are|is now|been) {drop}',
    '{drop} ({old} )?%',
    '{drop} {old} …versions?',
    '(is|are) no longer (officially |being )?supported',
    'no longer ((officially )?supports?|compatible with|works? (on|with)|runs? on)',
    'not supported (anymore|any more|any longer)',
    '(stop|stops|stopped) supporting',
  ],
  de: ['{support} (für|von|der|des) …{drop}', 'nicht (mehr|länger) (offiziell )?(unterstützt|kompatibel)'],
  fr: [
    '{support} (de|du|des|pour|d.|avec) ?…{drop}',
    '{drop} (de |du |de la |le |la )?{support}',
    '{support} {drop}',
    '(n.est|n.sont|ne sont|ne seront|ne sera) plus (en charge|support*|pris*|compatible*)',
    'ne (prend|supporte*|fonctionne*) plus',
  ],
  es: [
    '{drop} (de |el |del |la )?{support}',
    '{support} {drop}',
    'ya no (es|son|se|está|están) (compatible*|soporta*|admit*)',
    'ya no (soporta|admite|funciona)',
  ],
  pt: ['{support} {drop}', '{support} (para|a|ao|do|de) …{drop}', 'não suporta mais'],
  ja: ['{support}(を|の|が)?{drop}', '{support}(され)?(対象外|なくな|ない|しなく)'],
  zh: ['不再{support}', '{drop}(了)?(对)?…的?{support}'],
  ru: ['{drop} (от )?(официальн* )?{support}', '{support} …{drop}', 'больше не поддержива*'],
}

/** A version of something that is needed from now on. */
export const REQUIRED: Phrases = {
  en: [
    '{require} (now |at least |minimum |a minimum |minimal |a |the |of |version |versions )?%',
    '(minimum|minimal|oldest) (required |supported |allowed )?%',
    '(minimum|minimal|oldest) …version…#',
    '{raise} (the )?(minimum|minimal|required) …#',
    '{raise} …(min|minimum) version …#',
    'msrv …#',
    '(# (is|are) (now )?(required|needed)|(is|are) now (a )?required)',
    '# (or|and) (newer|higher|later|above|greater) (is|are) (now )?(required|needed)',
  ],
  de: [
    '{require} (jetzt |nun |mindestens |ab sofort )?(mindestens )?%',
    '(mindestversion|mindestanforderung|minimalversion|minimalanforderung|mindestens) …#',
    '# (oder (höher|neuer)|wird (jetzt )?(benötigt|vorausgesetzt))',
  ],
  fr: [
    '{require} (désormais |maintenant |au moins |au minimum )?(au moins )?%',
    'version (minimale|minimum) …#',
    '# (minimum )?(est |sont )?(désormais |maintenant )?(requis*|nécessaire|minimum)',
  ],
  es: ['{require} (ahora |al menos |como mínimo )?%', '(versión mínima|mínimo) …#'],
  pt: ['{require} (agora |pelo menos |no mínimo )?%', '(versão mínima|mínimo) …#'],
  ja: ['(最低|最小)…#', '#…(以上|以降)(が|を){require}'],
  zh: ['最低(要求|支持|版本|兼容)…#', '{require}…(>=|≥) ?#'],
  ru: ['{require} (теперь |как минимум |минимум )?…#', '(минимальн*|минимум) …#'],
}

/** First words of a change that takes a name away, or gives it another one. */
export const TAKES: Phrases = {
  en: ['(remov|delet|renam)(e|es|ed|ing)', 'drop(s|ped)?'],
  de: ['entfernt', 'entferne', 'umbenannt', 'umbenennung'],
  fr: ['supprim*', 'retir*', 'suppression', 'renomm*'],
  es: ['(se )?(elimina|eliminad*|quita|quitado|retira|retirado|renombr*)'],
  pt: ['remove', 'removid*', 'eliminad*', 'renomead*'],
  ru: ['(удален|удалён|убран|переименован)*'],
}

/** What says of a name that it is taken away, anywhere in a sentence. */
export const TAKEN: Phrases = {
  en: [
    '(is|are|was|were|been|being|got) (now )?(removed|renamed|dropped|deleted)',
    '(removed|dropped) in favou?r of',
    'renamed? (to|from|as)',
  ],
  de: ['(wurde|wurden|wird|werden|ist|sind) …(entfernt|umbenannt)', 'heißt jetzt', 'entfällt'],
  fr: ['(est|sont|a été|ont été) (désormais )?(supprimé*|retiré*|renommé*)'],
  es: [
    '(fue|fueron|ha sido|han sido|a sido|se) (eliminad*|renombr*|elimin*)',
    '(eliminad*|renombrad*)',
    'ahora se llama',
  ],
  pt: ['(foi|foram) (removid*|renomead*|eliminad*)'],
  ja: ['削除', '廃止', '改名'],
  zh: ['(移除|删除|去除|去掉|废除|下线|刪除|重命名|更名|改名)', '(名称|命名)(修改|变更)'],
  ru: ['(удален|удалён|переименован)*'],
}

/** What others cannot reach any more. */
export const GONE: Phrases = {
  en: [
    'no longer (has|have) (the |an? )?(parameter|option|argument|prop|property|method)s?',
    'no longer …(unless|instead)',
    'no longer (export|exports|exported|expose|exposes|exposed|ship|ships|shipped|available|provided|provides)',
  ],
  zh: ['不再(向全局)?(暴露|导出|提供)'],
}

/** What others can use: they break without it. */
export const PUBLIC: Phrases = {
  en: [
    '(option|setting|parameter|param|argument|arg|flag|switch|attribute|field|config key)s?',
    '(method|function|class|interface|constructor|decorator|macro|trait|enum|constant|callback|hook|mixin)s?',
    '(classes|properties|property|props?|aliases|alias|switches)',
    '(api|command|subcommand|event|export|endpoint|route|protocol|preset|directive|filter|selector|feature|signature)s?',
    '(support|deprecated|legacy|deprecations)',
  ],
  de: [
    '(option|parameter|methode|funktion|schnittstelle|eigenschaft|attribut|befehl|ereignis|klasse|einstellung|api)(en|n|s|e)?',
  ],
  fr: ['(option|paramètre|méthode|fonction|propriété|attribut|commande|événement|classe|réglage|api)s?'],
  es: [
    '(opción|opciones|parámetro*|método*|función|funciones|propiedad*|atributo*|comando*|evento*|clase*|api|ajuste*)',
  ],
  pt: [
    '(opção|opções|parâmetro*|método*|função|funções|propriedade*|atributo*|comando*|evento*|classe*|api)',
  ],
  ja: ['(オプション|パラメータ|引数|メソッド|関数|プロパティ|属性|コマンド|イベント|クラス|api|設定|非推奨)'],
  zh: [
    '(属性|方法|接口|参数|选项|事件|函数|组件|指令|插槽|字段|类型|命名空间|图标|api|配置|功能|屬性|參數|废弃)',
  ],
  ru: ['(опци|параметр|метод|функци|свойств|атрибут|команд|событи|класс|api|настройк|устаревш)*'],
}

/** What nobody else can use, or what is no loss. */
export const INTERNAL: Phrases = {
  en: [
    '(unused|unneeded|unn?eces*|unn?ecces*|needless|useless|redundant|superfluous|extraneous|pointless)',
    '(duplicate|duplicated|dead|extra|stray|spurious|gratuitous|leftover|accidental|unwanted|unreachable)',
    '(excess|trailing|leading|temporary|stale|empty|confusing|annoying|broken|lingering)',
    '(internal|internally|internals|private|hidden|undocumented)',
    '(warning|deprecation notice|deprecation message)s?',
    '(debug|debugging|logging|log|logs|console|print|trace|telemetry)',
    '(dependenc*|devdependenc*|peerdependenc*|dep|deps|submodule*|vendored)',
    '(test|tests|testing|spec|specs|ci|travis|appveyor|jenkins|workflow|matrix|benchmark*|demo*|storybook|snapshot*)',
    '(doc|docs|documentation|readme|comment*|typo*|license|badge*|changelog|website|fixture*|lint*|todo*)',
    '(code|codebase|script*|build|makefile|patch|patches|permission*|branch|branches)',
    '[a-z]+\\.(sh|yml|yaml|am|cmake)',
    '(bugs?|defects?|no longer needed|not needed|not used|never used)',
    '(old|obsolete) logic',
  ],
  de: [
    '(unnötig*|unbenutzt*|überflüssig*|intern*|warnung*|abhängigkeit*|doppelt*|kommentar*|test*|dokumentation)',
  ],
  fr: ['(inutil*|interne*|avertissement*|dépendance*|doublon*|commentaire*|test*|document*|variable*)'],
  es: ['(innecesari*|intern*|advertencia*|aviso*|dependencia*|duplicad*|comentari*|prueba*|documenta*)'],
  pt: ['(desnecessári*|intern*|aviso*|dependência*|duplicad*|comentári*|teste*|documenta*)'],
  ja: ['(不要|未使用|内部|警告|依存|重複|コメント|テスト)'],
  zh: ['(无用|多余|冗余|未使用|内部|警告|依赖|重复|注释|测试|文档|不必要|没用|日志)'],
  ru: ['(лишн*|ненужн*|неиспользу*|внутренн*|предупрежд*|зависимост*|комментар*|тест*|документац*)'],
}

/** What a removal outside a section for removals is mostly about, if it is no name that others use. */
export const DETAILS: Phrases = {
  en: [
    '(such as|more|check|checks|call|calls|usage|usages|use of|uses of|reference|references|logic|hack|workaround|assert*)',
    '(whitespace|space|spaces|newline*|import|imports|restriction*|limitation*|limit|requirement*|constraint*)',
    '(duplication|leak|race|lock|locks|bug|issue|problem|crash|error|errors|hardcoded)',
    '(style|styles|css|padding|margin|border|shadow|animation*)',
    '(file|files|item|items|entry|entries|element|elements|node|nodes|line|lines|row|rows|column*|button*|link*|text|image*)',
    '(session|user|users|data|cache|listener*|handler)',
    '(when|if|while|after|before|during|can|could|will be|ability|allow*|able)',
    'revert*',
  ],
  fr: ['(erreur*|lors*|bug*|correction*|corrig*|peut|peuvent)'],
  zh: ['(修复|样式|节点|标签|新增|优化|元素|可以|时)'],
}

/** First words of a change that adds something, or mends it. */
export const ADDING: Phrases = {
  en: [
    '((add|new|allow|fix|improve|document|mention|warn|implement|introduce|enable|reduce|lower|decrease|relax|loosen)*|deprecates?)',
  ],
}

/** Names that contain a word for a removal. */
export const NAMES: Phrases = {
  en: [
    'drag (and |n |& )?drop',
    '(add|adds|added|with|file) drop support',
    '(minimum|minimal|oldest) …(remains|stays|is still|unchanged)',
    'drop (down|in|shadow|zone|target|box|out)*',
    '(will|would|could|can|may|might) (be )?(drop|remove|rename|dropped|removed|renamed)',
    'drops? (privilege|root|cap|packet|connection|event|message)*',
  ],
}

/** Headings under which nothing breaks unless its author says so. */
export const ASIDE: Phrases = {
  en: ['(doc|documentation|test|ci|readme|website|example|closed issue|contributor|thanks|known)*'],
}

/** Headings under which only a platform is dropped. */
export const HOUSEKEEPING: Phrases = {
  en: [
    '(build|(miscellaneous )?chore|internal|meta|(code )?refactor|style|dependenc|dev|deps|performance|tooling|infrastructure)*',
  ],
}
