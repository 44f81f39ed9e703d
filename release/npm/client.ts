import { join } from 'node:path'

/** The files of `@changelogd/client` that are made or taken from `client/`, by their names in the package. */
export type ClientFiles = Readonly<Record<'client.js' | 'client.d.ts' | 'schemas.d.ts' | 'README.md', string>>

/** Builds the client of the checkout in `directory`; `scratch` is for files on the way. */
export async function buildClient(directory: string, scratch: string): Promise<ClientFiles> {
  const client = join(directory, 'client')
  const text = (...path: string[]) => Bun.file(join(...path)).text()
  // Names and lines stay: those who use it read it, and their bundlers make it small.
  const transpiler = new Bun.Transpiler({ loader: 'ts', target: 'browser' })
  const types = join(scratch, 'client')
  const emit = ['--noEmit', 'false', '--declaration', '--emitDeclarationOnly', '--outDir', types]
  const tsc = [join(directory, 'node_modules/.bin/tsc'), '--project', client, ...emit]
  const { success, stdout } = Bun.spawnSync(tsc)
  if (!success) throw new Error(`${tsc.join(' ')}: ${stdout}`)
  return {
    'client.js': transpiler.transformSync(await text(client, 'client.ts')),
    'client.d.ts': await text(types, 'client.d.ts'),
    'schemas.d.ts': await text(client, 'schemas.d.ts'),
    'README.md': await text(client, 'README.md'),
  }
}
