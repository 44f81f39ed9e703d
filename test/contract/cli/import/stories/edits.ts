import { file, type Story } from './story.ts'

const OLD = ['1.0.0 - 2026-01-02', { Added: ['Everything'] }] as const
const of = (sections: Record<string, readonly string[]>) => file(['1.1.0 - 2026-02-03', sections], OLD)

const ADDED = ['A page to log in', 'Search in all releases', 'Export as JSON']
const FIXED = ['Wrong order of versions', 'Broken links in feeds']
const BOTH = { Added: ADDED, Fixed: FIXED }
/** Each of seven words is in many titles. */
const SAME_WORDS = Array.from({ length: 128 }, (_, at) =>
  ['red', 'green', 'blue', 'wide', 'tall', 'deep', 'light']
    .filter((_, bit) => (at >> bit) % 2 === 1)
    .join(' '),
).slice(1)

/** What an author does within a version. */
export const EDITS: readonly Story[] = [
  {
    name: 'reorders the changes of a section',
    before: of(BOTH),
    after: of({ Added: ADDED.toReversed(), Fixed: FIXED }),
  },
  { name: 'reorders the sections', before: of(BOTH), after: of({ Fixed: FIXED, Added: ADDED }) },
  { name: 'renames a section', before: of(BOTH), after: of({ Features: ADDED, Fixed: FIXED }) },
  {
    name: 'translates the sections',
    before: of(BOTH),
    after: of({ Hinzugefügt: ADDED, Behoben: FIXED }),
  },
  {
    name: 'puts emoji in front of sections',
    before: of(BOTH),
    after: of({ '✨ Added': ADDED, '🐛 Fixed': FIXED }),
  },
  { name: 'joins two sections', before: of(BOTH), after: of({ Changed: [...ADDED, ...FIXED] }) },
  { name: 'leaves out the sections', before: of(BOTH), after: of({ '': [...ADDED, ...FIXED] }) },
  { name: 'sorts a plain list into sections', before: of({ '': [...ADDED, ...FIXED] }), after: of(BOTH) },
  {
    name: 'renames a section of changes that are hard to tell apart',
    before: of({ Changed: SAME_WORDS }),
    after: of({ Dependencies: SAME_WORDS }),
  },
  {
    name: 'moves a change to another section',
    before: of(BOTH),
    after: of({ Added: ADDED.slice(1), Fixed: [...FIXED, ADDED[0] as string] }),
  },
  {
    name: 'corrects a typo',
    before: of({ Added: ['A paeg to log in', 'Search'] }),
    after: of({ Added: ['A page to log in', 'Search'] }),
    same: ['1.1.0: A paeg to log in > 1.1.0: A page to log in'],
  },
  {
    name: 'corrects a typo in a short title',
    before: of({ Added: ['Seach', 'Export'] }),
    after: of({ Added: ['Search', 'Export'] }),
    same: ['1.1.0: Seach > 1.1.0: Search'],
  },
  {
    name: 'adds pull requests behind the titles',
    before: of(BOTH),
    after: of({
      Added: ADDED.map((title, at) => `${title} ([#${at}](https://example.com/pull/${at}))`),
      Fixed: FIXED,
    }),
    same: ADDED.map(
      (title, at) => `1.1.0: ${title} > 1.1.0: ${title} ([#${at}](https://example.com/pull/${at}))`,
    ),
  },
  {
    name: 'adds pull requests behind titles of one word',
    before: of({ Added: ['Search', 'Export', 'Import'] }),
    after: of({ Added: ['Search (#1)', 'Export (#2)', 'Import (#3)'] }),
    same: [
      '1.1.0: Search > 1.1.0: Search (#1)',
      '1.1.0: Export > 1.1.0: Export (#2)',
      '1.1.0: Import > 1.1.0: Import (#3)',
    ],
  },
  {
    name: 'credits the authors',
    before: of({ Added: ['Search in all releases'] }),
    after: of({ Added: ['Search in all releases, thanks to [@jane](https://example.com/jane)!'] }),
    same: [
      '1.1.0: Search in all releases > 1.1.0: Search in all releases, thanks to [@jane](https://example.com/jane)!',
    ],
  },
  {
    name: 'puts scopes in front of the titles',
    before: of({ Added: ['log in with a password', 'export as JSON'] }),
    after: of({ Added: ['**auth:** log in with a password', '**files:** export as JSON'] }),
    same: [
      '1.1.0: log in with a password > 1.1.0: **auth:** log in with a password',
      '1.1.0: export as JSON > 1.1.0: **files:** export as JSON',
    ],
  },
  {
    name: 'rewrites the titles in the imperative',
    before: of({ Added: ['Added a page to log in', 'Added search in all releases'] }),
    after: of({ Added: ['Add a page to log in', 'Add search in all releases'] }),
    same: [
      '1.1.0: Added a page to log in > 1.1.0: Add a page to log in',
      '1.1.0: Added search in all releases > 1.1.0: Add search in all releases',
    ],
  },
  {
    name: 'writes code as code and names in bold',
    before: of({ Fixed: ['parse() fails for empty input', 'the flag --all is ignored'] }),
    after: of({ Fixed: ['`parse()` fails for **empty input**', 'the flag `--all` is ignored'] }),
    same: [
      '1.1.0: parse() fails for empty input > 1.1.0: `parse()` fails for **empty input**',
      '1.1.0: the flag --all is ignored > 1.1.0: the flag `--all` is ignored',
    ],
  },
  {
    name: 'explains a change below its title',
    before: of({ Added: ADDED }),
    after: of({ Added: [`${ADDED[0]}\n\n  It asks for a password.`, ...ADDED.slice(1)] }),
  },
  {
    name: 'replaces a change by another one',
    before: of({ Added: ['A page to log in'], Fixed: FIXED }),
    after: of({ Added: ['Dark mode for the widget'], Fixed: FIXED }),
    fresh: ['1.1.0: Dark mode for the widget'],
  },
  {
    name: 'splits a change in two',
    before: of({ Added: ['Search in all releases and export as JSON'] }),
    after: of({ Added: ['Search in all releases', 'Export as JSON'] }),
    same: ['1.1.0: Search in all releases and export as JSON > 1.1.0: Search in all releases'],
    fresh: ['1.1.0: Export as JSON'],
  },
]
