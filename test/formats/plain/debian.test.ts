import { describe, expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Glob } from 'bun'
import { parseDebian } from '../../../src/formats/plain/debian.ts'
import { describeNeeding } from '../../support/needs.ts'
import { scratch } from '../../support/scratch.ts'

const FILE = `hello (2.11-1) UNRELEASED; urgency=medium

  * New upstream release

 -- Jane Doe <jane@example.com>  Fri, 02 Jan 2026 03:04:05 +0100

hello (1:2.10-3) unstable; urgency=high, binary-only=yes

  [ Jane Doe ]
  * Use debhelper_compat *13* (see <https://example.com/a_b_?x=1&y=2>),
    which needs less. Closes: #12
    + debian/rules: \`dh\` does it
    + debian/control: and this
      too

  [ John Roe ]
  * d/copyright: update __FILE__

 -- Jane Doe <jane@example.com>  Thu, 01 Jan 2026 03:04:05 +0100

hello (2.10-2) experimental unstable; urgency=low

   Words without a bullet.

 -- Jane Doe <jane@example.com>  Wed, 31 Dec 2025 03:04:05 +0000

Local variables:
mode: debian-changelog
`

describe('a Debian changelog', () => {
  test('becomes versions with the time of their last line, UNRELEASED ones drafts without one', () => {
    const { versions, warnings, preamble } = parseDebian(FILE)
    expect(
      versions.map(({ label, title, date, status, line }) => ({ label, title, date, status, line })),
    ).toEqual([
      { label: '2.11-1', title: '2.11-1', date: null, status: 'draft', line: 1 },
      {
        ...{ label: '1:2.10-3', title: '1:2.10-3', status: 'published', line: 7 },
        date: Date.parse('2026-01-01T02:04:05Z'),
      },
      {
        ...{ label: '2.10-2', title: '2.10-2', status: 'published', line: 21 },
        date: Date.parse('2025-12-31T03:04:05Z'),
      },
    ])
    expect(warnings).toMatchObject([
      { line: 21, message: expect.stringContaining('kept in the description') },
    ])
    expect(preamble).toBeUndefined()
  })

  test('has a change for each item, with its text as it is shown and the name above it', () => {
    const [first, second, third] = parseDebian(FILE).versions
    expect(first?.changes).toEqual([{ type: 'changed', title: 'New upstream release', description: null }])
    expect(second?.changes).toEqual([
      {
        type: 'changed',
        title:
          '**Jane Doe:** Use debhelper_compat \\*13\\* (see \\<https://example.com/a_b_?x=1&y=2>), which needs less. Closes: #12',
        description: '- debian/rules: `dh` does it\n- debian/control: and this\n  too',
      },
      { type: 'changed', title: '**John Roe:** d/copyright: update \\_\\_FILE\\_\\_', description: null },
    ])
    expect(second?.description).toBe('Urgency: high')
    expect(third?.description).toStartWith('Words without a bullet.')
  })

  test.each([
    ['# x\n\nnonsense', 'line 3: expected an entry such as "hello (2.10-3) unstable; urgency=medium"'],
    [
      'a (1) sid; urgency=low\n\n  * x\n\na (0) sid; urgency=low\n',
      'line 5: the entry of line 1 does not end; expected " -- Name <mail>  Mon, 02 Jan 2006 15:04:05 +0000"',
    ],
    ['a (1) sid; urgency=low\n\n  * cut off', 'line 3: the entry of line 1 does not end'],
    [
      'a (1) sid; urgency=low\n\n  * x\n\n -- A <b>  yesterday',
      'line 5: no date that can be read; expected " -- Name',
    ],
  ])('%j is refused with line and what was expected', (text, message) => {
    expect(() => parseDebian(text)).toThrow(message)
  })

  test('may have entries without a distribution below the first', () => {
    const end = ' -- A <b>  Thu, 01 Jan 2026 00:00:00 +0000'
    const { versions, warnings } = parseDebian(
      `a (2) sid; urgency=low\n\n  * x\n\n${end}\n\na (1.9)\n\n  * y\n\n${end}\n`,
    )
    expect(versions.map(({ label, date }) => [label, date])).toEqual([
      ['2', Date.parse('2026-01-01')],
      ['1.9', Date.parse('2026-01-01')],
    ])
    expect(warnings).toEqual([])
  })

  test('may have an entry that is not released and does not end', () => {
    const { versions } = parseDebian(
      'a (2) UNRELEASED; urgency=low\n\n  * x\n\na (1) sid; urgency=low\n\n -- A <b>  Thu, 01 Jan 2026 00:00:00 +0000\n',
    )
    expect(versions.map(({ label, status }) => [label, status])).toEqual([
      ['2', 'draft'],
      ['1', 'published'],
    ])
  })
})

const DOCUMENTATION = '/usr/share/doc'
const changelogs = existsSync(DOCUMENTATION)
  ? [...new Glob('*/changelog.Debian.gz').scanSync(DOCUMENTATION)].sort().slice(0, 8)
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
      const expected = await dpkgVersions(path)
      expect([name, ...versions.map(({ label }) => label.replace(/ \(\d+\)$/, ''))]).toEqual([
        name,
        ...expected.map(({ version }) => version),
      ])
      for (const [at, { version, distribution, time }] of expected.entries()) {
        const date = distribution === 'UNRELEASED' ? null : time * 1000
        expect([name, version, versions[at]?.date]).toEqual([name, version, date])
      }
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

async function dpkgVersions(path: string) {
  const child = Bun.spawn(['dpkg-parsechangelog', '--all', '-l', path, '--format', 'rfc822'], {
    stderr: 'ignore',
  })
  const output = await new Response(child.stdout).text()
  const values = (field: string) =>
    [...output.matchAll(new RegExp(`^${field}: (.*)$`, 'gm'))].map(([, value = '']) => value)
  const [times, distributions] = [values('Timestamp'), values('Distribution')]
  return values('Version').map((version, at) => ({
    ...{ version, time: Number(times[at]), distribution: distributions[at] },
  }))
}
