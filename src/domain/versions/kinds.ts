import { once } from '../objects.ts'
import { readPrefix } from './prefix.ts'

/** The kinds of changes, in the order in which they are named. Types are the author's, kinds are ours. */
export const KINDS = [
  'breaking',
  'added',
  'changed',
  'deprecated',
  'removed',
  'fixed',
  'security',
  'other',
] as const

export type Kind = (typeof KINDS)[number]

/** What tells the kinds of a change. */
export interface ChangeWords {
  type: string
  /** The heading the author gave the type; null or absent for the usual one, see `headingFromType`. */
  typeLabel?: string | null
  title: string
  description: string | null
}

/** The sections of Keep a Changelog, in its order. */
export const TEMPLATE_KINDS = ['added', 'changed', 'deprecated', 'removed', 'fixed', 'security'] as const

/** Types that name a kind, other than the kind itself. */
const NAMES: Record<Kind, string> = {
  breaking: 'breaking-changes breaking-change major-changes break breaks bc-break bc-breaks',
  added: 'add additions features feature feat new-features new-feature new highlights',
  changed: `change changes improvements improvement improved enhancements enhancement minor-changes patch-changes minor
    modified reverts polish`,
  deprecated: 'deprecations deprecated-features',
  removed: 'remove removals removed-features',
  fixed: 'fix fixes bug-fixes bug-fix bugfixes bugfix bugs',
  security: 'security-fixes',
  other: `performance performance-improvements perf documentation docs internal dependencies experimental refactor
    refactoring code-refactoring chore chores miscellaneous tests`,
}

/** The headings of Keep a Changelog in its other languages, as translated there or commonly written. */
const TRANSLATED: Record<Exclude<Kind, 'other'>, string> = {
  breaking: `inkompatible inkompatibel brechende cassants incompatibles rétrocompatibles rompen incompatíveis incompatibili несовместимые
    ломающие несумісні niekompatybilne nekompatibilní 破壊的変更 破坏性 破壞性 不兼容 不相容 호환되지 كاسرة جذرية
    غير-متوافقة غير-متوافق rupture ruptures incompatibilités incompatibilidades nicht-abwärtskompatibel nicht-abwärtskompatible`,
  added: `hinzugefügt neu neue-funktionen neuerungen ajouté ajoutés ajouts ajout nouveautés nouvelles-fonctionnalités añadido
    añadidos agregado agregados novedades adicionado adicionados novidades aggiunto aggiunti aggiunte novità добавлено новое
    додано нове dodano dodane nowe nuevas-características toegevoegd nieuw tillagt tillagd nytt tilføjet lagt-til přidáno pridané adăugat ditambahkan
    eklendi eklenen eklenenler yeni додато добавени 追加 新機能 新增 添加 추가 新功能 إضافة إضافات أضيف المضاف جديد افزوده اضافه დამატებულია დამატებული
    neue nuevo nuevas-funciones nuevas-funcionalidades novas-funcionalidades nowości новинки новые-возможности новые-функции 特性`,
  changed: `geändert änderungen verbesserungen verbessert modifié modifiés changé changements modifications améliorations
    cambiado cambios modificado modificados mejoras alterado mudanças melhorias modificato modificati cambiato modifiche
    miglioramenti изменено изменения улучшения змінено зміни zmieniono zmienione zmiany gewijzigd aangepast ändrat ändrad
    ändringar ændret endret změněno zmenené modificat schimbat diubah perubahan değişti değiştirildi değişiklikler spremenjeno
    promijenjeno измењено 変更 変更点 改善 变更 變更 更改 改进 改進 优化 優化 변경 개선 تغيير تغييرات تعديل تحسين تغير تغییر შეცვლილია შეცვლილი
    aktualisiert actualizado actualizaciones atualizado atualizações aggiornato zaktualizowano обновлено обновления 更新 调整 調整 修改`,
  deprecated: `veraltet déprécié dépréciés obsolète obsolètes obsoleto obsoletos descontinuado deprecato deprecati устарело устаревшее
    застаріло застаріле przestarzałe wycofane verouderd föråldrat forældet foreldet zastaralé zastarané depreciat învechit
    usang kullanımdan-kaldırıldı zastarelo застарело 非推奨 弃用 棄用 废弃 廢棄 지원-중단 사용되지 مهمل مهملة منسوخ მოძველებულია მოძველებული`,
  removed: `entfernt supprimé supprimés retiré retirés suppressions eliminado eliminados removido removidos rimosso rimossi удалено
    видалено usunięto usunięte verwijderd borttaget fjernet odstraněno odstránené eliminat dihapus kaldırıldı kaldırılan
    odstranjeno uklonjeno уклоњено 削除 廃止 移除 删除 刪除 제거 삭제 إزالة حذف أزيل წაშლილია წაშლილი`,
  fixed: `behoben fehlerbehebungen korrigiert corrigé corrigés corrections correctifs arreglado arreglos corregido corregidos
    correcciones corrigido corrigidos correções corretto corretti correzioni risolto исправлено исправления виправлено
    виправлення naprawiono naprawione poprawiono poprawki opgelost hersteld fixat rättat rettet fikset opraveno opravené
    reparat corectat diperbaiki düzeltildi düzeltmeler popravljeno ispravljeno исправљено 修正 修复 修復 不具合修正 수정
    إصلاح إصلاحات رفع გასწორებულია გამოსწორებული أصلح behobene fehlerbehebung fehlerkorrekturen korrekturen corrección correção исправление`,
  security: `sicherheit sécurité seguridad segurança sicurezza безопасность безпека bezpieczeństwo beveiliging veiligheid säkerhet
    sikkerhed sikkerhet bezpečnost bezpečnosť securitate keamanan güvenlik varnost sigurnost безбедност セキュリティ 安全 보안
    أمان أمن الأمان حماية امنیت უსაფრთხოება sicherheitskorrekturen`,
}

