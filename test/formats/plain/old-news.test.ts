import { expect, test } from 'bun:test'
import { readText } from '../../../src/formats/read-text.ts'

const read = (text: string, name = 'NEWS') => readText(text, name).versions
const day = (date: string) => Date.parse(date)

test('headings of Textile begin versions and sections', () => {
  const text = '# 2.0.0\n\n* One\n\nh2. 1.1.0\n\nh3. Fixes\n\n* Two\n\nh2. 1.0.0\n\n* Three\n'
  expect(read(text)).toMatchObject([
    { label: '2.0.0', changes: [{ title: 'One' }] },
    { label: '1.1.0', changes: [{ type: 'fixes', title: 'Two' }] },
    { label: '1.0.0', changes: [{ title: 'Three' }] },
  ])
})

test('a stage may follow a number of one part, as in GNOME', () => {
  const text =
    '43.0 - February 3, 2026\n=======================\n\n * One\n\n43.rc - January 2, 2026\n=======================\n\n * Two\n'
  expect(read(text)).toMatchObject([{ label: '43.0' }, { label: '43.rc', date: day('2026-01-02') }])
})

test('older versions below the others may have a name in front', () => {
  const older = (number: string) => `-----------\nfrob ${number}\n-----------\n\n * Older\n\n`
  const newer = (number: string) => `${number} - February 3, 2026\n========================\n\n * One\n\n`
  const text = `${['3.3.0', '3.2.0'].map(newer).join('')}${['3.1.0', '3.0.1', '3.0.0'].map(older).join('')}`
  expect(read(text).map(({ label }) => label)).toEqual(['3.3.0', '3.2.0', '3.1.0', '3.0.1', '3.0.0'])
})

test('a date in brackets is that of the version, also with a title around it', () => {
  expect(
    read('## v1.1.0 [Owl] (02 January 2026) - MAINTENANCE RELEASE\n\n* One\n', 'CHANGELOG.md'),
  ).toMatchObject([{ label: 'v1.1.0', date: day('2026-01-02'), title: '[Owl] MAINTENANCE RELEASE' }])
})

test.each([
  ['Jane Doe,\nJanuary 2, 2026', 'Jane Doe,\nJanuary 2, 2026'],
  ['-- Jane Doe - 2 January, 2026.', '-- Jane Doe - 2 January, 2026.'],
])('a version may be signed with its date: %p', (signature, closing) => {
  const text = `frob 1.1.0\n\n* One\n\n${signature}\n\nfrob 1.0.0\n\n* Two\n`
  expect(read(text)[0]).toMatchObject({ date: day('2026-01-02'), closing, changes: [{ title: 'One' }] })
})

test('a name above the date of a version without bullets is no change', () => {
  const text =
    'frob 1.1.0\n----------\n\nOne\n\nJane Doe,\nJanuary 2, 2026\n\nfrob 1.0.0\n----------\n\nTwo\n'
  expect(read(text)[0]).toMatchObject({ date: day('2026-01-02'), changes: [{ title: 'One' }] })
})

test('the newest entry has its number, if that ends its line', () => {
  const text =
    'Tue Feb 03 2026 Jane Doe (jane@example.com) - 1.1.1\n  - One\n\n*Fri Jan 02 2026 Jane Doe (jane@example.com) - 1.1.0\n  - Two\n\n*Thu Jan 01 2026 Jane Doe (jane@example.com) - 1.0.9\n  - Three\n\n*Wed Dec 31 2025 Jane Doe (jane@example.com) - 1.0.8\n  - Four\n'
  expect(read(text)[0]).toMatchObject({ label: '1.1.1', status: 'published', date: day('2026-02-03') })
})

test('a step to the number of its version is no change', () => {
  const text =
    '2026-02-03 Jane Doe <jane@example.com>\n\t* 1.0.0 -> 1.1.0\n\tBug fix:\n\t\t-One flag less\n\n2026-01-02 Jane Doe <jane@example.com>\n\t* 0.9.0 -> 1.0.0\n\t* First\n\n2026-01-01 Jane Doe <jane@example.com>\n\t* 0.8.0 -> 0.9.0\n\t* Before\n'
  expect(read(text)).toMatchObject([
    { label: '1.1.0', changes: [{ type: 'bug-fix', title: 'One flag less' }] },
    { label: '1.0.0', changes: [{ title: 'First' }] },
    { label: '0.9.0', changes: [{ title: 'Before' }] },
  ])
})

