import { describe, expect, test } from 'bun:test'
import { ADDED_BY_HAND, fieldHash } from '../../../../src/domain/importing/imported.ts'
import {
  continuedVersions,
  type FileVersion,
  type StoredVersion,
} from '../../../../src/domain/importing/match-versions.ts'

const inFile = (label: string, titles: string[] = [], description: string | null = null): FileVersion => ({
  ...{ label, description },
  changes: titles.map((title) => ({ title })),
})
const published = (label: string): StoredVersion => ({ ...inFile(label), status: 'published', dated: true })
const draft = (label: string, titles: string[] = [], description: string | null = null): StoredVersion => ({
  ...inFile(label, titles, description),
  ...{ status: 'draft', dated: false },
})
const continued = (stored: StoredVersion[], ...file: FileVersion[]) =>
  Object.fromEntries(continuedVersions(stored, file))

describe('a version of a file is a stored one', () => {
  test.each([
    ['1.1.0', 'v1.1.0'],
    ['v1.1.0', '1.1.0'],
    ['1.1.0', 'app@1.1.0'],
    ['@acme/app@1.1.0', 'v1.1.0'],
    ['app-v1.1.0', 'app/1.1.0'],
    ['1.1.0-rc.1', 'release-1.1.0-rc.1'],
    ['1.1.0-1', 'v1.1.0-1'],
  ])('when %s becomes %s', (before, after) => {
    expect(continued([published(before)], inFile(after))).toEqual({
      [after]: { label: before, isRenamed: false },
    })
  })

  test('but not when names tell several products apart', () => {
    const stored = [published('1.1.0'), published('1.0.0')]
    expect(continued(stored, inFile('app@1.1.0'), inFile('cli@1.0.0'))).toEqual({})
    expect(continued([published('app@1.1.0')], inFile('app@v1.1.0'), inFile('cli@1.1.0'))).toEqual({
      'app@v1.1.0': { label: 'app@1.1.0', isRenamed: false },
    })
  })

  test('but not when another version of the file has its label', () => {
    expect(continued([published('1.1.0')], inFile('v1.1.0'), inFile('1.1.0'))).toEqual({})
    expect(continued([published('1.1.0')], inFile('v1.1.0'), inFile('V1.1.0'))).toEqual({
      'v1.1.0': { label: '1.1.0', isRenamed: false },
    })
  })
})

describe('a version whose label was changed by hand', () => {
  const relabelled = (label: string, before: string): StoredVersion => ({
    ...published(label),
    imported: `label:${fieldHash(before)}`,
  })

  test.each(['1.1.0', 'v1.1.0'])('is the one that it was imported as, which the file calls %s', (label) => {
    for (const before of ['1.1.0', 'v1.1.0'])
      expect(continued([relabelled('Spring', before)], inFile(label))).toEqual({
        [label]: { label: 'Spring', isRenamed: false },
      })
  })

  test('is the one whose number it has now, if the file has that too', () => {
    const file = [inFile('Unreleased', ['New']), inFile('v1.2.0', ['Login'])]
    expect(continued([relabelled('1.2.0', 'Unreleased')], ...file)).toEqual({
      'v1.2.0': { label: '1.2.0', isRenamed: false },
    })
  })
})

