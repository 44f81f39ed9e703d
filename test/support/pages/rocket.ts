import type { Seeder } from '../seed.ts'

const DAY = 86_400_000

const many = (type: string, count: number, words: string) =>
  Array.from({ length: count }, (_, at) => ({ type, title: `${words} ${at + 1}` }))

/** A changelog with everything that a release can have: every kind, marks, panels, more than a list shows. */
export function rocket(seed: Seeder, teamId: string, newest: number): void {
  const { changelogId } = seed.product(teamId, 'rocket', {
    name: 'Rocket',
    repository: 'https://github.com/acme/rocket',
  })
  const version = (label: string, age: number, fields: Parameters<typeof seed.version>[2]) =>
    seed.version(changelogId, label, { publishedAt: newest - age * 15 * DAY, title: label, ...fields })
  version('3.0.1', 0, {
    title: 'Safer invitations',
    changes: [
      {
        type: 'fixed',
        title: 'Comments written offline are no longer sent twice after a reconnect by @alice in #1291',
      },
      {
        type: 'security',
        title:
          'Links in invitations work once and expire after a day. Older links were valid for a week: please upgrade.',
      },
      { type: 'fixed', title: 'Dates in the digest mail follow the reader’s time zone' },
      { type: 'dependencies', title: 'Bump `undici` from 7.1.0 to 7.1.1' },
      { type: 'dependencies', title: 'Bump `esbuild` from 0.25.1 to 0.25.2' },
      { type: 'contributors', title: '@alice' },
      { type: 'contributors', title: '@carol' },
    ],
  })
  version('3.0.0', 1, {
    title: 'One client, everywhere',
    description:
      'Rocket 3 has **one client** for the browser, Node.js and the edge. It starts in half the time, and every list can be driven from the keyboard. The [upgrade guide](https://acme.test/upgrade) has all steps from 2.x.\n\n> [!IMPORTANT]\n> Upgrade to 2.9.0 first and run `rocket check`: it lists what your project must change.',
    changes: [
      {
        type: 'added',
        title:
          '**Command palette.** Press <kbd>Ctrl</kbd> <kbd>K</kbd> anywhere to open a document, run a command or change a setting',
      },
      {
        type: 'added',
        title: 'Boards can be exported as CSV, PDF and EPUB',
        description: '- with footnotes and a table of contents\n- with the columns you see',
      },
      ...many('added', 18, 'A template for documents of kind'),
      { type: 'changed', title: 'The default font is now the system’s own' },
      { type: 'changed', title: 'feat!: sessions end after 30 days without use' },
      ...many('changed', 12, 'A calmer look of panel'),
      {
        type: 'breaking-changes',
        typeLabel: '💥 Breaking changes',
        title: '`createClient()` takes an object instead of four arguments.',
        description:
          "```ts\ncreateClient({ url: 'https://api.example.com', token, retries: 3 })\n```\n\n<details><summary>How to find every call</summary>\n\nRun `rocket check --calls`, and read what it prints.\n\n</details>",
      },
      {
        type: 'breaking-changes',
        typeLabel: '💥 Breaking changes',
        title: 'Node.js 22 or later is required.',
      },
      { type: 'deprecated', title: '`client.poll()`: use `client.watch()`. It will be removed in 4.0' },
      { type: 'removed', title: 'The property `errno` of errors' },
      { type: 'security', title: 'Tokens are stored as hashes' },
      { type: 'performance', title: 'A document of more than 2<sup>16</sup> lines opens in a second' },
      { type: 'fixed', title: 'Search finds words with accents' },
      ...many('fixed', 24, 'A small fix with the number'),
    ],
  })
  version('2.9.0', 2, {
    description: 'The editor is **twice as fast** on large documents.',
    closing:
      '### New contributors\n\n- @erin made their first contribution in #1101\n\n**Full changelog**: https://acme.test/compare/2.8.0...2.9.0',
    changes: [
      {
        type: 'added',
        title: 'Checklists',
        description: '- [x] keyboard shortcuts\n- [ ] due dates, in 3.1',
      },
      { type: 'changed', title: '[BREAKING] `GET /documents` no longer returns archived documents' },
    ],
  })
  const changes = [{ type: 'fixed', title: 'The installer finds `git`' }]
  version('2.8.0', 3, { dateKnown: false, changes })
  version('2.7.0', 4, {})
}
