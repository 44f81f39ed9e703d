/** `bun run build` makes dist/changelogd for this machine; `bun run build --all` one for every platform. */
import { parseArgs } from 'node:util'

const TARGETS = [
  'linux-x64',
  'linux-arm64',
  'linux-x64-musl',
  'linux-arm64-musl',
  'darwin-x64',
  'darwin-arm64',
] as const

const { values } = parseArgs({ options: { all: { type: 'boolean', default: false } } })

if (values.all) for (const target of TARGETS) await build(`dist/changelogd-${target}`, target)
else await build('dist/changelogd')

async function build(outfile: string, target?: (typeof TARGETS)[number]): Promise<void> {
  await Bun.build({
    // The second is what each serving thread runs.
    entrypoints: ['src/main.ts', 'src/http/threads/worker.ts'],
    // Names stay: Elysia reads the source of handlers to see what they use.
    minify: { whitespace: true, syntax: true, identifiers: false },
    bytecode: true,
    // A command loads only the chunks it needs. Of one large file, all of it would be read at every start.
    format: 'esm',
    splitting: true,
    define: { 'process.env.NODE_ENV': '"production"' },
    compile: {
      outfile,
      ...(target ? { target: `bun-${target}` as const } : {}),
      // The binary obeys its own flags and variables, not files that happen to lie where it is started.
      autoloadDotenv: false,
      autoloadBunfig: false,
    },
  })
  console.log(`${outfile}  ${Math.round(Bun.file(outfile).size / 1_000_000)} MB`)
}
