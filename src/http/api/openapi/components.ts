export type Publish = ReturnType<typeof createSchemas>['publish']

/** Collects named schemas, so that the document has each once. */
export function createSchemas() {
  const named: Record<string, SchemaObject> = {}

  /** A reference to a named schema (`$id`), or a copy of another, recursively. */
  const publish = (schema: object): SchemaObject | Reference => {
    const { $id: name, ...rest } = schema as { $id?: string }
    if (name === undefined) return copy(rest)
    named[name] ??= copy(rest)
    return { $ref: `#/components/schemas/${name}` }
  }

  /** Objects stay open: clients must accept fields of later versions. */
  const copy = (schema: object): SchemaObject =>
    Object.fromEntries(
      Object.entries(schema)
        .filter(([keyword, value]) => !(keyword === 'additionalProperties' && value === false))
        .map(([keyword, value]) => [keyword, isObject(value) ? publish(value) : value]),
    )

  return { named, publish }
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** `bad_request` → `BadRequest`. */
export const responseName = (code: string): string =>
  code.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())

/** The parts of OpenAPI that this program uses. */

export interface Reference {
  $ref: string
}

export interface ParameterObject {
  name: string
  in: string
  required: boolean
  description: string
  schema: SchemaObject
}

export interface ResponseObject {
  description: string
  headers: Record<string, Reference>
  content?: {
    'application/json': {
      schema: SchemaObject | Reference
      example?: unknown
      examples?: Examples | undefined
    }
  }
}

export type Examples = Record<string, { summary: string; value: unknown }>

export interface SchemaObject {
  type?: string | readonly string[]
  description?: string
  enum?: readonly string[]
  const?: string
  minimum?: number
  maximum?: number
  examples?: readonly string[]
  required?: readonly string[]
  properties?: Record<string, SchemaObject | Reference>
  items?: SchemaObject | Reference
}
