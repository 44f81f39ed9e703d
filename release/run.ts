/**
 * `bun run release` builds everything a release needs into dist/release, from the clean checkout of a tag: the same bytes for
 * the same commit. With `--untagged`, to try it out, the commit needs no tag. With `--quick` it needs none either, and the same
 * files, with a program of a few bytes in them, go into dist/release-quick: to see whether everything works. `--address` is where
 * people will download the files: install.sh and the Homebrew formula name it. APT_KEY names the key of gpg that signs the apt
 * repository.
 */
import { mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { unsign } from 'macho-unsign'
import { build } from '../build.ts'
import { devDependencies } from '../package.json'
import { Refusal } from '../src/domain/refusal.ts'
import { errorText } from '../src/log/report.ts'
import { tarGz } from './archive.ts'
import { checkRelease } from './check.ts'
import { archiveFiles, archiveName, readContents } from './contents.ts'
import { homebrewFormula } from './homebrew.ts'
import installScript from './install.sh' with { type: 'text' }
import { releaseNotes } from './notes.ts'
import { buildClient } from './npm/client.ts'
import { clientPackage, launcherPackage, packedName, platformPackage } from './npm/packages.ts'
import { buildAptRepository } from './packages/apt.ts'
import { buildDeb } from './packages/deb.ts'
import { buildRpm } from './packages/rpm.ts'
import { requireTool } from './packages/tool.ts'
import { PLATFORMS, type Platform } from './platforms.ts'
import { createSbom } from './sbom.ts'
import { readSource, type Source } from './source.ts'
import { sha256Sums } from './sums.ts'

const ROOT = join(import.meta.dir, '..')
const OUT = 'dist/release'
const OUT_QUICK = 'dist/release-quick'
/** Whoever installs it by mistake learns what it is. */
const PLACEHOLDER = Buffer.from(
  '#!/bin/sh\necho "This is no changelogd, but a placeholder of bun run release --quick." >&2\nexit 1\n',
)

interface Options {
  readonly untagged: boolean
  readonly quick: boolean
  readonly address?: string | undefined
}

async function release({ untagged, quick, address = '' }: Options): Promise<void> {
  process.chdir(ROOT)
  if (address !== '' && !/^https:\/\/[^\s"'`$\\]*[^\s"'`$\\/]$/.test(address))
    throw new Refusal(`--address is '${address}': it must be an https address without a slash at its end.`)
  const source = await readSource(ROOT, untagged || quick)
  if (Bun.version !== devDependencies['bun-types'])
    throw new Refusal(
      `A release is built with Bun ${devDependencies['bun-types']}; this is ${Bun.version}.`,
      {
        hint: `To use it: npx -y bun@${devDependencies['bun-types']} run release`,
      },
    )
  for (const tool of ['dpkg-deb', 'rpmbuild', 'rpm']) requireTool(tool)

  mkdirSync(join(ROOT, 'dist'), { recursive: true })
  const scratch = mkdtempSync(join(ROOT, 'dist/.release-'))
  const target = quick ? OUT_QUICK : OUT
  try {
    const out = join(scratch, 'out')
    await buildFiles(out, scratch, source, address, quick ? async () => PLACEHOLDER : buildProgram)
    // Only now: what is in dist/release is always a whole release.
    rmSync(target, { recursive: true, force: true })
    renameSync(out, target)
    console.log(`Built changelogd ${source.version} in ${target}.`)
    if (quick)
      console.log('The programs in these files are placeholders: for programs that run, leave out --quick.')
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

async function buildFiles(
  out: string,
  scratch: string,
  source: Source,
  address: string,
  programFor: typeof buildProgram,
): Promise<void> {
  const save = async (name: string, data: Uint8Array | string) => {
    await Bun.write(join(out, name), data)
    console.log(name)
  }
  const contents = await readContents(ROOT, scratch)
  for (const platform of PLATFORMS) {
    const built = { source, contents, platform, program: await programFor(scratch, source, platform) }
    await save(`${archiveName(source, platform)}.tar.gz`, await tarGz(archiveFiles(built), source.time))
    await save(packedName(source, platform.name), await tarGz(platformPackage(built), source.time))
    if (platform.libc === 'glibc')
      for (const buildPackage of [buildDeb, buildRpm]) console.log(buildPackage(out, scratch, built))
  }
  await save(packedName(source, 'cli'), await tarGz(launcherPackage(source, contents), source.time))
  const client = clientPackage(source, contents, await buildClient(ROOT, scratch))
  await save(packedName(source, 'client'), await tarGz(client, source.time))
  await save(`changelogd-${source.version}.cdx.json`, await createSbom(ROOT, source))
  await save(
    'install.sh',
    installScript.replaceAll('@VERSION@', source.version).replaceAll('@ADDRESS@', address),
  )
  await save('NOTES.md', releaseNotes(source, contents.changelog))
  const signed = await buildAptRepository(out, source, process.env.APT_KEY)
  if (address) await save('changelogd.rb', await homebrewFormula(source, address, out))
  await save('SHA256SUMS', await sha256Sums(out))
  checkRelease(out, source, contents, [...signed, ...(address ? ['changelogd.rb'] : [])])
  if (!address) console.log('Without --address, there is no Homebrew formula, and install.sh needs --from.')
}

async function buildProgram(scratch: string, source: Source, platform: Platform): Promise<Uint8Array> {
  const path = join(scratch, platform.name, 'changelogd')
  await build(path, source.commit, platform.name)
  const program = await Bun.file(path).bytes()
  // Bun signs for arm64. For x64 it leaves the signature of its own runtime, which is wrong for the program; without one it may run there.
  const unsigned = platform.name === 'darwin-x64' ? unsign(program) : null
  return unsigned ? new Uint8Array(unsigned) : program
}

const { values } = parseArgs({
  options: {
    untagged: { type: 'boolean', default: false },
    quick: { type: 'boolean', default: false },
    address: { type: 'string' },
  },
})
try {
  await release(values)
} catch (error) {
  if (!(error instanceof Refusal)) throw error
  console.error(`release: ${errorText(error)}`)
  process.exit(1)
}
