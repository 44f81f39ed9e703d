import { join } from 'node:path'

/** Files of `@changelogd/client` that are taken from `client/` as they are. */
const COPIED = ['schemas.d.ts', 'widget.d.ts', 'widget-react.d.ts', 'widget-vue.d.ts', 'README.md'] as const

/** The files that are made or taken from `client/`, by their names in the package. */
export type ClientFiles = Readonly<Record<'client.js' | 'client.d.ts' | (typeof COPIED)[number], string>>

/** Builds the client of the checkout in `directory`; `scratch` is for files on the way. */
export async function buildClient(directory: string, scratch: string): Promise<ClientFiles> {
  const client = join(directory, 'client')
  const text = (...path: string[]) => Bun.file(join(...path)).text()
  // One file. Names and lines stay: those who use it read it, and their bundlers make it small.
  const { outputs } = await Bun.build({ entrypoints: [join(client, 'client.ts')], target: 'browser' })
  const types = join(scratch, 'types')
  const emit = ['--noEmit', 'false', '--declaration', '--emitDeclarationOnly', '--outDir', types]
  const tsc = [
    ...[join(directory, 'node_modules/.bin/tsc'), '--project', client],
    ...['--rootDir', directory, ...emit],
  ]
  const { success, stdout } = Bun.spawnSync(tsc)
  if (!success) throw new Error(`${tsc.join(' ')}: ${stdout}`)
  const copied = COPIED.map(async (name) => [name, await text(client, name)])
  return {
    // Its only comments name the files it is made of, from wherever this runs.
    'client.js': ((await outputs[0]?.text()) ?? '').replace(/^\/\/ .*\n/gm, ''),
    'client.d.ts': await text(types, 'client/client.d.ts'),
    ...Object.fromEntries(await Promise.all(copied)),
  }
}
