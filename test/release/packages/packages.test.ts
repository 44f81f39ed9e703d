import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { checkDeb, checkRpm } from '../../../release/check.ts'
import { buildDeb } from '../../../release/packages/deb.ts'
import { buildRpm } from '../../../release/packages/rpm.ts'
import { packageVersion } from '../../../release/packages/tree.ts'
import { describeNeeding } from '../../support/needs.ts'
import { scratch } from '../../support/scratch.ts'
import { smallRelease } from '../small-release.ts'

for (const [program, kind, build, check] of [
  ['dpkg-deb', 'deb', buildDeb, checkDeb],
  ['rpmbuild', 'rpm', buildRpm, checkRpm],
] as const)
  describeNeeding(program, Bun.which(program) !== null, `the .${kind}`, () => {
    test('is what bun run release takes it for, with the same bytes wherever and whenever it is built', async () => {
      const release = smallRelease('linux-arm64')
      const built = async () => {
        using directory = scratch()
        const name = build(directory.path, join(directory.path, 'work'), release)
        check(directory.path, release)
        return await Bun.file(join(directory.path, name)).bytes()
      }
      const [one, other] = [await built(), await built()]
      expect(Buffer.compare(one, other)).toBe(0)
      // The time of the archive that a .deb is; that of an .rpm is checked with the rest.
      if (kind === 'deb') expect(String(Buffer.from(one).subarray(0, 40))).toContain(' 1700000000')
    })
  })

test('the package of a prerelease is older than that of the release', () => {
  expect(packageVersion('2.0.0-rc.1')).toBe('2.0.0~rc.1')
})
