import type { Static, StaticDecode, TSchema } from '@sinclair/typebox'
import { type TypeCheck, TypeCompiler, type ValueError, ValueErrorType } from '@sinclair/typebox/compiler'
import { TransformDecode } from '@sinclair/typebox/value'
import { FormatError } from './parsed.ts'

/** JSON that is checked by a schema. Each FormatError begins with `where` it is, such as "line 3: ". */

export function parseJson(text: string, where = ''): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new FormatError(`${where}not JSON, or cut off (${error instanceof Error ? error.message : error})`)
  }
}

const checks = new Map<TSchema, TypeCheck<TSchema>>()

/** The JSON itself, if it is what the schema asks for. Throws a FormatError that names the wrong field. */
export function check<T extends TSchema>(schema: T, json: unknown, where = ''): Static<T> {
  let compiled = checks.get(schema)
  if (!compiled) {
    compiled = TypeCompiler.Compile<TSchema>(schema)
    checks.set(schema, compiled)
  }
  const error = compiled.Check(json) ? undefined : compiled.Errors(json).First()
  if (error) throw new FormatError(where + problem(error))
  return json as Static<T>
}

/** What checked JSON stands for: with the schema's transforms applied. */
export const decode = <T extends TSchema>(schema: T, json: unknown, where = ''): StaticDecode<T> =>
  TransformDecode(schema, [], check(schema, json, where)) as StaticDecode<T>

function problem({ path, type, schema, value }: ValueError): string {
  const field = path
    .replace(/\/(\d+)(?=\/|$)/g, '[$1]')
    .replaceAll('/', '.')
    .slice(1)
  if (type === ValueErrorType.ObjectRequiredProperty) return `${field} is missing`
  if (type === ValueErrorType.ObjectAdditionalProperties) return `${field} is an unknown field`
  const found = JSON.stringify(value)
  return `${field} must be ${expected(schema)}, not ${found.length > 80 ? `${found.slice(0, 79)}…` : found}`.trim()
}

const TYPES: Record<string, string> = {
  object: 'an object',
  array: 'a list',
  string: 'a text',
  integer: 'a whole number',
  boolean: 'true or false',
}

/** What a schema asks for: its `title`, or what can be told from it. */
function expected(schema: TSchema): string {
  if (schema.title) return schema.title
  if (schema.anyOf) return schema.anyOf.map(expected).join(' or ')
  return 'const' in schema ? JSON.stringify(schema.const) : (TYPES[schema.type] ?? schema.type)
}
