/**
 * `bun release/npm/client-types.ts`: writes client/schemas.d.ts, the types of `@changelogd/client`, from the OpenAPI
 * document of this checkout. With a path, it writes them there.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ApiDocument } from '../../src/http/api/openapi/document.ts'

const ROOT = join(import.meta.dir, '../..')
export const CLIENT_TYPES = 'client/schemas.d.ts'
const CHANGELOG = '/api/v1/public/teams/{teamSlug}/products/{productSlug}/changelog'

async function writeClientTypes(file: string): Promise<void> {
  const scratch = mkdtempSync(join(tmpdir(), 'changelogd-client-'))
  try {
    const database = join(scratch, 'changelogd.db')
    run('src/main.ts', 'migrate', '--db', database)
    const document: ApiDocument = JSON.parse(run('src/main.ts', 'get', '/openapi.json', '--db', database))
    const reduced = join(scratch, 'openapi.json')
    await Bun.write(reduced, JSON.stringify(reduce(document)))
    run('release/npm/openapi-types.ts', Bun.pathToFileURL(reduced).href, file)
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

/** The records of the document, and what a read of a changelog takes as one more. The client has its own functions in place of paths. */
function reduce({ openapi, info, paths, components }: ApiDocument): object {
  const { Health: _, ...schemas } = components.schemas
  const parameters = paths[CHANGELOG]?.get.parameters ?? []
  const properties = parameters
    .filter((parameter) => parameter.in === 'query')
    .map(({ name, schema, description }) => [name, { ...schema, description }])
  const Query = { type: 'object', properties: Object.fromEntries(properties) }
  return { openapi, info, paths: {}, components: { schemas: { ...schemas, Query } } }
}

function run(...args: string[]): string {
  const { success, stdout, stderr } = Bun.spawnSync([process.execPath, ...args], { cwd: ROOT })
  if (!success) throw new Error(`bun ${args.join(' ')}: ${stderr}`)
  return stdout.toString()
}

const [file = CLIENT_TYPES] = process.argv.slice(2)
if (import.meta.main) await writeClientTypes(file)
