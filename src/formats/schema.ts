import { FormatRegistry, type TProperties, type TSchema, Type } from '@sinclair/typebox'
import { HOOK_NAME_RULE, isHookName } from '../domain/hooks.ts'
import { type IdPrefix, isId } from '../domain/id.ts'
import { CHANGE_TYPE_RULE, isChangeType, isSlug, SLUG_RULE } from '../domain/slug.ts'
import { formatInstant, isFormattedInstant, writable } from '../domain/time/time.ts'

/** The parts of schemas for JSON. The `title` of a schema is for error messages. */

export const object = <T extends TProperties>(fields: T) =>
  Type.Object(fields, { additionalProperties: false })

export const oneOf = <const T extends readonly string[]>(values: T) =>
  Type.Unsafe<T[number]>(Type.Union(values.map((value) => Type.Literal(value))))

export const orNull = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])

/** A text whose length and characters the store accepts. */
export const text = (max: number, min = 1) =>
  textThat(
    `text-${min}-${max}`,
    (value) => value.length >= min && value.length <= max && !value.includes('\0') && value.isWellFormed(),
    `a text of ${min} to ${max} characters, in valid Unicode and without NUL`,
  )

export const id = (prefix: IdPrefix) =>
  textThat(prefix, (value) => isId(prefix, value), `an id that starts with ${prefix}_`)

export const slug = textThat('slug', isSlug, `a slug: ${SLUG_RULE}`)

export const hookName = textThat('hook-name', isHookName, HOOK_NAME_RULE)

export const changeType = textThat('change-type', isChangeType, CHANGE_TYPE_RULE)

export const time = Type.Transform(
  textThat('time', isFormattedInstant, 'a time such as 2026-01-02T03:04:05.678Z'),
)
  .Decode(Date.parse)
  .Encode((instant) => formatInstant(writable(instant)))

/** A text that passes a test. Two tests must not have the same name. */
export function textThat(name: string, passes: (text: string) => boolean, title: string) {
  FormatRegistry.Set(`changelogd:${name}`, passes)
  return Type.String({ format: `changelogd:${name}`, title })
}

/** A text that is an address. No message repeats a wrong one: it may have a password or token in it. */
export const addressThat = (...rule: Parameters<typeof textThat>) => ({
  ...textThat(...rule),
  mayBeSecret: true,
})
