import { type ChangeWords, kindOf, saysNothing } from './kinds.ts'
import { readPrefix } from './prefix.ts'

/** True if a change is about security: by its heading, by the id of a weakness, or by words for one that it mends. */
export function isSecurity({ type, typeLabel, title, description }: ChangeWords): boolean {
  const kind = kindOf(type, typeLabel)
  if (kind === 'security') return !saysNothing(title)
  if (!MAY_MEND.test(title) && !(description && MAY_MEND.test(description))) return false
  const { title: words, word } = readPrefix(title)
  if (TOPIC.test(type) || TOPIC.test(word ?? '')) return false
  if (word === 'security' || AHEAD.test(title) || AHEAD.test(words)) return true
  if (OF_DEVELOPERS.test(title) || CLARIFIES.test(words)) return false
  const isFeature = FEATURE.test(words)
  return (
    (NAMED.test(withoutCode(words).slice(0, BEGINNING)) && !isFeature) ||
    mends(title, kind === 'fixed' && !isFeature) ||
    mends(description?.slice(0, MOST_READ) ?? '', false)
  )
}

/** A quick look, which nearly every text ends at. */
const MAY_MEND =
  /secur|\bsec\b|vuln|\bcve|cwe-|ghsa|snyk|xss|scripting|[cxs]srf|dos\b|of.service|pollution|traversal|injection|exploit|\brce\b|arbitrary|redirect|attack|slip|jacking|malicious|bypass|__proto__/i
const ID = /\b(?:CVE-\d{4}-\d|CWE-\d|GHSA-[\da-z]{4}-|SNYK-[A-Z]+-)|nodesecurity\.io\/advisories/i
/** `security: …`, `fix(security): …`, `[Security] …`, `**sec:** …`. */
const AHEAD =
  /^[^\p{L}]{0,8}(?:security|sec|vulnerability)(?:[*\]: -]*:|\]|\*\*| [-–—] )|(?:^|\W)\p{L}{2,12}\(sec(?:urity)?\)!?:|\[security\]/iu

/** Words that stand for a weakness by themselves. */
const WEAKNESS = [
  'cves?|cross[ -]site[ -](?:scripting|request)|server[ -]side[ -]request',
  '(?<!undos?.{1,5})redos|ddos|dos (?:attack|vuln|via)[a-z]*|denial[ -]of[ -]service|proto(?:type)?[ -]pollution',
  '(?:path|directory)[ -]traversal|zip[ -]?slip|clickjacking|tabnabbing|timing attacks?|rce|remote code execution|auth[a-z]* bypass|prevent[a-z]* [^.]{1,60} bypass(?:es|ing)?',
  'arbitrary (?:code|command|file)s? (?:execution|access|(?:over)?writes?|reads?)|execut(?:e|es|ing|ion)(?: of)? arbitrary|open redirects?',
  '(?:sql|xml|parameter|command|code|html|path|header|crlf|template|argument|shell|request|csv|regexp?)[ -]injections?',
  'security[ -](?:related )?(?:fix|patch|issue|hole|flaw|bug|advisor|alert|problem|risk|warning|update|hardening|improvement|enhancement|upgrade|exploit|research|measure|dep)[a-z]*',
  'improv(?:e|es|ed|ing) (?:[a-z]+ )?security|for (?:[a-z]+ )?security(?: reasons)?(?=\\s*(?:[.,;()[\\]]|$))|(?:insecure|vulnerable) (?:[a-z]+ )?(?:dep|version|module)[a-z]*',
]
const NAMED = new RegExp(`\\b(?:${WEAKNESS.join('|')})\\b`, 'i')
/** Characters of a title, which further on may only mention what was mended before, and of a text. */
const BEGINNING = 80
const MOST_READ = 30_000
/** Words that do only where something is mended: a header, an option or a tool may be about them. */
const RELATED = new RegExp(
  `\\b(?:${WEAKNESS.join('|')}|vuln[ae]rab[a-z]*|vulns?|m?xss|[cx]srf(?![:-]| (?:middleware|token|cookie|header)s?\\b)|ssrf|exploits?|attacks?|malicious|__proto__\`? keys?)\\b`,
  'gi',
)
const MENDING =
  /\b(?:fix|patch|resol|address|prevent|mitigat|remediat|avoid|protect|harden|against|clos|eliminat|reduc|due to|because of|disclos|sanitiz|escap|guard|improv|updat|upgrad|replac|remov)|修复|防护/i
/** Words of products that are about weaknesses. */
const FEATURE =
  /^\W*(?:an? )?(?:add|allow|show|display|support|document|list|new|implement|introduce|enable|rename|test|ignore|suppress)/i

/** `isFix` if the heading says that something is mended: then a word for a weakness is enough. */
function mends(text: string, isFix: boolean): boolean {
  if (!MAY_MEND.test(text)) return false
  if (ID.test(text.replace(/```[\s\S]*?(?:```|$)/g, ''))) return true
  const words = withoutCode(text)
  for (const { 0: name, index } of words.matchAll(RELATED)) {
    const before =
      words
        .slice(Math.max(0, index - 80), index)
        .split(SENTENCE)
        .at(-1) ?? ''
    const [after = ''] = words.slice(index + name.length, index + name.length + 60).split(SENTENCE)
    if ((isFix && !/^[cx]srf$/i.test(name)) || MENDING.test(`${before} ${after}`)) return true
  }
  return false
}

const SENTENCE = /\n|\. /

/** DoS in capitals is no word of another meaning. */
const withoutCode = (text: string): string =>
  text
    .replace(/```[\s\S]*?(?:```|$)|`(?!__proto__`)[^`\n]*`/g, '`')
    .replace(/\bhttps?:[^\s)]*|\bX-XSS-Protection\b/gi, '')
    .replace(/\bDoS\b/g, 'ddos')

/** Documents, tests, automation, and dependencies of developers. */
const OF_DEVELOPERS =
  /\bdev(?:elopment)?[ -]?(?:dep|pack|tool)|deps-dev|\bdevelopment\b|\bsecurity(?:\.(?:md|txt)| doc)|(?:vulnerability|responsible) disclosure|\bnot (?:affected|vulnerable)|workflows?\b|(?<!for )\bexamples?\b|\btests?\s*(?:$|[[(])|\btest cases?\b|integration[ _-]tests?|^\W*(?:ci|revert)\b/i
const CLARIFIES = /^\W*clarif/i
const TOPIC = /^(?:dev-dependenc\w*|docs?|documentation|tests?|ci|build|meta|readme|website|examples?)(?:-|$)/
