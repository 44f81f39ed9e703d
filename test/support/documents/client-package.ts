import { join } from 'node:path'
import { buildClient } from '../../../release/npm/client.ts'
import { clientPackage } from '../../../release/npm/packages.ts'
import { writeTree } from '../../../release/packages/tree.ts'
import { smallRelease } from '../../release/small-release.ts'
import { scratch } from '../scratch.ts'

const root = join(import.meta.dir, '../../..')

let built: Promise<ReadonlyMap<string, string>> | undefined

/** The files of `@changelogd/client` as a release has them, by their names: built once. */
export function builtClient(): Promise<ReadonlyMap<string, string>> {
  built ??= build()
  return built
}

async function build(): Promise<ReadonlyMap<string, string>> {
  using directory = scratch()
  const { source, contents } = smallRelease()
  const entries = clientPackage(source, contents, await buildClient(root, directory.path))
  return new Map(entries.map(({ path, data }) => [path.replace('package/', ''), String(data)]))
}

/** Puts it where programs in this directory find it. */
export function installClient(directory: string, files: ReadonlyMap<string, string>): void {
  const entries = [...files].map(([path, data]) => ({ path, data }))
  writeTree(join(directory, 'node_modules/@changelogd/client'), entries, 0)
}
