import { Type } from '@sinclair/typebox'
import { type TSchema, t } from 'elysia'
import { namesOf, pick } from '../../../domain/objects.ts'
import { CHANGE_TEXT_NAMES, FACT_NAMES } from '../../../domain/versions/properties.ts'
import type { Publish } from './components.ts'
import { VERSION } from './examples.ts'
import { Change, exactly, facts, instant, place, summary } from './response-schemas.ts'

/** Bodies of webhooks (`announce/compose.ts`), by event. */

const links = {
  url: t.String({ description: 'Its page, or its address in the API if there are no pages.', format: 'uri' }),
  apiUrl: t.String({ description: 'Its address in the API.', format: 'uri' }),
}

const ShortChange = t.Omit(Change, CHANGE_TEXT_NAMES)

const Version = exactly({
  object: t.Literal('changelog.version'),
  ...summary,
  ...place,
  dateKnown: t.Boolean({
    description: 'Whether `publishedAt` was given by an author or set at publishing.',
  }),
  ...facts,
  ...links,
  changes: t.Array(ShortChange, {
    description: 'The first changes, up to 20 KB. `changeCount` counts all of them.',
  }),
})

const Withdrawn = exactly({
  object: t.Literal('changelog.version'),
  id: summary.id,
  version: summary.version,
})

const Versions = exactly({
  object: t.Literal('changelog'),
  ...place,
  versionCount: Type.Integer({ description: 'Number of published versions.' }),
  ...links,
  versions: t.Array(exactly({ object: t.Literal('changelog.version'), ...summary, ...links }), {
    description: 'The newest of them, up to 20 KB.',
  }),
})

const Test = exactly({ object: t.Literal('hook'), id: t.String({ pattern: '^hook_' }), name: t.String() })

const { data } = VERSION
const exampleOf = pick(data, 'team', 'product', 'changelog')
const exampleLinks = {
  url: 'https://news.acme.example/changelog/acme/app/1.2.0',
  apiUrl: `https://news.acme.example/api/v1/public/teams/acme/products/app/changelog/versions/${data.id}`,
}
const short = { ...pick(data, 'object', ...namesOf(summary)), ...exampleLinks }
const published = {
  ...short,
  ...exampleOf,
  ...pick(data, 'dateKnown', ...FACT_NAMES),
  changes: data.changes.map((change) => pick(change, ...namesOf(ShortChange.properties))),
}

const EVENTS = {
  'version.published': ['A version became public', Version, published],
  'version.updated': ['The public text of a version changed', Version, published],
  'version.withdrawn': ['A version is no longer public', Withdrawn, pick(data, 'object', 'id', 'version')],
  'versions.published': [
    'More than five versions of a product became public at once',
    Versions,
    { object: 'changelog', ...exampleOf, versionCount: 6, ...exampleLinks, versions: [short] },
  ],
  'hook.test': [
    '`hook test` was called',
    Test,
    { object: 'hook', id: 'hook_01kdzn3yr8f6hthhm1zpvtwb5g', name: 'releases' },
  ],
} as const satisfies Record<string, readonly [string, TSchema, object]>

export const WEBHOOKS = Object.entries(EVENTS).map(([type, [summary, data, example]]) => ({
  type,
  summary,
  example: { type, timestamp: VERSION.data.publishedAt, data: example },
  body: exactly({ type: t.Literal(type), timestamp: instant('When it happened.'), data }),
}))

const headers = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => ({
  name,
  in: 'header',
  required: true,
  schema: { type: 'string' },
  description: 'As Standard Webhooks 1.0.0 says.',
}))

export const describeWebhooks = (publish: Publish) =>
  Object.fromEntries(
    WEBHOOKS.map(({ type, summary, body, example }) => [
      type,
      {
        post: {
          operationId: type,
          summary,
          tags: ['webhooks'],
          security: [],
          parameters: headers,
          requestBody: {
            required: true,
            content: { 'application/json': { schema: publish(body), example } },
          },
          responses: {
            '2XX': { description: 'The message was received. Any other status is retried for three days.' },
          },
        },
      },
    ]),
  )
