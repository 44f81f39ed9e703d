import { LIMITS } from './records.ts'

const SLUG = /^[a-z0-9]+(-[a-z0-9]+)*$/
const TYPE = /^[\p{Ll}\p{Lo}\p{N}]+(-[\p{Ll}\p{Lo}\p{N}]+)*$/u

export const SLUG_RULE = `lowercase letters, digits and single hyphens between them, at most ${LIMITS.slug} characters`
export const CHANGE_TYPE_RULE = `a lowercase word such as added, changed, deprecated, removed, fixed or security, hyphens between words, at most ${LIMITS.type} characters`

/** Whether the text can be the slug of a team or product. */
export const isSlug = (text: string): boolean => text.length <= LIMITS.slug && SLUG.test(text)

/** Whether the text can be the type of a change: a slug, with letters of any language. */
export const isChangeType = (text: string): boolean => text.length <= LIMITS.type && TYPE.test(text)
