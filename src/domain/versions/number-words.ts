/** The words around the number of a version, in the languages and schemes that use them. */

/** What a word beside a number says: a stage before the release, a form or a repair of it, or nothing that tells the order. */
export interface NumberWord {
  kind: 'stage' | 'release' | 'none'
  /** Sorts it among others. */
  name: string
}

/** Stages before a release, by the name under which they sort. A `*` stands for any ending. */
const STAGES = {
  dev: 'dev devel develop development developer entwickl* developpement desarrollo desenvolvimento sviluppo ontwikkel* utveckling разработ* розроб* vyvoj*',
  snapshot: 'snapshot snapshots snap schnappschuss снимок instantane instantanea',
  alpha: 'alpha alphas alfa альфа α αλφα ألفا',
  beta: 'beta betas бета бэта β βητα بيتا',
  canary: 'canary canari',
  draft: 'draft entwurf brouillon borrador rascunho черновик',
  ea: 'ea eap early fruher',
  edge: 'edge bleeding',
  experimental: 'experimental experimentell* experimentale эксперимент* експеримент*',
  insider: 'insider insiders',
  internal: 'internal intern interne interna',
  milestone: 'milestone milestones meilenstein jalon hito marco этап',
  next: 'next',
  nightly: 'nightly nightlies daily weekly nachtlich* nocturne nocturna noturna noturno notturna ночн* нічн*',
  pre: 'pre prerelease prelimin* pretest prealpha prebeta vorab предварительн* предрелиз* попередн* wstepn*',
  preview:
    'preview previews ctp tp dp vorschau apercu anteprima previa previo previas previsualizacion превью предпросмотр forhand* nahled podglad onizleme voorproef sneak',
  rc: 'rc rcs cr candidate candidates candidat candidato candidata kandidat* releasekandidat veroffentlichungskandidat freigabekandidat candidaat кандидат* kandydat* aday',
  test: 'test tests testing pretesting тест* prueba pruebas teste testes prova proof trial poc prototype prototyp prototipo',
  unstable:
    'unstable trunk master main head wip instabil* instable inestable instavel нестабильн* нестабільн*',
}

/** Repairs and forms of a release. Those of other systems and packages, such as `jre` or `el9`, count as that too. */
const RELEASES = {
  p: 'p pl patch patched patches patchlevel patchset исправлен*',
  post: 'post rev revision r respin rebuild repack hotfix hotfixes fix fixes bugfix bugfixes security sec errata',
  u: 'u upd update updates updated mise обновлен* aktualisierung actualizacion atualizacao',
  sp: 'sp sr mr service pack maint maintenance esr cu',
  build: 'build builds сборка',
  q: 'q quarter',
  own: `jre jdk java javax jakarta android linux windows win macos mac osx ios darwin unix bsd freebsd amd arm aarch armhf armv ppc
    riscv alpine slim debian ubuntu centos rhel el fc suse lp bp alt mga mdk amzn ol deb rpm wheezy jessie stretch buster
    bullseye bookworm trixie sid xenial bionic focal jammy noble trusty node nodejs php python py ruby perl golang rust scala
    spark hadoop hive gpu cpu cuda rocm mkl incubating ce ee enterprise community pro professional lite full
    mini minimal fpm apache nginx cli zts nonroot rootless distroless musl glibc gnu gcc msvc mingw cygwin windowsservercore
    nanoserver ltsc server client desktop web free plus headless kotlin groovy jvm js native net netstandard universal static
    redhat jbossorg jboss cloudera cdh hdp mapr atlassian compat backport bpo dfsg ds really legacy unofficial management otel
    debug nodebug openjdk gentoo eks gke aks oke tanzu oss temurin corretto graalvm gradle maven bundle standalone bin dist src sources all core base vs msi exe zip`,
}

