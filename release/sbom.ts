import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Contrib, Enums, Models, Serialize, Spec } from '@cyclonedx/cyclonedx-library'
import { PackageURL } from 'packageurl-js'
import parseLicense from 'spdx-expression-parse'
import { ENTRY_POINTS } from '../build.ts'
import type { Source } from './source.ts'

/** The fields of a package.json that are used here. */
interface Manifest extends Contrib.FromNodePackageJson.Types.NodePackageJson {
  readonly dependencies?: Record<string, string>
  readonly peerDependencies?: Record<string, string>
}

/**
 * The bill of materials of the binary, as CycloneDX in JSON: Bun, and each package of which the bundle in `directory` has code. What is only
 * installed is not in it.
 */
export async function createSbom(directory: string, source: Source): Promise<string> {
  const manifests = await bundledManifests(directory)
  const own: Manifest = await Bun.file(join(directory, 'package.json')).json()
  const root = component({ ...own, version: source.version }, Enums.ComponentType.Application)
  const bun = component({ name: 'bun', version: Bun.version, license: 'MIT' }, Enums.ComponentType.Platform)
  const packages = new Map(
    [...manifests].map(([path, manifest]) => [path, component(manifest, Enums.ComponentType.Library)]),
  )

  const depend = (
    dependent: Models.Component,
    { dependencies, peerDependencies }: Manifest,
    path: string,
  ) => {
    for (const name of Object.keys({ ...dependencies, ...peerDependencies })) {
      const found = packages.get(installedPath(name, path, directory) ?? '')
      if (found) dependent.dependencies.add(found.bomRef)
    }
  }
  depend(root, { ...own, peerDependencies: {} }, directory)
  root.dependencies.add(bun.bomRef)
  for (const [path, library] of packages) depend(library, manifests.get(path) ?? {}, path)

  const bom = new Models.Bom({
    metadata: new Models.Metadata({ component: root, timestamp: new Date(source.time * 1000) }),
    components: new Models.ComponentRepository([bun, ...packages.values()]),
  })
  const factory = new Serialize.JSON.Normalize.Factory(Spec.Spec1dot6)
  return `${new Serialize.JsonSerializer(factory).serialize(bom, { sortLists: true, space: 2 })}\n`
}

const builder = new Contrib.FromNodePackageJson.Builders.ComponentBuilder(
  new Contrib.FromNodePackageJson.Factories.ExternalReferenceFactory(),
  new Contrib.License.Factories.LicenseFactory(parseLicense),
)

function component(manifest: Manifest, type: Enums.ComponentType): Models.Component {
  const made = builder.makeComponent(manifest, type)
  if (!made) throw new Error(`A package without a name: ${JSON.stringify(manifest)}`)
  made.purl = new PackageURL('npm', made.group, made.name, made.version, undefined, undefined).toString()
  made.bomRef.value = made.purl
  return made
}

/** Path and manifest of every package that the bundle has code of. */
async function bundledManifests(directory: string): Promise<Map<string, Manifest>> {
  const bundle = await Bun.build({
    // The one script for browsers that has a library in it.
    entrypoints: [...ENTRY_POINTS, 'src/http/browser/desk-paste.ts'].map((path) => join(directory, path)),
    root: directory,
    target: 'bun',
    splitting: true,
    metafile: true,
  })
  const found = new Map<string, Manifest>()
  for (const { inputs } of Object.values(bundle.metafile?.outputs ?? {}))
    for (const input of Object.keys(inputs)) {
      const path = packageOf(join(process.cwd(), input))
      if (path && !found.has(path)) found.set(path, await Bun.file(join(path, 'package.json')).json())
    }
  return found
}

/** The directory of the package that a file belongs to: the nearest one whose package.json has a version. */
function packageOf(file: string): string | null {
  if (!file.includes('/node_modules/')) return null
  const name = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? ''
  // A package may carry a copy of another one without its manifest.
  return existsSync(join(name, 'package.json')) ? name : packageOf(dirname(dirname(name)))
}

/** Where a package that `path` depends on is installed. */
function installedPath(name: string, path: string, directory: string): string | null {
  for (let at = path; at.startsWith(directory); at = dirname(at)) {
    const candidate = join(at, 'node_modules', name)
    if (existsSync(join(candidate, 'package.json'))) return candidate
  }
  return null
}
