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
