import { plugin } from 'bun'

/** Writes the types of an OpenAPI document as openapi-typescript makes them: `openapi-types.ts URL FILE`. */

// It needs the compiler's JavaScript interface, which ends with TypeScript 5.
plugin({
  name: 'typescript 5',
  setup: (build) => {
    build.module('typescript', async () => ({ exports: await import('typescript-5'), loader: 'object' }))
  },
})

const [url = '', file = ''] = process.argv.slice(2)
const { default: openapiTS, astToString } = await import('openapi-typescript')
await Bun.write(file, astToString(await openapiTS(new URL(url))))
