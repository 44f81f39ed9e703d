import { expect, test } from 'bun:test'
import { changeOf, readMessage } from '../../../../src/formats/commits/message.ts'

/** The changes of a message as `type: title`, with the description behind a bar. */
const told = (message: string): string[] =>
  (readMessage(message)?.subjects ?? []).flatMap((subject) => {
    const change = changeOf(subject)
    if (change === null) return []
    const text = `${change.type}: ${change.title}`
    return change.description === null ? text : `${text} | ${change.description}`
  })

test.each<[string, string[]]>([
  ['feat: log in', ['added: log in']],
  ['Feat(UI): log in', ['added: **UI:** log in']],
  ['feat:log in', ['added: log in']],
  ['✨ feat: log in', ['added: log in']],
  [':sparkles: feat(ui): log in', ['added: **ui:** log in']],
  ['fix(*): all of it', ['fixed: **\\*:** all of it']],
  ['New: log in', ['added: log in']],
  ['security: escape names', ['security: escape names']],
  ['BREAKING CHANGE: no more', ['breaking-changes: no more']],
  ['feat!: rename', ['breaking-changes: rename']],
  ['refactor(core)!: rename', ['breaking-changes: **core:** rename']],
  ['docs: rename\n\nBREAKING-CHANGE: really', ['breaking-changes: rename | really']],
  ['Rename\n\nBREAKING CHANGE: really', ['breaking-changes: Rename | really']],
  [
    'fix: x\n\nWhy it was wrong.\n\nBREAKING CHANGE: use y\ninstead of x.\n\nRefs #12\nSigned-off-by: J <j@example.com>',
    ['breaking-changes: x | use y\ninstead of x.'],
  ],
  ['chore: x', []],
  ['deps: x', []],
  ['Chore(deps): bump x', []],
  ['v1.2.0', []],
  ['Release 1.2.0', []],
  ['bump version to 1.2.0-rc.1', []],
  ['release: @acme/app@1.2.0', []],
  ['fixup! feat: x', []],
  ['Version 2 of the protocol', ['changed: Version 2 of the protocol']],
  ['Support HTTP 1.1', ['changed: Support HTTP 1.1']],
  ['net/http: close idle connections', ['changed: net/http: close idle connections']],
  ['# not a heading', ['changed: # not a heading']],
  ['- not a list', ['changed: - not a list']],
  ['a_b, __init__ and <b>', ['changed: a_b, \\_\\_init\\_\\_ and \\<b>']],
  ['Merge branch main', []],
  [
    'feat: one\n\nWords.\n\nfix(x): two\n\nfeat!: three',
    ['added: one', 'fixed: **x:** two', 'breaking-changes: three'],
  ],
  ['feat: one (#12)\n\n* feat: half of it\n* fix: the other half', ['added: one (#12)']],
  ['revert: feat(x): one', ['reverts: **x:** one']],
  ['Revert "one"', ['reverts: one']],
  ['Revert "chore: one"', []],
  ['Reapply "feat: one"', ['added: one']],
  ['Revert ""', ['changed: Revert ""']],
  ['', []],
  ['\n \n', []],
])('the message %j is told as %j', (message, expected) => {
  expect(told(message)).toEqual(expected)
})

test('no message is refused, however long or odd it is', () => {
  const long = 100_000
  for (const message of [
    `feat: x\n\n${'BREAKING CHANGE: y\n'.repeat(long)}`,
    `Revert "${'Revert "'.repeat(long)}x${'"'.repeat(long)}`,
    `${'x'.repeat(long)}`,
    `fix: ${'a'.repeat(long)}\n\n${'word '.repeat(long)}`,
    `feat: x\n\n${' \n'.repeat(long)}`,
    `Merge pull request #1 from ${'x'.repeat(long)}\n\n${'y'.repeat(long)}`,
    'feat: x\n\n-notes-\nno\n-__proto__-\nno\n-references-\nno',
    '------------------------ >8 ------------------------',
    'gpg: feat: x',
    ': : :',
    '()!:',
  ])
    for (const subject of readMessage(message)?.subjects ?? [])
      expect(changeOf(subject)?.title.length ?? 0).toBeLessThanOrEqual(1_000)
})
