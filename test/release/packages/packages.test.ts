import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { checkDeb, checkRpm } from '../../../release/check.ts'
import { buildDeb } from '../../../release/packages/deb.ts'
import { buildRpm } from '../../../release/packages/rpm.ts'
import { describeNeeding } from '../../support/needs.ts'
import { scratch } from '../../support/scratch.ts'
import { smallRelease } from '../small-release.ts'

const PRERELEASE = { ...smallRelease(), source: { ...smallRelease().source, version: '2.0.0-rc.1' } }

/** A package that is built in a directory of its own, and what `look` finds there. */
async function built(build: typeof buildDeb, release = smallRelease(), look: typeof checkDeb = () => {}) {
  using directory = scratch()
  const name = build(directory.path, join(directory.path, 'work'), release)
  look(directory.path, release)
  return { name, bytes: await Bun.file(join(directory.path, name)).bytes() }
}

for (const [program, kind, build, check] of [
  ['dpkg-deb', 'deb', buildDeb, checkDeb],
  ['rpmbuild', 'rpm', buildRpm, checkRpm],
] as const)
  describeNeeding(program, Bun.which(program) !== null, `the .${kind}`, () => {
    test('is of its version and architecture, and installs what it should, as bun run release checks', async () => {
      await built(build, smallRelease('linux-arm64'), check)
    })

    test('has the same bytes wherever and whenever it is built', async () => {
      const [one, other] = [await built(build), await built(build)]
      expect(Buffer.compare(one.bytes, other.bytes)).toBe(0)
      // The time of the archive that a .deb is; that of an .rpm is checked with the rest.
      if (kind === 'deb') expect(String(Buffer.from(one.bytes).subarray(0, 40))).toContain(' 1700000000')
    })

    test('of a prerelease is older than that of the release', async () => {
      expect((await built(build, PRERELEASE)).name).toContain('2.0.0~rc.1')
    })
  })

test.each(['postinst', 'prerm', 'postrm'])('the .deb has a %s that a plain shell can read', (name) => {
  const script = join(import.meta.dir, `../../../release/packages/deb/${name}.sh`)
  expect(Bun.spawnSync(['sh', '-n', script]).exitCode).toBe(0)
})
