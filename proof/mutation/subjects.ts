/**
 * A source file to mutate, and the test files that must notice it, the nearest first. They run in a copy of the project, which
 * has no binary.
 */
export interface Subject {
  file: string
  tests: readonly string[]
}

const http = (name: string) => `test/unit/http/${name}.test.ts`

const unit = (name: string) => `test/unit/${name}.test.ts`

/** The code that decides who may read what, and how often. */
const ACCESS: readonly Subject[] = [
  {
    file: 'src/http/request/gate.ts',
    tests: [http('request/gate')],
  },
  {
    file: 'src/http/request/auth.ts',
    tests: [http('request/auth'), http('request/keyed-cache')],
  },
  {
    file: 'src/http/limits/limiter.ts',
    tests: [http('limits/limiter'), http('limits/threads')],
  },
  {
    file: 'src/http/request/client.ts',
    tests: [http('request/client')],
  },
  {
    file: 'src/http/cache.ts',
    tests: ['test/unit/http/cache.test.ts', http('request/keyed-cache')],
  },
  {
    file: 'src/store/visibility.ts',
    tests: [
      'test/unit/store/visibility.test.ts',
      'test/unit/store/scheduled.test.ts',
      'test/unit/http/answers/schedule.test.ts',
      'test/unit/store/records/records.test.ts',
    ],
  },
  {
    file: 'src/store/engines/schedule.ts',
    tests: ['test/unit/store/engines/schedule.test.ts', 'test/unit/http/answers/schedule.test.ts'],
  },
]

/** The code that reads files, matches their changes, and makes responses. */
const CONTENT: readonly Subject[] = [
  {
    file: 'src/formats/text-lines.ts',
    tests: [unit('formats/text-lines')],
  },
  {
    file: 'src/domain/importing/match-changes.ts',
    tests: [unit('domain/importing/match-changes')],
  },
  {
    file: 'src/http/answers/queue.ts',
    tests: [http('answers/queue')],
  },
  {
    file: 'src/http/answers/coalesce.ts',
    tests: [http('answers/coalesce'), http('answers/responder')],
  },
  {
    file: 'src/http/answers/cached-response.ts',
    tests: [http('answers/cached-response')],
  },
  {
    file: 'src/http/answers/encoding.ts',
    tests: [http('answers/encoding')],
  },
  {
    file: 'src/http/answers/responder.ts',
    tests: [
      http('answers/made'),
      http('answers/responder'),
      http('answers/not-found'),
      http('answers/outage'),
      http('answers/schedule'),
    ],
  },
]

/** The smaller parts of the rest, each with the tests of its own file. */
const PARTS: readonly Subject[] = [
  { file: 'src/domain/text/decode.ts', tests: [unit('domain/text/decode')] },
  { file: 'src/domain/token.ts', tests: [unit('domain/token')] },
  { file: 'src/domain/versions/eras.ts', tests: [unit('domain/versions/eras')] },
  { file: 'src/domain/versions/names.ts', tests: [unit('domain/versions/names')] },
  { file: 'src/domain/versions/standing.ts', tests: [unit('domain/standing')] },
  { file: 'src/http/html/mark.ts', tests: [http('html/mark')] },
  { file: 'src/http/logging/repeats.ts', tests: [http('logging/repeats')] },
  { file: 'src/http/request/accept.ts', tests: [http('request/accept')] },
  { file: 'src/http/request/host.ts', tests: [http('request/host')] },
  { file: 'src/log/report.ts', tests: [unit('log/report')] },
  { file: 'src/notes/comparison.ts', tests: [unit('notes/comparison')] },
  { file: 'src/notes/html/advisories.ts', tests: [unit('notes/html/advisories')] },
  { file: 'src/outgoing/places.ts', tests: [unit('outgoing/places')] },
  { file: 'src/store/queries/keys.ts', tests: [unit('store/queries/grant'), http('request/auth')] },
  { file: 'src/worker/loop.ts', tests: [unit('domain/time/waiting')] },
]

/** Each has a share of its own. */
export const GROUPS = { access: ACCESS, content: CONTENT, parts: PARTS }

export const SUBJECTS: readonly Subject[] = Object.values(GROUPS).flat()