/** A release and nothing more, and words between a number and a stage. */
const OTHERS = `final finale finalized ga release releases released rel stable stabil* lts general generally available availability official
  offiziell* rtm rtw gold production prod definitive definitiva veroffentlich* estable estavel стабильн* стабільн* финал* фінал*
  релиз* реліз* выпуск випуск version versions versione versionen versao versie verze wersja versio verzio версия версии версія ver
  v public publique publico publica offentlich* private prive privee privado privada open closed offen* geschlossen* ouverte fermee
  abierta abierto cerrada cerrado aberta aberto fechada fechado aperta technology technical tech access zugang developers consumer
  program edition no nr the of de la le del da di do per for zum lancement lancamento lanzamiento rilascio lancio a em en in para vista uscita для nouvelle публичн* открыт*
  закрыт* публічн*`

const NONE: NumberWord = { kind: 'none', name: '' }
const stage = (name: string): NumberWord => ({ kind: 'stage', name })
const release = (name: string): NumberWord => ({ kind: 'release', name })

/** Parts of words without blanks between them. The first that a text has counts. */
const EAST_ASIAN: readonly [RegExp, NumberWord][] = [
  [/α|アルファ|阿[尔爾]法|알파/u, stage('alpha')],
  [
    /プレビュー|[预預][览覽]|先行|[抢搶]先|[尝嘗][鲜鮮]|[预預][发發]|프리뷰|미리 ?보기|事前/u,
    stage('preview'),
  ],
  [/候[補选選]|후보/u, stage('rc')],
  [
    /β|ベータ|[贝貝]塔|베타|[测測][试試]|[内公封][测測]|試[験用驗]|[体體][験验驗]|テスト|테스트/u,
    stage('beta'),
  ],
  [/[开開][发發発]|개발/u, stage('dev')],
  [/夜[间間]|每夜|每日|ナイトリー|나이틀리/u, stage('nightly')],
  [/[实実實][验験驗]|실험/u, stage('experimental')],
  [/スナップショット|快照|스냅샷/u, stage('snapshot')],
  [/パッチ|[补補]丁|修正|패치|更新|アップデート|업데이트/u, release('p')],
  [/正式|安定|[稳穩]定|最終|最终|정식|안정|長期|长期/u, NONE],
  [/^(?:第|版本?|バージョン|リリース|発行|[发發]布|버전|릴리[스즈]|출시)+$/u, NONE],
]

const EXACT = new Map<string, NumberWord>()
const BEGINNINGS: [string, NumberWord][] = []

for (const [name, words] of Object.entries(STAGES)) add(words, stage(name))
for (const [name, words] of Object.entries(RELEASES)) add(words, release(name))
add(OTHERS, NONE)

function add(words: string, word: NumberWord): void {
  for (const each of words.split(/\s+/))
    if (each.endsWith('*')) BEGINNINGS.push([foldOf(each.slice(0, -1)), word])
    else EXACT.set(foldOf(each), word)
}

/** Without accents, in lower case. */
function foldOf(text: string): string {
  const lower = text.toLowerCase()
  return /^[a-z]*$/.test(lower) ? lower : lower.normalize('NFKD').replace(/\p{M}/gu, '')
}

/** What a word says; null for others. `Betaversion` is `beta`. */
export function numberWord(text: string): NumberWord | null {
  const fold = foldOf(text)
  const known = EXACT.get(fold) ?? EXACT.get(fold.replace(/(?:versione?|fassung|ausgabe|release|build)$/, ''))
  if (known !== undefined) return own(known, fold)
  if (/[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/u.test(text))
    return EAST_ASIAN.find(([part]) => part.test(text))?.[1] ?? null
  const [, begun] = BEGINNINGS.find(([beginning]) => fold.startsWith(beginning)) ?? []
  return begun ?? null
}

/** Forms of a release are told apart by their own words. */
const own = (word: NumberWord, fold: string): NumberWord =>
  word.kind === 'release' && word.name === 'own' ? release(fold) : word

/** Letters behind a number that another number follows: `1.0b2`. */
export const LETTERS: Record<string, string | undefined> = { a: 'alpha', b: 'beta', c: 'rc', m: 'milestone' }
