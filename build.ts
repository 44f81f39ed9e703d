/**
 * `bun run build` builds dist/changelogd for this machine; with `--target`, such as linux-arm64-musl, for another one. `--commit` names the
 * commit where there is no git, as in an image.
 */
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type { BunPlugin } from 'bun'

export const TARGETS = [
  'linux-x64',
  'linux-arm64',
  'linux-x64-musl',
  'linux-arm64-musl',
  'darwin-x64',
  'darwin-arm64',
] as const

const OUTFILE = 'dist/changelogd'

export type Target = (typeof TARGETS)[number]

/** What every binary is built from. The second is what each serving thread runs. */
export const ENTRY_POINTS = ['src/main.ts', 'src/http/threads/worker.ts']

/** Takes the build of `lru-cache` for browsers: its other one loads diagnostics of Node, 2 ms at each start of a server. */
const WITHOUT_DIAGNOSTICS: BunPlugin = {
  name: 'without diagnostics',
  setup: (build) => {
    const path = resolve('node_modules/lru-cache/dist/esm/browser/index.min.js')
    build.onResolve({ filter: /^lru-cache$/ }, () => ({ path }))
  },
}

/**
 * Builds the binary for this machine or for `target`, from the current directory. The name of `outfile` becomes part of it: the
 * same bytes need the same name. A runtime of another platform comes from the npm registry.
 */
export async function build(outfile: string, commit: string | null, target?: Target): Promise<void> {
  await Bun.build({
    entrypoints: ENTRY_POINTS,
    plugins: [WITHOUT_DIAGNOSTICS],
    // Names stay: Elysia reads the source of handlers to see what they use.
    minify: { whitespace: true, syntax: true, identifiers: false },
    bytecode: true,
    // A command loads only the chunks it needs. Of one large file, all of it would be read at every start.
    format: 'esm',
    splitting: true,
    define: {
      'process.env.NODE_ENV': '"production"',
      BUILD: JSON.stringify({ commit, platform: target ?? hostPlatform() }),
    },
    compile: {
      outfile,
      ...(target ? { target: `bun-${target}` as const } : {}),
      // The binary obeys its own flags and variables, not files that happen to lie where it is started.
      autoloadDotenv: false,
      autoloadBunfig: false,
    },
  })
}

/** This machine, named as the targets are. */
function hostPlatform(): string {
  const report = process.report.getReport() as { header: { glibcVersionRuntime?: string } }
  const isMusl = process.platform === 'linux' && report.header.glibcVersionRuntime === undefined
  return `${process.platform}-${process.arch}${isMusl ? '-musl' : ''}`
}

/** The commit of the current directory, or null if it has changes, is no checkout, or there is no git. */
function currentCommit(): string | null {
  if (Bun.which('git') === null) return null
  const git = (...args: string[]) => Bun.spawnSync(['git', ...args], { stderr: 'ignore' })
  const status = git('status', '--porcelain')
  if (!status.success || status.stdout.length > 0) return null
  return git('rev-parse', 'HEAD').stdout.toString().trim()
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: { target: { type: 'string' }, commit: { type: 'string' } },
  })
  const target = TARGETS.find((one) => one === values.target)
  if (values.target !== undefined && !target) {
    console.error(`There is no target ${values.target}. To choose: ${TARGETS.join(', ')}`)
    process.exit(2)
  }
  await build(OUTFILE, values.commit ?? currentCommit(), target)
  console.log(`${OUTFILE}  ${Math.round(Bun.file(OUTFILE).size / 1_000_000)} MB`)
}
