import { KIND_OF, TEMPLATE_KINDS } from '../../domain/versions/kinds.ts'

/** The words and punctuation of changelogs. Entries of tables are sources of regular expressions, which ignore case. */

export const anyOf = (entries: readonly string[]): string => `(?:${entries.join('|')})`

// Punctuation: the content of a character class.

export const DASHES = '\\-–—'
/** Between a label, a date and a title. */
const SEPARATORS = `\\s${DASHES}:,;/|·•：，；、】〕」`
export const BEFORE_DATE = `${SEPARATORS}@~([<`
export const AFTER_DATE = `${SEPARATORS})\\]>`
export const AFTER_LABEL = `\\s${DASHES}:,;/|()\\[\\]`
export const LEADING_SEPARATORS = new RegExp(`^[${SEPARATORS}]+`)

/** Full-width letters, digits and punctuation as the usual ones, and brackets such as 【】 as blanks: the length stays. */
export const halfWidth = (text: string): string =>
  text.replace(/[\uFF01-\uFF5E\u3000【】〔〕「」]/g, (one) =>
    one < '\uFF00' ? ' ' : String.fromCharCode(one.charCodeAt(0) - 0xfee0),
  )

// Titles of files.

const FILE_TITLE = new RegExp(
  `^${anyOf([
    ...['(?:the )?change ?log', 'release notes', '(?:version|change|release) history'],
    ...[
      'änderungsprotokoll',
      'journal des modifications',
      'registro de (?:cambios|alterações)',
      'historial de cambios',
    ],
    ...[
      'histórico de (?:alterações|mudanças)',
      'registro delle modifiche',
      '(?:lista|dziennik|rejestr) zmian',
    ],
    ...[
      '(?:история|журнал|список) изменений',
      '(?:історія|журнал|список) змін',
      'seznam změn',
      'wijzigingen(?:logboek)?',
    ],
    ...[
      '(?:版本)?更新(?:日[志誌]|[记記][录錄]|历史)',
      '版本(?:日[志誌]|[记記][录錄]|历史)',
      '变更日志|變更日誌',
    ],
    ...[
      '(?:変更|更新|リリース)(?:履歴|ログ)',
      'リリースノート',
      '변경 ?(?:이력|로그|사항)',
      'değişiklik günlüğü',
    ],
  ])}$`,
  'iu',
)
/** `Changelog`, `変更履歴` */
export const isFileTitle = (text: string): boolean => FILE_TITLE.test(text.trim().replace(/:$/, ''))

// Words around a label or a date.

/** In front of a number: `Version 1.2.0`. */
export const VERSION_WORDS = [
  ...['version', 'release', 'ver\\.?', 'rel\\.?', 'versi[oó]ne?', 'vers[aã]o', 'versie', 'verze', 'wersja'],
  ...['версия', 'версія', '版本号?', '版本號?', 'バージョン', '버전'],
]
/** Behind one of these, a number is not the heading's own version: `Changes since 1.2.0`. */
export const ABOUT_A_VERSION = [
  ...['since', 'beyond', 'from', 'to', 'before', 'after', 'until', 'with', 'for', 'and', 'or'],
  ...['migrat\\w*', 'upgrad\\w*'],
]
/** In front of `in 1.2.0` or `between 1.1.0 and 1.2.0`. */
export const CHANGES = [
  'changes?',
  'changed',
  'change ?log',
  'new(?: features)?',
  'news',
  'release notes',
  'improvements',
  'fixes',
]
export const RELEASED = ['released', 'published']
/** In front of a date: `Released: 2024-01-02`. */
export const DATE_WORDS = [...RELEASED, 'release', 'release date', 'date']
/** Between a label and a date, in several languages. */
export const ON = ['on', 'am', 'vom', 'le', 'du', 'il', 'el', 'em', 'op', 'от']

// Names for what is not released yet.