/** Words that tell the kind of a longer type, such as `some-notable-fixes`. The first that is in it counts. */
const WORDS: Record<Exclude<Kind, 'other'>, string> = {
  breaking: 'breaking incompatible incompatibilities incompatibility',
  added: `added adds add addition additions feature features feat new introduced introduces introducing implemented
    highlights`,
  changed: `changed changes change improvement improvements improved improve enhancement enhancements enhanced update updates
    updated upgrade upgrades upgraded modified modifications renamed renames revert reverts reverted optimizations
    optimized patches polish changelog`,
  deprecated: 'deprecated deprecates deprecation deprecations',
  removed: 'removed removes remove removal removals deleted deletions dropped',
  fixed: `fixed fixes fix fixing bug bugs bugfix bugfixes hotfix hotfixes resolved corrected`,
  security: 'security vulnerability vulnerabilities cve cves',
}

/** Words for people and for bumped packages. */
const ASIDE = `contributors contributor committers authors thanks credits acknowledgements dependency dependencies deps beiträge
  mitwirkende contributeurs dépendances contribuidores dependencias 貢献者 依存関係 贡献者 依赖 المساهمون`
/** Words of which a type is about something else, whatever happened to it: `test-improvements`. */
const TOPICS = `doc docs documentation test tests testing internal internals chore chores ci build builds refactor refactors
  refactoring refactorings performance perf`

const wordsIn = (text: string): string[] => text.split(/\s+/)

/** Every type that is known to name a kind, or that none can be told of. Other headings may name a part of the product. */
export const KIND_OF: ReadonlyMap<string, Kind> = new Map(
  [TRANSLATED, NAMES, Object.fromEntries(KINDS.map((kind) => [kind, kind]))].flatMap((table) =>
    Object.entries(table).flatMap(([kind, words]) => wordsIn(words).map((word) => [word, kind as Kind])),
  ),
)

/** Made with the first heading that needs them: that takes 2 ms. */
const patterns = once(() => ({
  kinds: Object.entries(WORDS).map(
    ([kind, words]) => [kind as Kind, pattern(`${words} ${TRANSLATED[kind as keyof typeof WORDS]}`)] as const,
  ),
  aside: pattern(ASIDE),
  topic: pattern(`${ASIDE} ${TOPICS}`),
}))
const NEGATED = /(?:^|-)(?:non|not|no)-(?:backwards?-)?(?:breaking|incompatible)(?=-|$)/
const INCOMPATIBLE = /(?:^|-)(?:non|not)-(?:backwards?-)?compatible(?=-|$)/

