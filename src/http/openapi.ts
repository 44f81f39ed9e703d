import { toOpenAPISchema } from '@elysiajs/openapi/openapi'
import type { AnyElysia } from 'elysia'
import { DOCUMENTATION } from './documentation.ts'

/** The OpenAPI document of an application, from the schemas that check its routes. */
export function describeApi(app: AnyElysia) {
  const { paths, components } = toOpenAPISchema(app)
  return {
    openapi: '3.1.2',
    ...DOCUMENTATION,
    paths,
    components: { ...DOCUMENTATION.components, ...components },
  }
}
