import type { Entry } from '../archive.ts'
import type { Contents, PlatformRelease } from '../contents.ts'
import { PLATFORMS, type Platform } from '../platforms.ts'
import type { Source } from '../source.ts'
import type { ClientFiles } from './client.ts'
import launcher from './launcher.cjs' with { type: 'text' }

/** The files of the package `@changelogd/cli`: a launcher, and optional packages of which npm installs the one for the machine. */
export function launcherPackage({ version, description, license }: Source, contents: Contents): Entry[] {
  return packed({
    'package.json': json({
      name: '@changelogd/cli',
      version,
      description,
      license,
      bin: { changelogd: 'launcher.cjs' },
      engines: { node: '>=18' },
      optionalDependencies: Object.fromEntries(PLATFORMS.map((platform) => [packageName(platform), version])),
    }),
    'launcher.cjs': launcher,
    ...Object.fromEntries(contents.pages.map(({ path, data }) => [path, data])),
  })
}

/** The files of the package with the program for one platform. */
export function platformPackage({ source, contents, platform, program }: PlatformRelease): Entry[] {
  const { version, license } = source
  const manifest = json({
    name: packageName(platform),
    version,
    description: `The program of @changelogd/cli for ${platform.name}.`,
    license,
    os: [platform.os],
    cpu: [platform.cpu],
    ...(platform.libc ? { libc: [platform.libc] } : {}),
    // It is run, so it has to be a file of its own.
    preferUnplugged: true,
  })
  return packed({ 'package.json': manifest, changelogd: program, LICENSE: contents.license })
}

/** The files of the package `@changelogd/client`, which reads the API and needs no other package. */
export function clientPackage({ version, license }: Source, contents: Contents, files: ClientFiles): Entry[] {
  const manifest = json({
    name: '@changelogd/client',
    version,
    description: 'Reads changelogs of a changelogd server, with types, in browsers and on servers.',
    license,
    type: 'module',
    exports: {
      '.': { types: './client.d.ts', default: './client.js' },
      './widget': { types: './widget.d.ts' },
      './widget/react': { types: './widget-react.d.ts' },
      './widget/vue': { types: './widget-vue.d.ts' },
    },
    // For what does not know `exports`, such as `moduleResolution: node10`.
    main: './client.js',
    types: './client.d.ts',
    typesVersions: {
      '*': {
        widget: ['./widget.d.ts'],
        'widget/react': ['./widget-react.d.ts'],
        'widget/vue': ['./widget-vue.d.ts'],
      },
    },
    sideEffects: false,
  })
  return packed({ 'package.json': manifest, ...files, LICENSE: contents.license })
}

const packageName = (platform: Platform): string => `@changelogd/${platform.name}`

/** The name that `npm pack` would give to `@changelogd/PART`. */
export const packedName = (source: Source, part: Platform['name'] | 'cli' | 'client'): string =>
  `changelogd-${part}-${source.version}.tgz`

const json = (value: object): string => `${JSON.stringify(value, null, 2)}\n`

const EXECUTABLE = ['launcher.cjs', 'changelogd']

const packed = (files: Record<string, string | Uint8Array>): Entry[] =>
  Object.entries(files).map(([name, data]) => ({
    path: `package/${name}`,
    data,
    executable: EXECUTABLE.includes(name),
  }))
