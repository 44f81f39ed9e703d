import { describe, expect, test } from 'bun:test'
import { readText } from '../../../src/formats/read-text.ts'

const read = (text: string) =>
  readText(text, 'NEWS').versions.map(({ label, date, line, changes }) => ({
    ...{ label, line, day: date && new Date(date).toISOString().slice(0, 10) },
    titles: changes.map(({ title }) => title),
  }))

describe('the first change of a version may be beside its number', () => {
  test('if others are below it in the same column', () => {
    const text =
      '1.2 (10/16/2004)\t- Read files\n\t\t\t  with spaces.\n\n\t\t\t- Write them.\n\n1.1 (09/16/2004)\t- Just renamed.\n\n1.0 (08/16/2004)\t- Begin\n\t\t\t- and end.\n'
    expect(read(text)).toEqual([
      { label: '1.2', line: 1, day: '2004-10-16', titles: ['Read files with spaces.', 'Write them.'] },
      { label: '1.1', line: 6, day: '2004-09-16', titles: ['Just renamed.'] },
      { label: '1.0', line: 8, day: '2004-08-16', titles: ['Begin', 'and end.'] },
    ])
  })

  test('with the date behind it', () => {
    const text = '2.1 * Faster (June 2003)\n    * Smaller\n\n2.0 * New (May 2003)\n    * Blue\n'
    expect(read(text)).toMatchObject([
      { label: '2.1', day: '2003-06-01', titles: ['Faster', 'Smaller'] },
      { label: '2.0', day: '2003-05-01', titles: ['New', 'Blue'] },
    ])
  })

  test('and is the name of the version if they are not', () => {
    const text = '2.1 - Faster\n  - Parse once\n  - Print once\n\n2.0 - New\n  - All of it\n'
    expect(read(text)).toMatchObject([{ titles: ['Parse once', 'Print once'] }, { titles: ['All of it'] }])
  })
})