test('a day in the head of a file is no version', () => {
  expect(
    read('frob\n\n03.21.2001\n\nChange Log\n\nv1.1\no One\n\nv1.0\no Two\n').map(({ label }) => label),
  ).toEqual(['v1.1', 'v1.0'])
})

test('lists of HTML are lists, unless they are in a table', () => {
  const list =
    '<ul>\n    <li>One</li>\n    <li>Two\n    </li>\n<li> <b>Three</b>\n<ul><li>nested</li></ul>\n</li></ul>\n'
  const text = `## 1.1.0\n${list}\n## 1.0.0\n<ul><li>First</li></ul>\n`
  const [newer, older] = read(text, 'CHANGELOG.md')
  expect(newer?.changes.map(({ title }) => title)).toEqual(['One', 'Two', '<b>Three</b>'])
  expect(newer?.changes[2]?.description).toBe('- nested')
  expect(older?.changes).toMatchObject([{ title: 'First' }])
  const table = `## 1.1.0\n<table><tr><td>\n${list}</td></tr></table>\n`
  expect(read(table, 'CHANGELOG.md')[0]?.changes).toEqual([])
})

test('underlined versions among lines are versions too', () => {
  const text =
    '1.1 - Tue Jan 1, 2026\n  one\n1.2 - Wed Jan 2, 2026\n  two\n1.3 - text\n1.4 - Thu Jan 3, 2026\n  three\n\n1.5 : 4 JAN 2026 Jane\n---\nfour\n'
  expect(read(text).map(({ label }) => label)).toEqual(['1.1', '1.2', '1.3', '1.4', '1.5'])
})

test('the day and the author below a version are its date', () => {
  const text =
    'Frob 1.3\n2026-03-04 Jane Doe <jane@example.com>\n\n  o One\n\nFrob 1.2\n2026-02-03 Jane Doe <jane@example.com>\n\n  o Two\n\nFrob 1.1\n2026-01-02 Jane Doe <jane@example.com>\n\n  o Three\n'
  expect(read(text)).toMatchObject([
    { label: '1.3', date: day('2026-03-04'), changes: [{ title: 'One' }] },
    { label: '1.2', date: day('2026-02-03'), changes: [{ title: 'Two' }] },
    { label: '1.1', date: day('2026-01-02'), changes: [{ title: 'Three' }] },
  ])
})

test('the changelog of a program that came before may go on below', () => {
  const own = ['2.2.0', '2.1.0', '2.0.0', '2.0.0-rc2', '2.0.0-rc1']
  const former = ['7.4', '7.3', '7.2', '7.1', '7.0']
  const text = [
    ...own.map((number) => `2026-02-03 frob ${number}\n\t* One\n\n`),
    ...former.map((number) => `version ${number} - 2020.5.3 jane@example.com\n\tTwo\n\n`),
  ].join('')
  expect(read(text).map(({ label }) => label)).toEqual([...own, ...former])
})

test('an entry by date may name its version with the number first', () => {
  const text =
    '2026-03-04\n\t1.0.2. version\n\tFix one case\n2026-02-03\n\tThe 1.0.1 version.\n2026-02-02\n\tFix another\n2026-01-02\n\t1.0.0 version is released.\n'
  expect(read(text).map(({ label }) => label)).toEqual(['1.0.2', '1.0.1', '1.0.0'])
})

test('HTML in code is code, and a list that is never closed ends with its version', () => {
  const code =
    '## 1.2.0\n\n* x\n\n    ```html\n    <ul>\n      <li>a\n    ```\n\n## 1.1.0\n\n<ul>\n<li>b\n\n## 1.0.0\n\n* c\n'
  expect(readText(code, 'CHANGELOG.md').versions).toMatchObject([
    { label: '1.2.0', changes: [{ title: 'x' }] },
    { label: '1.1.0', changes: [{ title: 'b' }] },
    { label: '1.0.0', changes: [{ title: 'c' }] },
  ])
})
