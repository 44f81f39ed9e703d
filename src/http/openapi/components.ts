import type { Reference, SchemaObject } from './objects.ts'

export type Publish = ReturnType<typeof createSchemas>['publish']

/** Collects the schemas that have a name, so that the document has each of them once. */
export function createSchemas() {
  const named: Record<string, SchemaObject> = {}

  /** A reference to a schema with a name (its `$id`), or a copy of one without; the same for everything inside it. */
  const publish = (schema: object): SchemaObject | Reference => {
    const { $id: name, ...rest } = schema as { $id?: string }
    if (name === undefined) return copy(rest)
    named[name] ??= copy(rest)
    return { $ref: `#/components/schemas/${name}` }
  }

  /** Without closing objects: clients must accept the fields that later versions add. */
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

/** The name of an error's response: `bad_request` → `BadRequest`. */
export const responseName = (code: string): string =>
  code.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())
