/**
 * `bun release/npm/client-types.ts`: writes the types of `@changelogd/client` and the parameters it takes, from the OpenAPI
 * document of this checkout, to `client/`; or to another directory.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ParameterObject } from '../../src/http/api/openapi/components.ts'
import type { ApiDocument } from '../../src/http/api/openapi/document.ts'

const ROOT = join(import.meta.dir, '../..')
export const CLIENT_TYPES = ['schemas.d.ts', 'parameters.ts']
const CHANGELOG = '/api/v1/public/teams/{teamSlug}/products/{productSlug}/changelog'

async function writeClientTypes(directory: string): Promise<void> {
  const scratch = mkdtempSync(join(tmpdir(), 'changelogd-client-'))
  try {
    const database = join(scratch, 'changelogd.db')
    run('src/main.ts', 'migrate', '--db', database)
    const document: ApiDocument = JSON.parse(run('src/main.ts', 'get', '/openapi.json', '--db', database))
    const reduced = join(scratch, 'openapi.json')
    const parameters = (document.paths[CHANGELOG]?.get.parameters ?? []).filter((each) => each.in === 'query')
    await Bun.write(reduced, JSON.stringify(reduce(document, parameters)))
    run('release/npm/openapi-types.ts', Bun.pathToFileURL(reduced).href, join(directory, 'schemas.d.ts'))
    const names = parameters.map(({ name }) => `  '${name}',\n`)
    await Bun.write(
      join(directory, 'parameters.ts'),
      `export const PARAMETERS = [\n${names.join('')}] as const\n`,
    )
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

/** The records of the document, and what a read of a changelog takes as one more. The client has its own functions in place of paths. */
function reduce({ openapi, info, components }: ApiDocument, parameters: readonly ParameterObject[]): object {
  const { Health: _, ...schemas } = components.schemas
  const properties = parameters.map(({ name, schema, description }) => [name, { ...schema, description }])
  const Query = { type: 'object', properties: Object.fromEntries(properties) }
  return { openapi, info, paths: {}, components: { schemas: { ...schemas, Query } } }
}

function run(...args: string[]): string {
  const { success, stdout, stderr } = Bun.spawnSync([process.execPath, ...args], { cwd: ROOT })
  if (!success) throw new Error(`bun ${args.join(' ')}: ${stderr}`)
  return stdout.toString()
}

const [directory = 'client'] = process.argv.slice(2)
if (import.meta.main) await writeClientTypes(directory)
