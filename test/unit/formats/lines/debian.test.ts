import { expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Glob } from 'bun'
import { parseDebian } from '../../../../src/formats/lines/debian.ts'
import { describeNeeding } from '../../../support/needs.ts'
import { scratch } from '../../../support/scratch.ts'

const DOCUMENTATION = '/usr/share/doc'
const changelogs = existsSync(DOCUMENTATION)
  ? [...new Glob('*/changelog.Debian.gz').scanSync(DOCUMENTATION)].sort().slice(0, 4)
  : []
const hasDpkg = Bun.which('dpkg-parsechangelog') !== null && changelogs.length > 0

describeNeeding('dpkg-parsechangelog', hasDpkg, 'the changelogs of installed packages', () => {
  test('have the versions and the times that dpkg finds in them, and all of their words', async () => {
    using place = scratch()
    for (const name of changelogs) {
      const path = join(place.path, 'changelog')
      const text = new TextDecoder().decode(Bun.gunzipSync(await Bun.file(join(DOCUMENTATION, name)).bytes()))
      await Bun.write(path, text)
      const { versions } = parseDebian(text)
      const found = versions.map(({ label, date }) => [label.replace(/ \(\d+\)$/, ''), date])
      expect([name, ...found]).toEqual([name, ...(await dpkgVersions(path))])
      const stored = versions.flatMap(({ description, closing, changes }) => [
        ...[description, closing],
        ...changes.flatMap((change) => [change.title, change.description]),
      ])
      const words = new Set(stored.join('\n').split(/[^\p{L}\p{N}]+/u))
      const items = text.split(/\r?\n/).filter((line) => /^ {2,}\S/.test(line))
      const lost = items
        .flatMap((line) => line.split(/[^\p{L}\p{N}]+/u))
        .filter((word) => !words.has(word) && word !== '')
      expect([name, ...lost]).toEqual([name])
    }
  })
})

/** The number and the time of each version; no time if it is not released. */
async function dpkgVersions(path: string): Promise<[version: string, date: number | null][]> {
  const command = ['dpkg-parsechangelog', '--all', '-l', path, '--format', 'rfc822']
  const output = await new Response(Bun.spawn(command, { stderr: 'ignore' }).stdout).text()
  const values = (field: string) =>
    [...output.matchAll(new RegExp(`^${field}: (.*)$`, 'gm'))].map(([, value = '']) => value)
  const [times, distributions] = [values('Timestamp'), values('Distribution')]
  return values('Version').map((version, at) => [
    version,
    distributions[at] === 'UNRELEASED' ? null : Number(times[at]) * 1000,
  ])
}
