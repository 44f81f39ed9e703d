import type { Phrases } from '../phrases.ts'

/** One of these is in every phrase below that tells of a weakness: a quick look, which nearly every text ends at. */
export const KEYS = {
  any: 'cve ghsa cwe- rustsec pysec go-2 snyk __proto xss csrf xsrf ssrf xxe ddos dos redos zip-slip tabnab log4shell heartbleed poodle beast exploit',
  en: `secur vuln cross-site server-side denial pollution traversal inject inclusion rce remote-c arbitrary redirect bypass escape privilege
    overflow overrun underflow underrun corruption after-free double-free out-of-bounds format-string confusion smuggl splitting fixation hijack session-theft
    clickjack attack timing poison disclos exposure leak password credential symlink deserializ sanitiz sanitis missing-auth missing-perm billion entity-exp zip-bomb
    craft malicious untrusted sensitive unsafe sec: sec\\) npm-audit`,
  de: 'sicherheit schwachst verwundbar skripting codeausf rechteausw pufferüber dienstverw injektion',
  fr: 'sécurité faille vulnér injection privil déni-de dépassement',
  es: 'seguridad vulner inyecc privilegios denegación desbord ejecución',
  pt: 'segurança vulner injeção privilégios negação estouro',
  ja: '脆弱 セキュリティ スクリプティング インジェクション トラバーサル 権限昇格 バッファ',
  zh: '漏洞 安全 弱點 注入 跨站 越权 缓冲区 污染 拒绝服务 越界 提权 劫持 恶意',
  ru: 'уязвим безопасност межсайт внедрени sql повышени переполнени отказ',
}

/** What is only about security, without any other word. */
export const ONLY: Phrases = {
  en: [
    '(security measure|npm audit fix|snyk cve|for security)*',
    'security (related )?(fix|patch|issue|hole|flaw|bug|advisor|alert|problem|risk|warning|vulnerabilit|exploit|breach|defect|concern|weakness|audit fix)*',
    '(security (update|release|upgrade|audit|impact)s?|(bump|updat|upgrad)* …(re:?|for|due to) security)',
    '(fix|patch|plug|clos|address|resolv|mitigat|remediat)* …vulnerabilit*',
    '(fix|patch|address|resolv)* …cves?',
    'vulnerabilit* (fix|patch)*',
    '(fix|patch|change|improvement)* related (with|to) security',
    '(insecure|vulnerable) …(dependenc|version|module|package|deps)*',
    'for security (reason|purpose)s?',
  ],
  de: [
    '(sicherheitslücke|sicherheitsproblem|sicherheitsfix|sicherheitsupdate|sicherheitskorrektur|sicherheitsaktualisierung|sicherheitsfehler|sicherheitspatch|sicherheitsrisik|sicherheitsrelevant)*',
    '(schwachstelle|verwundbarkeit)*',
  ],
  fr: ['(correctif|problème|correction|mise à jour|trou|alerte)s? de sécurité', '(faille|vulnérabilité)s?'],
  es: [
    '(problema|fallo|corrección|actualización|parche|agujero|brecha|error)* de seguridad',
    'vulnerabilidad*',
  ],
  pt: ['(problema|falha|correção|atualização|brecha|erro|alerta)* de segurança', 'vulnerabilidade*'],
  ja: ['脆弱性'],
  zh: ['(安全)?漏洞', '安全(性)?(问题|問題|隐患|修复|修補|修补|更新|补丁|缺陷|风险|警告)', '弱點'],
  ru: ['уязвимост*'],
}

