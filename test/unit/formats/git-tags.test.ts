import { describe, expect, test } from 'bun:test'
import { isVersionTag, parseTags } from '../../../src/formats/git-tags.ts'

const parse = (name: string, message: string, date: number | null = 0) =>
  parseTags([{ name, message, date }], (tag) => `tag ${tag.name}`)
const version = (name: string, message: string) => parse(name, message).versions[0]

describe('annotated tags', () => {
  test('become published versions: label, time and the message read as notes', () => {
    expect(parse('v1.1.0', 'v1.1.0\n\nWords about it.\n\nAdded:\n\n- Search\n- feat: more\n', 1000)).toEqual({
      versions: [
        {
          ...{ label: 'v1.1.0', title: 'v1.1.0', date: 1000, status: 'published' },
          description: 'Words about it.',
          changes: [
            { type: 'added', title: 'Search', description: null },
            { type: 'added', title: 'feat: more', description: null },
          ],
          ...{ text: 'tag v1.1.0', line: 1 },
          source: 'Words about it.\n\nAdded:\n\n- Search\n- feat: more',
        },
      ],
      warnings: [],
    })
  })

  test.each([
    ['v1.1.0', 'v1.1.0', 'v1.1.0'],
    ['v1.1.0', '1.1.0\n', 'v1.1.0'],
    ['app@1.1.0', 'v1.1.0', 'app@1.1.0'],
    ['v1.1.0', 'Release 1.1.0', 'Release 1.1.0'],
    ['v1.1.0', 'The second one', 'The second one'],
    ['v1.1.0', 'v1.1.0: The second one', 'The second one'],
    ['v1.1.0', '1.1.0 - The second one\n\n- a', 'The second one'],
    ['v1.1.0', 'core: The second one', 'core: The second one'],
    ['v1.1.0', '- only\n- a list', 'v1.1.0'],
    ['v1.1.0', 'A sentence that is\nwrapped over lines.', 'v1.1.0'],
    ['v1.1.0', '', 'v1.1.0'],
  ])('%s with %j has the title %s', (name, message, title) => {
    expect(version(name, message)?.title).toBe(title)
  })

  test('lose nothing of a message without a subject, or with a list right below it', () => {
    expect(version('v1', '- one\n- fix(core): two')?.changes.map(({ type, title }) => [type, title])).toEqual(
      [
        ['changed', 'one'],
        ['fixed', 'fix(core): two'],
      ],
    )
    expect(version('v1', 'A sentence that is\nwrapped over lines.')?.description).toBe(
      'A sentence that is\nwrapped over lines.',
    )
    expect(version('v1', 'Title\n- one')).toMatchObject({ title: 'Title', changes: [{ title: 'one' }] })
    expect(version('1.0', '1.0\nwords\n')).toMatchObject({ title: '1.0', description: 'words' })
  })

  test('have warnings that name the tag and the line of its message', () => {
    const { warnings } = parse('v1.0.0', 'v1.0.0\n\n- x\n- [a]: /u')
    expect(warnings).toEqual([{ text: 'tag v1.0.0', line: 4, message: 'item without text, skipped' }])
    expect(parse('v1.0.0', 'x'.repeat(1001)).warnings).toMatchObject([{ text: 'tag v1.0.0', line: 1 }])
  })

  test('are versions if their name is a number, perhaps behind another name', () => {
    const names = ['v1.2.0', '1.2', 'V2', '@acme/app@1.2.0', 'app/v1.2.0', 'release-1.2', 'rel_1_2_0']
    expect(names.filter((name) => !isVersionTag(name))).toEqual([])
    expect(['latest', 'before-refactoring', 'v', 'junio-gpg-pub'].filter(isVersionTag)).toEqual([])
  })
})
