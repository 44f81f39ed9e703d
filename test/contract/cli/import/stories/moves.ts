import { file, type Story } from './story.ts'

const DAYS = { '1.2.0': '2026-03-04', '1.1.0': '2026-02-03', '1.0.0': '2026-01-02' }
const versions = (changes: Partial<Record<keyof typeof DAYS, readonly string[]>>) =>
  file(
    ...Object.entries(DAYS).flatMap(([label, day]) => {
      const items = changes[label as keyof typeof DAYS]
      return items ? [[`${label} - ${day}`, { Added: items }] as const] : []
    }),
  )

/** What an author does between versions, and with whole ones. */
export const MOVES: readonly Story[] = [
  {
    name: 'moves a change to a newer version',
    before: versions({
      '1.1.0': ['Search', 'Log in with a password'],
      '1.0.0': ['Everything', 'Export as JSON'],
    }),
    after: versions({
      '1.1.0': ['Search', 'Export as JSON', 'Log in with a password'],
      '1.0.0': ['Everything'],
    }),
    same: ['1.0.0: Export as JSON > 1.1.0: Export as JSON'],
  },
  {
    name: 'moves a change to an older version',
    before: versions({ '1.1.0': ['Search', 'Log in with a password'], '1.0.0': ['Everything'] }),
    after: versions({ '1.1.0': ['Search'], '1.0.0': ['Log in with a password', 'Everything'] }),
    same: ['1.1.0: Log in with a password > 1.0.0: Log in with a password'],
  },
  {
    name: 'moves a change to another version and another section',
    before: file(
      ['1.1.0 - 2026-02-03', { Added: ['Search', 'Log in with a password'] }],
      ['1.0.0 - 2026-01-02', { Added: ['Everything'] }],
    ),
    after: file(
      ['1.1.0 - 2026-02-03', { Added: ['Search'] }],
      ['1.0.0 - 2026-01-02', { Added: ['Everything'], Changed: ['Log in with a password'] }],
    ),
    same: ['1.1.0: Log in with a password > 1.0.0: Log in with a password'],
  },
  {
    name: 'moves a change and adds its pull request',
    before: versions({ '1.1.0': ['Search', 'Log in with a password'], '1.0.0': ['Everything'] }),
    after: versions({ '1.1.0': ['Search'], '1.0.0': ['Log in with a password (#12)', 'Everything'] }),
    same: ['1.1.0: Log in with a password > 1.0.0: Log in with a password (#12)'],
  },
  {
    name: 'swaps changes of two versions',
    before: versions({ '1.1.0': ['Search', 'Log in'], '1.0.0': ['Everything', 'Export as JSON'] }),
    after: versions({ '1.1.0': ['Export as JSON', 'Search'], '1.0.0': ['Everything', 'Log in'] }),
    same: ['1.1.0: Log in > 1.0.0: Log in', '1.0.0: Export as JSON > 1.1.0: Export as JSON'],
  },
  {
    name: 'moves a change into a version that is new',
    before: versions({ '1.2.0': ['Dark mode'], '1.0.0': ['Everything', 'Export as JSON'] }),
    after: versions({ '1.2.0': ['Dark mode'], '1.1.0': ['Export as JSON'], '1.0.0': ['Everything'] }),
    same: ['1.0.0: Export as JSON > 1.1.0: Export as JSON'],
  },
  {
    name: 'splits a version in two',
    before: versions({
      '1.1.0': ['Search', 'Log in', 'Export as JSON', 'Dark mode'],
      '1.0.0': ['Everything'],
    }),
    after: versions({
      '1.2.0': ['Export as JSON', 'Dark mode'],
      '1.1.0': ['Search', 'Log in'],
      '1.0.0': ['Everything'],
    }),
    same: ['1.1.0: Export as JSON > 1.2.0: Export as JSON', '1.1.0: Dark mode > 1.2.0: Dark mode'],
  },
  {
    name: 'moves a change that was corrected by hand',
    before: versions({ '1.1.0': ['Search', 'Log in with a password'], '1.0.0': ['Everything'] }),
    byHand: [['change', 'update', 'acme/app', '1.1.0', '2', '--title', 'Sign in with a password']],
    after: versions({ '1.1.0': ['Search'], '1.0.0': ['Everything', 'Log in with a password'] }),
    same: ['1.1.0: Sign in with a password > 1.0.0: Sign in with a password'],
  },
  {
    name: 'repeats a change in another version',
    before: versions({ '1.1.0': ['Search', 'Log in with a password'], '1.0.0': ['Everything'] }),
    after: versions({
      '1.1.0': ['Search', 'Log in with a password'],
      '1.0.0': ['Everything', 'Log in with a password'],
    }),
    fresh: ['1.0.0: Log in with a password'],
  },
  {
    name: 'moves some of the unreleased changes into a release, and keeps the rest',
    before: `## Unreleased\n\n- Search\n- Log in\n- Dark mode\n\n${versions({ '1.0.0': ['Everything'] })}`,
    after: `## Unreleased\n\n- Search\n- Dark mode\n\n${versions({ '1.1.0': ['Log in'], '1.0.0': ['Everything'] })}`,
    same: ['Unreleased: Log in > 1.1.0: Log in'],
  },
  {
    name: 'releases the unreleased changes and begins anew',
    before: `## Unreleased\n\n- Search\n- Log in\n\n${versions({ '1.0.0': ['Everything'] })}`,
    after: `## Unreleased\n\n- Dark mode\n\n${file(['1.1.0 - 2026-02-03', { Added: ['Search', 'Log in', 'Export'] }])}\n\n${versions({ '1.0.0': ['Everything'] })}`,
    same: ['Unreleased > 1.1.0', 'Unreleased: Search > 1.1.0: Search', 'Unreleased: Log in > 1.1.0: Log in'],
    fresh: ['Unreleased: Dark mode', '1.1.0: Export'],
  },
  {
    name: 'takes a change back from a release into the unreleased ones',
    before: `## Unreleased\n\n- Search\n\n${versions({ '1.1.0': ['Log in', 'Dark mode'], '1.0.0': ['Everything'] })}`,
    after: `## Unreleased\n\n- Search\n- Dark mode\n\n${versions({ '1.1.0': ['Log in'], '1.0.0': ['Everything'] })}`,
    same: ['1.1.0: Dark mode > Unreleased: Dark mode'],
  },
  {
    name: 'writes the file oldest first',
    before: versions({ '1.2.0': ['Dark mode'], '1.1.0': ['Search'], '1.0.0': ['Everything'] }),
    after: file(
      ['1.0.0 - 2026-01-02', { Added: ['Everything'] }],
      ['1.1.0 - 2026-02-03', { Added: ['Search'] }],
      ['1.2.0 - 2026-03-04', { Added: ['Dark mode'] }],
    ),
  },
  {
    name: 'gives a release another number',
    before: versions({ '1.1.0': ['Search', 'Log in', 'Dark mode'], '1.0.0': ['Everything'] }),
    after: file(
      ['2.0.0 - 2026-02-03', { Added: ['Search', 'Log in', 'Dark mode'] }],
      ['1.0.0 - 2026-01-02', { Added: ['Everything'] }],
    ),
    same: [
      '1.1.0 > 2.0.0',
      ...['Search', 'Log in', 'Dark mode'].map((title) => `1.1.0: ${title} > 2.0.0: ${title}`),
    ],
  },
  {
    name: 'makes a release of its last candidate',
    before: file(
      ['2.0.0-rc.1 - 2026-02-03', { Added: ['Search', 'Log in'] }],
      ['1.0.0 - 2026-01-02', { Added: ['Everything'] }],
    ),
    after: file(
      ['2.0.0 - 2026-02-10', { Added: ['Search', 'Log in', 'Dark mode'] }],
      ['1.0.0 - 2026-01-02', { Added: ['Everything'] }],
    ),
    same: ['2.0.0-rc.1 > 2.0.0', '2.0.0-rc.1: Search > 2.0.0: Search', '2.0.0-rc.1: Log in > 2.0.0: Log in'],
  },
  {
    name: 'cuts old versions off and releases the same dependency update again',
    before: versions({ '1.1.0': ['Search'], '1.0.0': ['Update dependencies'] }),
    after: versions({ '1.2.0': ['Update dependencies'], '1.1.0': ['Search'] }),
    fresh: ['1.2.0', '1.2.0: Update dependencies'],
  },
  {
    name: 'replaces a version by another one in its place',
    before: versions({ '1.2.0': ['Dark mode'], '1.1.0': ['Search'], '1.0.0': ['Everything'] }),
    after: file(
      ['1.2.0 - 2026-03-04', { Added: ['Dark mode'] }],
      ['1.1.5 - 2026-02-13', { Added: ['Log in with a password'] }],
      ['1.0.0 - 2026-01-02', { Added: ['Everything'] }],
    ),
    fresh: ['1.1.5', '1.1.5: Log in with a password'],
  },
]