/** Weaknesses that nothing else is called. */
export const WEAKNESSES: Phrases = {
  any: ['(redos|ddos|xxe|mxss|ssrf|rce)', 'zip slip', '(heartbleed|poodle)'],
  en: [
    '(server side request|denial of service|path traversal|remote code execution)*',
    '(open redirect|elevation of privilege|stack buffer overflow|use after free|double free)*',
    '(memory corruption|type confusion|clickjacking|timing leak|remote crash|billion laughs)*',
    '(entity expansion attack|specially crafted)*',
    'cross site (scripting|request forgery|request|tracing)',
    'dos (attack|vuln|via|vector|issue|in)*',
    'proto(type)? pollution',
    '(sql|xml|parameter|command|code|html|path|header|crlf|template|argument|shell|csv|regexp?|log|ldap|formula) injections?',
    'arbitrary (code|command|file|script|memory)* …(execut|access|write|overwrite|read|upload|deletion)*',
    'execut* (of )?arbitrary',
    'auth* bypass*',
    'bypass* …(auth|access control|sandbox|permission|csrf|security)*',
    '(sandbox|container|guest|vm) escape*',
    'privileges? escalation*',
    '(escalat|elevat)* …privilege*',
    'buffer (overflow|overrun|underflow|over read|overread|under run|underrun)*',
    'heap (buffer )?(overflow|overrun|corruption)*',
    'out of bounds (read|write)*',
    'format string (vuln|bug|attack|issue)*',
    '(request|response|http) (smuggl|splitting)*',
    'session (fixation|hijack|theft)*',
    '(timing|side channel|downgrade|replay|brute force|padding oracle|man in the middle|mitm|spoofing|phishing|symlink|dictionary|collision|injection|poisoning|amplification|oracle|bleichenbacher|enumeration) attacks?',
    '(cache|web cache|dns) poison*',
    '(information|credential|password|token|secret|memory|data) (disclosure|exposure|leakage)',
    'insecure (deserializ|temporary|tmp|permission|direct object|default|cipher)*',
    '(is|are|was|were|be|been|not|wasn.t|isn.t|weren.t) (properly |correctly |being )?(sanitiz|sanitis)*',
    '(not|without) (properly |correctly )?(sanitizing|sanitising)',
    'missing (sanitiz|authoriz|authentication|permission check)*',
    '(remote|local|malicious|network) attackers?',
    'allow* …attackers?',
    'attackers? (could|controlled|supplied|can)',
    '(against|prevent|mitigat|avoid|imped)* …attacks?',
    'prevent* …(bypass(es|ing)?|injection)',
  ],
  fr: ['injections? (sql|de code|html)'],
  zh: ['(sql|代码|命令|脚本) ?注入', '(拒绝服务|越界|提权|劫持)'],
}

/** Words that are about a weakness only where something is mended. */
export const RELATED: Phrases = {
  any: ['(xss|csrf|xsrf|cves?)', 'exploit*', '`?__proto__`? (keys?|propert*)'],
  en: [
    '(vulnerab|vulnarab)*',
    'untrusted (input|string|data|user|source)*',
    'sensitive (data|information|info|header|field)*',
    'leak* (of )?(the |user |sensitive |auth* )?(password|credential|token|secret|api key|private key)*',
    '(expose|exposes|exposing|exposure) (of )?(the |user |sensitive )?(password|credential)*',
    'malicious*',
    '(prevent|block|against|via|possible|potential|fix)* (directory|path) traversal',
    'security reasons?',
    '(improv|enhanc|increas|strengthen)* …security',
    'security (measure|hardening|improvement|enhancement|research)*',
    '(unsafe|insecure) …(handling|random|eval|use|regex|header|url|protocol)*',
  ],
}

