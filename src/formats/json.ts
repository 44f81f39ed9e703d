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
  const compiled = checks.getOrInsertComputed(schema, (one) => TypeCompiler.Compile(one))
  return compiled.Check(json) ? [] : compiled.Errors(json)
}

/** The JSON, if the schema accepts it. Throws a FormatError that begins with `where` and names the wrong field. */
export function check<T extends TSchema>(schema: T, json: unknown, where = ''): Static<T> {
  for (const error of errorsOf(schema, json)) throw new FormatError(where + problem(error))
  return json as Static<T>
}

/** Checks the JSON and applies the schema’s transforms and defaults. */
export const decode = <T extends TSchema>(schema: T, json: unknown, where = ''): StaticDecode<T> =>
  decoded(schema, check(schema, json, where)) as StaticDecode<T>

/** By the schema: TypeBox searches every value, which takes longer than to parse and check it. Of a union, only `orNull` may hold one. */
function decoded(schema: TSchema, value: unknown): unknown {
  const inner = decodedWithin(schema, value)
  const { [TransformKind]: transform } = schema as { [TransformKind]?: { Decode(value: unknown): unknown } }
  return transform ? transform.Decode(inner) : inner
}

function decodedWithin({ properties, items, anyOf }: TSchema, value: unknown): unknown {
  if (value === null) return null
  if (items) return (value as unknown[]).map((each) => decoded(items, each))
  if (anyOf) return decoded(anyOf[0], value)
  if (!properties) return value
  const object = { ...(value as Record<string, unknown>) }
  for (const [name, field] of Object.entries<TSchema>(properties))
    if (name in object) object[name] = decoded(field, object[name])
    else if ('default' in field) object[name] = field.default
  return object
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
