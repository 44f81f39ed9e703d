import { describe, expect, test } from 'bun:test'
import { parseMarkdown } from '../../src/formats/keepachangelog/read.ts'
import { parseRush } from '../../src/formats/rush.ts'

/** The beginning of a real file: api-extractor 7.0.16 to 8.0.0. */
const FILE = `{
  "name": "@microsoft/api-extractor",
  "entries": [
    {
      "version": "8.0.0",
      "tag": "@microsoft/api-extractor_v8.0.0",
      "date": "Mon, 18 Feb 2019 17:13:23 GMT",
      "comments": {
        "dependency": [
          { "comment": "Updating dependency \\"@microsoft/node-core-library\\" from \`3.10.0\` to \`3.11.0\`" }
        ],
        "major": [
          { "author": "Jane <jane@example.com>", "commit": "abc", "comment": "New way to resolve & generate TSDoc metadata file" }
        ]
      }
    },
    {
      "version": "7.0.17",
      "tag": "@microsoft/api-extractor_v7.0.17",
      "date": "Mon, 11 Feb 2019 10:32:37 GMT",
      "comments": {
        "none": [{ "comment": "Tidy up" }],
        "patch": [{ "comment": "Fix \\"typeof\\" expressions\\n\\nAnd more of them." }],
        "minor": [{ "comment": "Allow more" }]
      }
    }
  ]
}`

/** What Rush writes for it, which has neither dependencies nor comments of type none. */
const MARKDOWN = `# Change Log - @microsoft/api-extractor

This log was last generated on Mon, 18 Feb 2019 17:13:23 GMT and should not be manually modified.

## 8.0.0
Mon, 18 Feb 2019 17:13:23 GMT

### Breaking changes

- New way to resolve & generate TSDoc metadata file

## 7.0.17
Mon, 11 Feb 2019 10:32:37 GMT

### Minor changes

- Allow more

### Patches

- Fix "typeof" expressions

  And more of them.
`

describe('CHANGELOG.json of Rush', () => {
  test('becomes published versions with their time and line, changes by the weight of their kind', () => {
    const { versions, warnings } = parseRush(FILE)
    expect(warnings).toEqual([])
    expect(versions).toEqual([
      {
        label: '8.0.0',
        title: '8.0.0',
        date: Date.parse('2019-02-18T17:13:23Z'),
        status: 'published',
        description: null,
        changes: [
          {
            type: 'breaking-changes',
            title: 'New way to resolve & generate TSDoc metadata file',
            description: null,
          },
          {
            type: 'dependencies',
            title: 'Updating dependency "@microsoft/node-core-library" from `3.10.0` to `3.11.0`',
            description: null,
          },
        ],
        line: 4,
      },
      expect.objectContaining({
        label: '7.0.17',
        line: 17,
        changes: [
          { type: 'minor-changes', title: 'Allow more', description: null },
          { type: 'patches', title: 'Fix "typeof" expressions', description: 'And more of them.' },
          { type: 'internal', title: 'Tidy up', description: null },
        ],
      }),
    ])
  })

  test('is read to the same versions and changes as the CHANGELOG.md that Rush writes', () => {
    const shown = ({ label, title, date, status, changes }: (typeof versions)[number]) => ({
      ...{ label, title, date, status },
      changes: changes.filter(({ type }) => type !== 'dependencies' && type !== 'internal'),
    })
    const { versions } = parseRush(FILE)
    expect(versions.map(shown)).toEqual(parseMarkdown(MARKDOWN).versions.map(shown))
  })

  test('may have kinds of its own, no date and a byte order mark', () => {
    const entry = { version: '1.0.0', comments: { 'Docs only': [{ comment: 'Words' }], prerelease: [] } }
    const { versions } = parseRush(`\uFEFF${JSON.stringify({ name: 'x', entries: [entry] })}`)
    expect(versions[0]).toMatchObject({ date: null, status: 'published', changes: [{ type: 'docs-only' }] })
  })

  test.each([
    ['{"entries": [\n{"version": "1.0.0", "comments": {}},\n{"version": }]}', 'line 3: not JSON'],
    ['{"entries": [\n{"version": "1.0.0", "comments": {}}\n', 'not JSON, or cut off'],
    ['{"entries": {}}', 'entries must be a list'],
    ['{"entries": [\n{"comments": {}}]}', 'line 2: version is missing'],
    ['{"entries": [\n\n{"version": "1.0.0"}]}', 'line 3: comments is missing'],
    [
      '{"entries": [{"version": "1.0.0", "comments": {"patch": ["x"]}}]}',
      'line 1: comments.patch[0] must be an object, not "x"',
    ],
    [
      '{"entries": [\n{"version": "1.0.0", "date": "soon", "comments": {}}]}',
      'line 2: date must be a time such as "Tue, 06 Oct 2026 00:04:37 GMT", not "soon"',
    ],
  ])('%j is refused with line and reason', (text, message) => {
    expect(() => parseRush(text)).toThrow(message)
  })
})
