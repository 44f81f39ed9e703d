import { type Static, type StaticDecode, TransformKind, type TSchema } from '@sinclair/typebox'
import { type TypeCheck, TypeCompiler, type ValueError, ValueErrorType } from '@sinclair/typebox/compiler'
import { messageOf } from '../domain/errors.ts'
import { FormatError } from './parsed.ts'

export function parseJson(text: string, where = ''): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new FormatError(`${where}not valid JSON, or incomplete (${messageOf(error)})`)
  }
}

const checks = new Map<TSchema, TypeCheck<TSchema>>()

export function errorsOf(schema: TSchema, json: unknown): Iterable<ValueError> {
  let compiled = checks.get(schema)
  if (!compiled) {
    compiled = TypeCompiler.Compile(schema)
    checks.set(schema, compiled)
  }
  return compiled.Check(json) ? [] : compiled.Errors(json)
}

/** The JSON, if the schema accepts it. Throws a FormatError that begins with `where` and names the wrong field. */
export function check<T extends TSchema>(schema: T, json: unknown, where = ''): Static<T> {
  for (const error of errorsOf(schema, json)) throw new FormatError(where + problem(error))
  return json as Static<T>
}

/** Checks the JSON and applies the schema’s transforms and defaults. */
export function decode<T extends TSchema>(schema: T, json: unknown, where = ''): StaticDecode<T> {
  let decoder = decoders.get(schema)
  if (!decoder) {
    decoder = decoderOf(schema) ?? ((value) => value)
    decoders.set(schema, decoder)
  }
  return decoder(check(schema, json, where)) as StaticDecode<T>
}

type Decoder = (value: unknown) => unknown

const decoders = new Map<TSchema, Decoder>()

/**
 * The transforms and defaults in a schema as one function, or null if there are none. TypeBox searches every value for them, which
 * takes longer than to parse and check it. Of a union, only `orNull` may hold one.
 */
function decoderOf(schema: TSchema): Decoder | null {
  const inner = innerDecoder(schema)
  const outer = (schema as { [TransformKind]?: { Decode: Decoder } })[TransformKind]?.Decode
  return outer && inner ? (value) => outer(inner(value)) : (outer ?? inner)
}

function innerDecoder({ properties, items, anyOf }: TSchema): Decoder | null {
  const [one] = ((anyOf ?? (items ? [items] : [])) as TSchema[]).flatMap((each) => decoderOf(each) ?? [])
  if (one && items) return (list) => (list as unknown[]).map(one)
  if (one) return (value) => (value === null ? null : one(value))
  const fields = Object.entries<TSchema>(properties ?? {}).flatMap(([name, field]) => {
    const decoder = decoderOf(field)
    return decoder ? [{ name, decoder }] : []
  })
  const defaults = Object.entries<TSchema>(properties ?? {}).filter(([, field]) => 'default' in field)
  if (fields.length === 0 && defaults.length === 0) return null
  return (object) => {
    const decoded = { ...(object as Record<string, unknown>) }
    for (const { name, decoder } of fields) if (name in decoded) decoded[name] = decoder(decoded[name])
    for (const [name, field] of defaults) if (!(name in decoded)) decoded[name] = field.default
    return decoded
  }
}

function problem({ path, type, schema, value }: ValueError): string {
  const field = path
    .replace(/\/(\d+)(?=\/|$)/g, '[$1]')
    .replaceAll('/', '.')
    .slice(1)
  if (type === ValueErrorType.ObjectRequiredProperty) return `${field} is missing`
  if (type === ValueErrorType.ObjectAdditionalProperties) return `${field} is an unknown field`
  const rule = `${field} must be ${expected(schema)}`.trim()
  if (mayBeSecret(schema)) return rule
  const found = JSON.stringify(value)
  return `${rule}, not ${found.length > 80 ? `${found.slice(0, 79)}…` : found}`
}

const mayBeSecret = ({ mayBeSecret: isMarked, anyOf = [] }: TSchema): boolean =>
  isMarked === true || (anyOf as TSchema[]).some(mayBeSecret)

const TYPES: Record<string, string> = {
  object: 'an object',
  array: 'a list',
  string: 'a text',
  integer: 'a whole number',
  boolean: 'true or false',
}

function expected(schema: TSchema): string {
  if (schema.title) return schema.title
  if (schema.anyOf) return schema.anyOf.map(expected).join(' or ')
  return 'const' in schema ? JSON.stringify(schema.const) : (TYPES[schema.type] ?? schema.type)
}