/** Kinds by emoji, for headings whose words say nothing. */
const EMOJI: readonly [RegExp, Kind][] = [
  [/💥|:boom:/u, 'breaking'],
  [/✨|🎉|:sparkles:|:tada:/u, 'added'],
  [/🐛|:bug:/u, 'fixed'],
  [/🔒|🔐|:lock:/u, 'security'],
]

const remembered = new Map<string, Kind>()
const MOST_REMEMBERED = 2_000

/** The kind of a change by its type and the heading that its author gave it, if that is not the usual one. */
export function kindOf(type: string, heading?: string | null): Kind {
  const key = heading ? `${type} ${heading}` : type
  const known = remembered.get(key)
  if (known) return known
  const kind = kindByWords(type) ?? EMOJI.find(([emoji]) => emoji.test(heading ?? ''))?.[1] ?? 'other'
  if (remembered.size >= MOST_REMEMBERED) remembered.clear()
  remembered.set(key, kind)
  return kind
}

/** Headings that say only that something changed, or nothing: then the prefix of a change tells its kind. */
const UNTOLD = new Set(wordsIn('changed changes patch-changes minor-changes patches updates changelog'))

/** `None` below a heading, so that nobody takes it for forgotten. */
export const saysNothing = (text: string): boolean => /^\W*(?:none|nothing|n\/?a|no changes?)\W*$/i.test(text)

/** First words that tell a kind: `Fix a crash`, `Added search`. */
const FIRST_WORD = /^\P{L}*(fix|add)(?:e?[sd])?(?=\*{0,2}\s)/iu

/** The kind of a change by its heading, or else by its prefix, such as `fix:`, or its first word. */
export function kindOfChange({ type, typeLabel, title }: ChangeWords): Kind {
  if (saysNothing(title)) return 'other'
  const kind = kindOf(type, typeLabel)
  if (!UNTOLD.has(type) && (kind !== 'other' || namesKind(type))) return kind
  const { word, title: words } = readPrefix(title)
  // Breaking is a kind beside its own.
  const named = word?.startsWith('breaking') === false ? word : FIRST_WORD.exec(words)?.[1]?.toLowerCase()
  return named ? kindOf(named) : kind
}

/** True if the words of a type tell its kind, or that it is about something else, such as tests. */
export const namesKind = (type: string): boolean => kindByWords(type) !== null

function kindByWords(type: string): Kind | null {
  const exact = KIND_OF.get(type)
  if (exact) return exact
  if (INCOMPATIBLE.test(type)) return 'breaking'
  const found = new Map(
    patterns()
      .kinds.map(([kind, words]) => [kind, type.search(words)] as const)
      .filter(([, at]) => at >= 0),
  )
  if (NEGATED.test(type)) found.delete('breaking')
  if (found.has('breaking')) return 'breaking'
  if (found.has('security')) return 'security'
  if (patterns().topic.test(type) || type === 'other-changes') return 'other'
  const [first] = [...found].sort(([, one], [, other]) => one - other)
  return first?.[0] ?? null
}

/** True if a section of this type lists people or bumped packages. */
export const isAside = (type: string): boolean => patterns().aside.test(type) || type === 'thank-you'

/** True if a change only names people or a bumped package: it counts for no kind. */
export const isListedAside = ({ type, typeLabel }: Pick<ChangeWords, 'type' | 'typeLabel'>): boolean =>
  kindOf(type, typeLabel) === 'other' && isAside(type)

/** Any of these words, in a type. In scripts that do not part words, also within one. */
function pattern(words: string): RegExp {
  const all = wordsIn(words)
  const isWithin = (word: string) =>
    /^[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Arabic}]/u.test(word)
  const [within, whole] = [all.filter(isWithin), all.filter((word) => !isWithin(word))]
  return new RegExp([`(?:^|-)(?:${whole.join('|')})(?=-|$)`, ...within].join('|'), 'u')
}