/** Verbs that mend, and words by which a weakness is named as mended. */
export const MENDING: Phrases = {
  en: [
    '(fix|hotfix|bugfix|patch|resolv|address|prevent|mitigat|remediat|avoid|protect|harden|clos|eliminat|reduc|sanitiz|sanitis|escap|improv|replac|remov|refus|reject|block|disallow|forbid|restrict|stop|plug|correct|solv|validat|ensur|strip|limit|overrid|workaround)*',
    'guard* against',
    'against',
    '(due to|because of|work* around|could|might|allow* an|vulnerabilit*)',
  ],
  zh: ['(修复|修復|修正|防护|防止|解决|避免|修補|过滤|禁止)'],
  ja: ['(修正|対策|対応|防止|更新)'],
  de: [
    '(behoben|behebt|behebung|geschlossen|schließt|korrigiert|verhindert|beseitigt|verhindern|abgesichert)',
  ],
  fr: ['(corrig|correction|évite|éviter|empêche|empêcher|résol|résout|comble|bloque)*'],
  es: ['(correg|corrig|corrección|soluciona|evita|previene|arregla|resuel|prevenir|impide)*'],
  pt: ['(correção|corrig|corrige|evita|previne|resolv|impede)*'],
  ru: ['(исправл|устран|закрыт|предотвращ|защит|запрещ)*'],
}

/** Verbs of a change that begins like a new feature, and is none. */
export const PREVENTING: Phrases = {
  en: ['(fix|patch|prevent|mitigat|protect|harden|sanitiz|sanitis|escap|avoid)*', 'against'],
}

/** First words of a change that is no fix: products may be about weaknesses, and keep what was mended before. */
export const FEATURES: Phrases = {
  en: [
    '(an? )?(add|allow|show|display|support|document|list|new|implement|introduce|enable|rename|test|ignore|suppress|keep|report|detect|scan|warn|export|refactor|simplify|optimi[sz]e|speed|faster|preserve|retain|revert|clarify|mention|describe|explain|check)*',
  ],
}

/** Names that contain a word for a weakness, and are none. */
export const NAMES: Phrases = {
  en: [
    '(x xss protection|security (key|group|scheme|definition|handler|scope|context|provider)s?)',
    '(csrf|xsrf) (middleware|token|cookie|header|plugin|module)s?',
    '(csrf|xss|xsrf):',
    'content security policy',
    'undos?.redos?',
    '(on|of|for) (a|any) vulnerable',
    'directory traversal (of|performance|order|speed)',
    '(attack|exploit) (speed|damage|range|animation|power|rate|mode|button|move|strength|value|bonus|target)s?',
  ],
}

/** Words ahead of a change that say what it is about: `security: …`, `[Security] …`. */
export const TOLD: Phrases = {
  any: ['(security|sec|vulnerability|sicherheit|sécurité|seguridad|segurança|безопасность)'],
  zh: ['(安全|セキュリティ)'],
}

/** Words of changes that are for developers, or tell what is known and not what was done. */
export const ASIDE: Phrases = {
  en: [
    'dev(elopment)? ?(dep|pack|tool)*',
    '(deps dev|development|workflows?)',
    '(security.(md|txt)|security (doc|polic|model|guide|scan|check|workflow)*)',
    '(responsible disclosure|vulnerability (disclosure|report|scan|check|detection|database|alert|case))*',
    'not (affected|vulnerable)',
    '(in|of|the) examples?( projects?)?',
    '(integration.tests?|(regression |unit |test )?(tests?|test cases?) (for|of|to|that|case|coverage|suite))*',
    'add* …tests?',
    'tests?$',
    '^(ci|revert*|docs?|tests?)',
    'known (issue|defect|bug|problem|vulnerabilit|limitation)*',
    '(still|remain|not yet)* …(vulnerable|unfixed|unpatched)',
    'no known (security|vulnerabilit|attack)*',
    '^(comment|changelog|readme|typo)*',
    '(update|improve|add|fix)* …(readme|changelog|documentation|docs|typo)*',
    '(in|of) (the |a |our )?tests?',
    '(run …audit|audit* …(workflow|ci|action|list))*',
    '(pick up|receive*|get|gets) security …(fix|update|patch)*',
  ],
}

/** Headings of what is for developers, or of what is not mended. */
export const TOPICS: Phrases = {
  en: [
    '(dev dependenc|doc|documentation|test|ci|build|meta|readme|website|example|known (issue|bug|problem|defect|limitation)|caveat|limitation)*',
  ],
}
