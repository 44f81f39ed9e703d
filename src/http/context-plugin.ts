import { Elysia } from 'elysia'
import { contextOf } from './context.ts'

/** Gives the context of each request to the routes. */
export const contextPlugin = new Elysia({ name: 'context' }).derive({ as: 'global' }, ({ request }) => ({
  context: contextOf(request),
}))