export const UNRELEASED_WORD = 'un-?released'
const IN_PROGRESS = ['wip', 'work in progress', 'in progress', 'in development', 'in preparation', 'pending']
/** `Unreleased` in the languages of Keep a Changelog, as translated there or commonly written. */
const UNRELEASED_ELSEWHERE = [
  'لم يتم طرحه|غير منشور',
  'nevydáno|nezveřejněno',
  'ikke udgivet',
  'unveröffentlicht|nicht veröffentlicht',
  'sin publicar|no publicado|sin lanzar',
  'منتشر[\\s\\u200C]?نشده',
  'non publiée?s?|non livré|à venir',
  'neobjavljeno',
  'belum (?:di)?rilis',
  'non rilasciato|non pubblicato',
  '未リリース|未公開',
  'გამოუქვეყნებელი|გამოუშვებელი',
  '미출시|미배포|릴리[스즈]되지 않음',
  'ikke (?:utgitt|lansert)',
  'niet (?:uitgebracht|vrijgegeven)|nog niet uitgebracht',
  'niewydane|nieopublikowane',
  'não (?:publicado|lançado)',
  'nelansat|nepublicat',
  'новое|неопубликованное|не выпущено|не опубликовано',
  'nevydané|nezverejnené',
  'neizdano',
  'необјављено',
  'ej släppt|osläppt|inte släppt|opublicerat',
  'yayımlanmadı|yayımlanmamış|yayınlanmadı|yayınlanmamış',
  'нове|неопубліковане|не випущено',
  '未发布|未發[佈布]|未釋出|尚未发布|尚未發[佈布]',
]
/** Labels of the next version, other than `Unreleased`. */
export const PENDING_LABELS = [
  ...UNRELEASED_ELSEWHERE,
  ...['v?next(?: (?:release|version))?', 'upcoming(?: (?:release|version|changes))?', 'future(?: release)?'],
  ...['head', 'master', 'main', 'trunk', 'develop(?:ment)?', 'coming soon', 'unpublished'],
  ...IN_PROGRESS,
]
/** Written in place of a date. */
const PLACEHOLDERS = [
  ...[UNRELEASED_WORD, 'not (?:yet )?released(?: yet)?', 'upcoming', ...IN_PROGRESS, ...UNRELEASED_ELSEWHERE],
  ...['\\+?\\s?dev(?:elopment)?(?: version)?', '(?:dev version, )?unpublished', 'not (?:yet )?published'],
  ...['tb[acd]', 'to be (?:released|announced|determined)'],
  ...['yyyy-mm-dd', '(?:\\d{4}|x{4}|\\?{4})-(?:x{2}|\\?{2})-(?:x{2}|\\?{2})'],
  '(?:x{2}|\\?{2})[-./](?:x{2}|\\?{2})[-./](?:\\d{4}|x{4}|\\?{4})',
]

const UNRELEASED_LABEL = new RegExp(`^${anyOf([UNRELEASED_WORD, ...PENDING_LABELS])}$`, 'iu')
const PLACEHOLDER = new RegExp(`^[\\s([]*${anyOf(PLACEHOLDERS)}[\\s)\\]]*$`, 'iu')

/** `Unreleased`, `Next`, `main`, also in two languages: `Unreleased/Belum Dirilis`. */
export function isUnreleased(label: string): boolean {
  // No such word has a digit, and nearly every label has.
  return label.split(/[/|()]/).some((part) => !/\d/.test(part) && UNRELEASED_LABEL.test(part.trim()))
}

/** `TBD`, `(unreleased)`, `2024-xx-xx`. */
export const isPlaceholder = (text: string): boolean => PLACEHOLDER.test(text)

// Types of changes: what `typeFromHeading` makes of the headings of sections.

/** The sections of Keep a Changelog, which its template leaves empty. */
export const TEMPLATE_TYPES: ReadonlySet<string> = new Set(TEMPLATE_KINDS)

/** Types with a kind whose headings may name something else. */
const AMBIGUOUS = ['new', 'highlights', 'change', 'improvement', 'improved', 'remove', 'minor', 'other']

/** Types that name a kind of change. Other headings may name a part of the product. */
export const KNOWN_TYPES: ReadonlySet<string> = new Set(
  [...KIND_OF.keys()].filter((type) => !AMBIGUOUS.includes(type)),
)