describe('the unreleased section is renamed', () => {
  const renamed = { '1.1.0': { label: 'Unreleased', isRenamed: true } }

  test('when a new version has its changes', () => {
    expect(
      continued([draft('Unreleased', ['Login', 'Logout'])], inFile('1.1.0', ['Logout', 'Login', 'New'])),
    ).toEqual(renamed)
  })

  test.each([
    ['0898f9a: Add a search field'],
    [
      '[#12](https://example.com/12) [`0898f9a`](https://example.com/c) Thanks [@jane](https://example.com/j)! - Add a search field',
    ],
    ['**app, @acme/core:** Add a search field'],
  ])('when that release puts something in front of its changes: %s', (title) => {
    const renamed = { '1.1.0': { label: 'Unreleased', isRenamed: true } }
    expect(continued([draft('Unreleased', ['Add a search field'])], inFile('1.1.0', [title]))).toEqual(
      renamed,
    )
    expect(continued([draft('Unreleased', [title])], inFile('1.1.0', ['Add a search field']))).toEqual(
      renamed,
    )
  })

  test('when the file has a fresh one', () => {
    const file = [inFile('Unreleased', ['Search']), inFile('1.1.0', ['Login'])]
    expect(continued([draft('Unreleased', ['Login'])], ...file)).toEqual(renamed)
  })

  test('when its changes were corrected manually, or others were added to them', () => {
    const stored = draft('Unreleased', ['Sign in', 'By hand', 'Also by hand'])
    const [login, ...added] = stored.changes
    const changes = [
      { title: login?.title ?? '', imported: `title:${fieldHash('Login')}` },
      ...added.map((change) => ({ ...change, imported: ADDED_BY_HAND })),
    ]
    expect(continued([{ ...stored, changes }], inFile('1.1.0', ['Login']))).toEqual(renamed)
    expect(continued([{ ...stored, changes }], inFile('1.1.0', ['0898f9a: Login']))).toEqual(renamed)
    expect(continued([{ ...stored, changes }], inFile('1.1.0', ['Logout', 'By hand']))).toEqual({})
  })

  test('when it was published or dated by hand before its release', () => {
    const stored = draft('Unreleased', ['Login'])
    const status = `status:${fieldHash('draft')}`
    const date = `date:${fieldHash(null)}`
    for (const byHand of [
      { status: 'published' as const, imported: status },
      { dated: true, imported: date },
      { status: 'published' as const, dated: true, imported: `${status} ${date}` },
    ])
      expect(continued([{ ...stored, ...byHand }], inFile('1.1.0', ['Login']))).toEqual(renamed)
    expect(
      continued(
        [{ ...stored, status: 'published', dated: true, imported: status }],
        inFile('1.1.0', ['Login']),
      ),
    ).toEqual({ '1.1.0': { label: 'Unreleased', isRenamed: false, isRenumbered: true } })
  })

  test('when a new version has its description, if there are no changes', () => {
    expect(continued([draft('Unreleased', [], 'Words.')], inFile('1.1.0', [], 'Words.'))).toEqual(renamed)
  })

  test('whatever it is called', () => {
    expect(continued([draft('1.1.0-next', ['Login'])], inFile('1.1.0', ['Login']))).toEqual({
      '1.1.0': { label: '1.1.0-next', isRenamed: true },
    })
  })

  test.each([
    ['has fewer than half of its changes', [draft('Unreleased', ['a', 'b', 'c'])], [inFile('1.1.0', ['a'])]],
    [
      'has no more of them than the section still has',
      [draft('Unreleased', ['a'])],
      [inFile('Unreleased', ['a']), inFile('1.1.0', ['a'])],
    ],
    ['has nothing, as the section had', [draft('Unreleased')], [inFile('1.1.0')]],
    ['is stored already', [draft('Unreleased', ['a']), published('1.1.0')], [inFile('1.1.0', ['a'])]],
  ])('but not when the new version %s', (_, stored, file) => {
    expect(continued(stored, ...file)).toEqual({})
  })
})

describe('a version is renumbered', () => {
  const released = (label: string, ...titles: string[]): StoredVersion => ({
    ...published(label),
    changes: titles.map((title) => ({ title })),
  })
  const renumbered = { '2.0.0': { label: '1.1.0', isRenamed: false, isRenumbered: true as const } }
  const stored = [released('1.2.0', 'x'), released('1.1.0', 'a', 'b', 'c', 'd', 'e'), released('1.0.0', 'y')]
  const [newest, oldest] = [inFile('1.2.0', ['x']), inFile('1.0.0', ['y'])]
  const most = inFile('2.0.0', ['a', 'b', 'c', 'd', 'new'])

  test('when the file has most of its changes in its place, under another label', () => {
    expect(continued(stored, newest, most, oldest)).toEqual(renumbered)
    expect(continued(stored.slice(1, 2), most)).toEqual(renumbered)
  })

  test.each([
    ['stands in another place', [most, newest, oldest]],
    ['has fewer of its changes', [newest, inFile('2.0.0', ['a', 'b', 'c']), oldest]],
    ['comes beside it', [newest, most, inFile('1.1.0', ['e']), oldest]],
    ['is not released', [newest, inFile('Unreleased', ['a', 'b', 'c', 'd', 'e']), oldest]],
  ])('but not when the new one %s', (_, file) => {
    expect(continued(stored, ...file)).toEqual({})
  })

  test('but not when its label was changed by hand', () => {
    const relabelled = stored.map((version) => ({ ...version, imported: `label:${fieldHash('Spring')}` }))
    expect(continued(relabelled, newest, most, oldest)).toEqual({})
  })
})
