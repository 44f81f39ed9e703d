import { expect, test } from 'bun:test'
import { detectFormat, type Format } from '../../../src/formats/detect.ts'

test.each<[string, string, Format]>([
  ['CHANGELOG.md', '# Changelog', 'keepachangelog'],
  ['HISTORY', '1.0.0 / 2014-05-06\n====', 'keepachangelog'],
  ['-', '## 1.0.0', 'keepachangelog'],
  ['-', '[1.0.0]: https://example.com', 'keepachangelog'],
  ['notes.md', '[{"tag_name":"v1"}]', 'keepachangelog'],
  ['-', '\uFEFF {"format": "changelogd", "version": 1, "teams": []}', 'json'],
  ['everything.jsonl', '{"format":"changelogd","version":2}\n{"team":{"id":"x"}}', 'json'],
  ['-', '{"format":"changelogd","version":2}\n{"end":{"team":0}}', 'json'],
  ['releases.jsonl', '{"tag_name":"v1","draft":false}\n{"tag_name":"v2","draft":false}', 'github'],
  ['releases.json', '[{"tag_name":"v1","draft":false,"body":"x"}]', 'github'],
  ['releases.json', '[[{"tag_name":"v1","prerelease":false}]]', 'github'],
  ['-', '{"tag_name":"v1","published_at":null}\n{"tag_name":"v2"}', 'github'],
  ['releases.json', '[]', 'github'],
  ['-', '[{"createdAt":"2024-01-01T00:00:00Z","isDraft":false,"tagName":"v1"}]', 'github'],
  ['releases.json', '[{"tag_name":"v1","released_at":"2024-01-02T00:00:00Z"}]', 'gitlab'],
  ['CHANGELOG.json', '{\n "name": "@acme/app",\n "entries": [\n {\n "version": "1.0.0"', 'rush'],
  ['changelog', 'hello (2.10-3) unstable; urgency=medium\n\n  * x', 'debian'],
  ['-', '\nhello (1:2.10-3+b1) bookworm bookworm-security; urgency=high', 'debian'],
  ['CHANGELOG.md', 'hello (2.10-3) unstable; urgency=medium', 'keepachangelog'],
  ['Changes', '1.0.0 2014-05-06\n====\n\n* x', 'keepachangelog'],
  ['Changes', '# 1.0.0\n\n1.0.0 2014-05-06', 'keepachangelog'],
  ['Changes', 'Changes for Foo\n\n* x', 'keepachangelog'],
  ['HISTORY', '1.0.0 2014-05-06\n\n* x', 'keepachangelog'],
])('%s beginning with %s is %s', (name, head, format) => {
  expect(detectFormat(name, head)).toBe(format)
})

test('JSON of another kind is refused', () => {
  expect(() => detectFormat('package.json', '{"name":"x"}')).toThrow('unknown JSON')
})

test('a text that its name calls JSON, and is not, is refused as such', () => {
  expect(() => detectFormat('g.json', 'garbage')).toThrow('not valid JSON')
  expect(() => detectFormat('g.json', ' ')).toThrow('empty')
})
