import { KIND_OF, TEMPLATE_KINDS } from '../../domain/versions/kinds.ts'

/** The words and punctuation of changelogs. Entries of tables are sources of regular expressions, which ignore case. */

export const anyOf = (entries: readonly string[]): string => `(?:${entries.join('|')})`

/** Entries of a table, in any number of lines. */
const listOf = (words: string): string[] => words.trim().split(/,\s+/)

// Punctuation: the content of a character class.

/** Marks of direction, and blanks without a width. */
const INVISIBLE = '\\u061C\\u200B-\\u200F\\u202A-\\u202E\\u2060-\\u2069'
export const DASHES = '\\-–—'
/** Between a label, a date and a title. */
const SEPARATORS = `\\s${INVISIBLE}${DASHES}:,;/|·•：，；、】〕」`
export const BEFORE_DATE = `${SEPARATORS}@~([<`
export const AFTER_DATE = `${SEPARATORS})\\]>`
export const AFTER_LABEL = `\\s${DASHES}:,;/|()\\[\\]`
export const LEADING_SEPARATORS = new RegExp(`^[${SEPARATORS}]+`)

/** Full-width letters, digits and punctuation as the usual ones, brackets such as 【】 and marks as blanks: the length stays. */
export const halfWidth = (text: string): string =>
  text.replace(NOT_HALF_WIDTH, (one) =>
    one < '\uFF00' ? ' ' : String.fromCharCode(one.charCodeAt(0) - 0xfee0),
  )
const NOT_HALF_WIDTH = new RegExp(`[\\uFF01-\\uFF5E\\u3000【】〔〕「」${INVISIBLE}]`, 'g')

// Titles of files.

const FILE_TITLES = listOf(`
  (?:the )?change ?log, release notes, (?:version|change|release) history, änderungsprotokoll,
  journal des modifications, registro de (?:cambios|alterações), historial de cambios,
  histórico de (?:alterações|mudanças), registro delle modifiche, (?:lista|dziennik|rejestr) zmian,
  (?:история|журнал|список) изменений, (?:історія|журнал|список) змін, seznam změn, wijzigingen(?:logboek)?,
  (?:版本)?更新(?:日[志誌]|[记記][录錄]|历史), 版本(?:日[志誌]|[记記][录錄]|历史), 变更日志|變更日誌, (?:変更|更新|リリース)(?:履歴|ログ), リリースノート,
  변경 ?(?:이력|로그|사항), değişiklik günlüğü
`)
const FILE_TITLE = new RegExp(`^${anyOf(FILE_TITLES)}$`, 'iu')
/** `Changelog`, `変更履歴` */
export const isFileTitle = (text: string): boolean => FILE_TITLE.test(text.trim().replace(/:$/, ''))

// Words around a label or a date.

/** In front of a number: `Version 1.2.0`. */
export const VERSION_WORDS = listOf(`
  version, release, ver\\.?, rel\\.?, versi[oó]ne?, vers[aã]o, versie, verze, wersja, versi, verzija, versija,
  verzió, versiunea?, wydanie, sürüm, phiên bản, έκδοση, الإصدار, версия, версія, выпуск, релиз, реліз,
  版本号?, 版本號?, バージョン, リリース, 버전, 릴리[스즈]
`)
/** Behind one of these, a number is not the heading's own version: `Changes since 1.2.0`. */
export const ABOUT_A_VERSION = [
  ...['since', 'beyond', 'from', 'to', 'before', 'after', 'until', 'with', 'for', 'and', 'or'],
  ...['migrat\\w*', 'upgrad\\w*', 'previous'],
]
/** In front of `in 1.2.0` or `between 1.1.0 and 1.2.0`. */
export const CHANGES = listOf(
  'changes?, changed, change ?log, new(?: features)?, news, release notes, improvements, fixes',
)
/** In front of a date, in several languages: `Released: 2024-01-02`, `发布日期：2024-01-02`. */
export const DATE_WORDS = listOf(`
  released, published, release, release date, date, veröffentlicht, erschienen, erscheinungsdatum, datum,
  uitgebracht, släppt, vydáno, wydano, publiée?, sortie, date de (?:publication|sortie),
  fecha(?: de (?:publicación|lanzamiento))?, publicad[oa], lanzad[oa], lançad[oa], rilasciat[oa],
  data(?: (?:de|di|do) (?:publicação|lançamento|rilascio))?, data wydania,
  дата(?: (?:релиза|выпуска|выхода|публикации|випуску))?, выпущен[оа]?, опубликован[оа]?, випущено,
  (?:发布|發[布佈]|更新|上[线線])?(?:日期|时间|時間), 发布于?, 發[布佈]於?, (?:リリース|公開|更新|配布)日?, 日付,
  (?:릴리[스즈]|배포|출시|업데이트) ?(?:일자?|날짜)?, 날짜
`)
/** Between a label and a date, in several languages. */
export const ON = listOf(`
  on, am, vom, von, le, du, il, el, del, em, de, di, op, van, den, ze dne, z dnia, от, від, ngày
`)

