import { expect, test } from 'bun:test'
import { readText } from '../../../src/formats/read-text.ts'

const changes = (text: string) =>
  readText(text, 'NEWS').versions.map(({ changes }) =>
    changes.map(({ type, title }) => (type === 'changed' ? title : `${type}: ${title}`)),
  )

test('bullets inside of lines that are changes themselves are no changes', () => {
  const text =
    'ver 1.2:\n\tChange the format of files because:\n\t  * it was slow\n\t  * it was large\n\tAdd a manual\n\tAdd a flag\n\nver 1.1:\n\tAdd a key\n\tFix a crash\n\nver 1.0:\n\tBegin\n'
  expect(changes(text)).toEqual([
    ['Change the format of files because:', 'Add a manual', 'Add a flag'],
    ['Add a key', 'Fix a crash'],
    ['Begin'],
  ])
})

test('a kind in small letters above bullets names them, below lines that are changes', () => {
  const text =
    'ver 1.2:\nsmaller code\nnow runs elsewhere\nbug fixes:\n - the list was empty\n - the file was lost\n\nver 1.1:\nsmaller code\n\nver 1.0:\nfirst release\n'
  expect(changes(text)[0]).toEqual([
    'smaller code',
    'now runs elsewhere',
    'bug-fixes: the list was empty',
    'bug-fixes: the file was lost',
  ])
})

test('names above bullets are no changes', () => {
  const text =
    'Version 1.1\n  Viewer:\n    - Fix turning\n  Editor:\n    - Print\n\nVersion 1.0\n  Viewer:\n    - Begin\n'
  expect(changes(text)).toEqual([['viewer: Fix turning', 'editor: Print'], ['viewer: Begin']])
})

test('a day inside of a text without bullets is no change, nor is the rest of a sentence', () => {
  const text =
    "1.1:\n\tAdded a flag.\n\n\tApril 14, 2000\n\n\tThe file was closed although it\n\thadn't been opened at all, as was found out\n\t(but not by me).\n\n1.0:\n\tRewrote the parser of the files, which was slow.\n\n\tRemoved the old one, which nobody has used since.\n"
  expect(changes(text)[0]).toEqual([
    'Added a flag.',
    "The file was closed although it hadn't been opened at all, as was found out (but not by me).",
  ])
})

test('a word with a colon at the end of a sentence that goes over two lines is no name', () => {
  const text = '1.1:\n\tMerge what was not about\n\tpackaging:\n\t- a.patch\n\n1.0:\n\tchanges:\n\t- Begin\n'
  expect(changes(text)).toEqual([['a.patch'], ['changes: Begin']])
})

test('items behind a tab and behind eight blanks are beside each other', () => {
  const text =
    'app 1.1\n\n\t* Fix a bug\n\n        * Read files\n          with blanks\n\n\t* Print\n\napp 1.0\n\n\t* Begin\n'
  expect(changes(text)).toEqual([['Fix a bug', 'Read files with blanks', 'Print'], ['Begin']])
})

test('items behind a tab and behind four blanks are beside each other, too', () => {
  const text = 'app 1.1\n\n    * Fix a bug\n\t* Read files\n\napp 1.0\n\n\t* Begin\n'
  expect(changes(text)).toEqual([['Fix a bug', 'Read files'], ['Begin']])
})
