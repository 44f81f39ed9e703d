import type { ChangeDraft } from '../records.ts'
import { kindOf, saysNothing } from './kinds.ts'
import { readPrefix } from './prefix.ts'

/** True if a change is about security: by its heading, by the id of a weakness, or by words for one that it mends. */
export function isSecurity({ type, typeLabel, title, description }: ChangeDraft): boolean {
  const kind = kindOf(type, typeLabel)
  if (kind === 'security') return !saysNothing(title)
  if (!MAY_MEND.test(title) && !(description && MAY_MEND.test(description))) return false
  if (isForDevelopers(type, title)) return false
  return (
    [title, readPrefix(title).title].some((text) => AHEAD.test(text)) ||
    mends(title, kind === 'fixed', true) ||
    mends(description ?? '', false, false)
  )
}

/** A quick look, which nearly every text ends at. */
const MAY_MEND =
  /secur|\bsec\b|vuln|\bcve|cwe-|ghsa|snyk|xss|scripting|[cxs]srf|dos\b|of.service|pollution|traversal|injection|exploit|\brce\b|arbitrary|redirect|attack|slip|jacking|malicious|__proto__/i
const ID = /\b(?:CVE-\d{4}-\d|CWE-\d|GHSA-[\da-z]{4}-|SNYK-[A-Z]+-)|nodesecurity\.io\/advisories/i
/** `security: …`, `fix(security): …`, `[Security] …`, `**sec:** …`. */
const AHEAD =
  /^(?:[^\p{L}]{0,8}|[^\p{L}]{0,8}\p{L}{2,12}\()(?:security|sec|vulnerability)(?:[)*\]: -]*:|\]|\)|\*\*| [-–—] )|\[security\]/iu

/** Words that stand for a weakness by themselves. */
const WEAKNESS = [
  'cves?|cross[ -]site[ -](?:scripting|request)|server[ -]side[ -]request',
  '(?<!undos?.{1,5})redos|ddos|dos (?:attack|vuln|via)[a-z]*|denial[ -]of[ -]service|proto(?:type)?[ -]pollution',
  '(?:path|directory)[ -]traversal|zip[ -]?slip|clickjacking|tabnabbing|timing attacks?|rce|remote code execution',
  'arbitrary (?:code|command|file)s? (?:execution|access|(?:over)?writes?|reads?)|execut(?:e|es|ing|ion)(?: of)? arbitrary|open redirects?',
  '(?:sql|xml|parameter|command|code|html|path|header|crlf|template|argument|shell|request|csv|regexp?)[ -]injections?',
  'security[ -](?:related )?(?:fix|patch|issue|hole|flaw|bug|advisor|alert|problem|risk|warning|update|hardening|improvement|upgrade|exploit|research|measure|dep)[a-z]*',
  'for (?:[a-z]+ )?security(?: reasons)?(?=\\s*(?:[.,;()[\\]]|$))|(?:insecure|vulnerable) (?:[a-z]+ )?(?:dep|version|module)[a-z]*',
]
const NAMED = new RegExp(`\\b(?:${WEAKNESS.join('|')})\\b`, 'i')
/** Words that do only where something is mended: a header, an option or a tool may be about them. */
const RELATED = new RegExp(
  `\\b(?:${WEAKNESS.join('|')}|vuln[ae]rab[a-z]*|vulns?|m?xss|[cx]srf(?![:-])|ssrf|exploits?|malicious|__proto__\`? keys?)\\b`,
  'gi',
)
const MENDING =
  /\b(?:fix|patch|resol|address|prevent|mitigat|remediat|avoid|protect|harden|against|clos|eliminat|reduc|due to|because of|disclos|sanitiz|escap|ignor|guard|improv|updat|upgrad|replac|remov)|修复|防护/i
/** For products that are about weaknesses. */
const FEATURE =
  /^\W*(?:add|allow|show|display|support|document|list|new|implement|introduce|enable|rename|test|ignore|suppress)/i

/** `isFix` if the heading says that something is mended; of a title, words that stand for a weakness are enough. */
function mends(text: string, isFix: boolean, isTitle: boolean): boolean {
  if (!MAY_MEND.test(text)) return false
  if (ID.test(text)) return true
  const words = text
    .replace(/`(?!__proto__`)[^`\n]*`/g, '`')
    .replace(/\bhttps?:[^\s)]*|\bX-XSS-Protection\b/gi, '')
  if (isTitle && (NAMED.test(words) || /\bDoS\b/.test(words)) && !FEATURE.test(words)) return true
  for (const { 0: name, index } of words.matchAll(RELATED)) {
    const before =
      words
        .slice(Math.max(0, index - 80), index)
        .split(SENTENCE)
        .at(-1) ?? ''
    const [after = ''] = words.slice(index + name.length, index + name.length + 60).split(SENTENCE)
    if ((isFix && !FEATURE.test(words) && !/^[cx]srf$/i.test(name)) || MENDING.test(`${before} ${after}`))
      return true
  }
  return false
}

const SENTENCE = /\n|\. /

/** True for documents, tests, automation, and dependencies of developers. */
const isForDevelopers = (type: string, title: string): boolean =>
  OF_DEVELOPERS.test(title) || TOPIC.test(type) || TOPIC.test(readPrefix(title).word ?? '')

const OF_DEVELOPERS =
  /\bdev(?:elopment)?[ -]?(?:dep|pack|tool)|deps-dev|\bdevelopment\b|\bsecurity(?:\.(?:md|txt)| doc)|(?:vulnerability|responsible) disclosure|\bnot (?:affected|vulnerable)|workflows?\b|\bexamples?\/|\btests?\s*(?:$|[[(])|\btest cases?\b|^\W*(?:ci|revert)\b/i
const TOPIC = /^(?:dev-dependenc\w*|docs?|documentation|tests?|ci|build|meta|readme|website|examples?)(?:-|$)/
