import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Entry } from './archive.ts'
import { readPages } from './pages.ts'
import type { Platform } from './platforms.ts'
import type { Source } from './source.ts'

/** The packages install them; those of the server and the timer are enabled. */
export const UNITS = [
  'changelogd.service',
  'changelogd-worker.service',
  'changelogd-desk.service',
  'changelogd-verify.service',
  'changelogd-verify.timer',
]

/** What comes with the program, on every platform. */
export interface Contents {
  /** The README and everything that it leads to, under their paths in the checkout. */
  readonly pages: readonly Entry[]
  readonly license: string
  readonly changelog: string
  /** For systemd, under their names, with the file of settings that they read. */
  readonly units: readonly Entry[]
  readonly settings: string
  /** Named as in a man1 directory. */
  readonly manuals: readonly Entry[]
  readonly completions: Record<'bash' | 'zsh' | 'fish', string>
}

/** Reads and generates it from the checkout in `directory`; `scratch` is for files on the way. */
export async function readContents(directory: string, scratch: string): Promise<Contents> {
  const text = (name: string) => Bun.file(join(directory, name)).text()
  const manual = join(scratch, 'manual')
  run(directory, 'release/manual/generate.ts', manual)
  const manuals = readdirSync(manual).map(async (path) => ({
    path,
    data: await Bun.file(join(manual, path)).bytes(),
  }))
  const completion = (shell: string) => run(directory, 'src/main.ts', 'completion', shell)
  return {
    pages: await readPages(directory),
    license: await text('LICENSE'),
    changelog: await text('CHANGELOG.md'),
    units: await readUnits(directory),
    settings: await text('release/changelogd.env'),
    manuals: await Promise.all(manuals),
    completions: { bash: completion('bash'), zsh: completion('zsh'), fish: completion('fish') },
  }
}

export const readUnits = (directory: string): Promise<Entry[]> =>
  Promise.all(
    UNITS.map(async (path) => ({ path, data: await Bun.file(join(directory, 'release', path)).text() })),
  )

/** A built program with everything that is packed with it. */
export interface PlatformRelease {
  readonly source: Source
  readonly contents: Contents
  readonly platform: Platform
  readonly program: Uint8Array
}

/** The files of the archive for a platform, all in one directory, which has the name of the archive. */
export function archiveFiles({ source, contents, platform, program }: PlatformRelease): Entry[] {
  const { pages, manuals, completions } = contents
  return [
    { path: 'changelogd', data: program, executable: true },
    ...pages,
    ...manuals.map(({ path, data }) => ({ path: `man/man1/${path}`, data })),
    { path: 'completions/changelogd.bash', data: completions.bash },
    { path: 'completions/_changelogd', data: completions.zsh },
    { path: 'completions/changelogd.fish', data: completions.fish },
  ].map((entry) => ({ ...entry, path: `${archiveName(source, platform)}/${entry.path}` }))
}

/** Without its extension. */
export const archiveName = (source: Source, platform: Platform): string =>
  `changelogd-${source.version}-${platform.name}`

/** What a script of the checkout prints. */
function run(directory: string, ...args: string[]): string {
  const { success, stdout, stderr } = Bun.spawnSync([process.execPath, ...args], { cwd: directory })
  if (!success) throw new Error(`bun ${args.join(' ')}: ${stderr}`)
  return stdout.toString()
}
