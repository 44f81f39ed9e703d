/** The parts of the OpenAPI document that its readers in this program use. */

export interface ApiDocument {
  info: { title: string; version: string; description: string }
  servers: { url: string }[]
  tags: { name: string; description: string }[]
  paths: Record<string, { get: OperationObject }>
  components: {
    schemas: Record<string, SchemaObject>
    responses: Record<string, ResponseObject>
  }
}

export interface Reference {
  $ref: string
}

export interface OperationObject {
  operationId: string
  summary: string
  description: string
  tags: readonly string[]
  security: readonly Record<string, readonly string[]>[]
  parameters: ParameterObject[]
  responses: Record<string, ResponseObject | Reference>
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
      examples?: Record<string, { summary: string; value: unknown }>
    }
  }
}

/** A JSON Schema, as far as ours go. */
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
