import { LIMITS } from './records.ts'

export const SLUG = /^[a-z0-9]+(-[a-z0-9]+)*$/
const TYPE = /^[\p{Ll}\p{Lo}\p{N}]+(-[\p{Ll}\p{Lo}\p{N}]+)*$/u

export const SLUG_RULE = `at most ${LIMITS.slug} lowercase letters and digits, with single hyphens between them`
export const CHANGE_TYPE_RULE = `a lowercase word such as added or fixed, with hyphens between words, at most ${LIMITS.type} characters`

export const isSlug = (text: string): boolean => text.length <= LIMITS.slug && SLUG.test(text)

/** A slug with letters of any language. */
export const isChangeType = (text: string): boolean => text.length <= LIMITS.type && TYPE.test(text)

/** `🐛 Bug fixes` → `bug-fixes`, `:bug:` → `bug`, `أُصلح` → `أصلح`. Null if nothing is left, or too much: then it is a sentence. */
export function typeFromHeading(heading: string): string | null {
  const words = heading.replace(/:[a-z0-9_+-]+:/g, ' ')
  const slug = (/[\p{L}\p{N}]/u.test(words) ? words : heading)
    .normalize('NFC')
    .toLowerCase()
    .replace(/['’\u064b-\u0652]/g, '')
    .replace(/[^\p{Ll}\p{Lo}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '')
  return isChangeType(slug) ? slug : null
}

/** The heading under which `typeFromHeading` finds the type again: `bug-fixes` → `Bug fixes`. */
export function headingFromType(type: string): string {
  const words = type.replaceAll('-', ' ')
  const capitalised = words.charAt(0).toUpperCase() + words.slice(1)
  return typeFromHeading(capitalised) === type ? capitalised : words
}