// Names for what is not released yet.

/** Also as Dist::Zilla writes it, which replaces it on release. */
export const UNRELEASED_WORD = '(?:un-?released|\\{\\{\\$NEXT\\}\\})'
const IN_PROGRESS = ['wip', 'work in progress', 'in progress', 'in development', 'in preparation', 'pending']
/** `Unreleased` in the languages of Keep a Changelog, as translated there or commonly written. */
const UNRELEASED_ELSEWHERE = [
  'لم يتم طرحه|غير منشور',
  'nevydáno|nezveřejněno',
  'ikke udgivet',
  '(?:noch )?nicht veröffentlicht|unveröffentlicht|(?:nächste|kommende) version|in (?:arbeit|entwicklung)',
  '(?:sin|por) publicar|no publicado|sin lanzar|próxima versión|en desarrollo',
  'منتشر[\\s\\u200C]?نشده',
  'non publiée?s?|non livré|(?:version )?à venir|prochaine version|en cours',
  'neobjavljeno',
  'belum (?:di)?rilis',
  'non rilasciato|non pubblicato|prossima versione|in (?:arrivo|sviluppo)',
  '未リリース|未公開|次(?:期|の)(?:リリース|バージョン)|開発中|リリース予定',
  'გამოუქვეყნებელი|გამოუშვებელი',
  '미출시|미배포|릴리[스즈]되지 않음|다음 (?:버전|릴리[스즈])|(?:배포|출시) 예정|개발 ?중',
  'ikke (?:utgitt|lansert)',
  '(?:nog )?niet (?:uitgebracht|vrijgegeven)|volgende versie|in ontwikkeling',
  'niewydane|nieopublikowane|następna wersja|w przygotowaniu',
  'não (?:publicado|lançado)|próxima versão|em desenvolvimento',
  'nelansat|nepublicat',
  'новое|неопубликованное|не (?:выпущено|опубликовано|вышло)|следующая версия|в разработке',
  'nevydané|nezverejnené',
  'neizdano',
  'необјављено',
  'ej släppt|osläppt|inte släppt|opublicerat',
  'yayımlanmadı|yayımlanmamış|yayınlanmadı|yayınlanmamış',
  'нове|неопубліковане|не випущено|наступна версія|в розробці',
  '(?:尚?未|待|即[将將])(?:发布|發[佈布]|釋出|上线)|[开開][发發]中|下一?[个個]?版本',
  'chưa phát hành|sắp phát hành',
]
/** Labels of the next version, other than `Unreleased`. */
export const PENDING_LABELS = [
  ...UNRELEASED_ELSEWHERE,
  ...['v?next(?: (?:release|version))?', 'upcoming(?: (?:release|version|changes))?', 'future(?: release)?'],
  ...['head', 'master', 'main', 'trunk', 'develop(?:ment)?', 'coming soon', 'unpublished', 'to be released'],
  // As gitchangelog writes it.
  '%%version%%',
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
