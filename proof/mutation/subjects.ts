/**
 * A source file to mutate, and the test files that must notice it, the nearest first. They run in a copy of the project, which
 * has no binary.
 */
export interface Subject {
  file: string
  tests: readonly string[]
}

const http = (name: string) => `test/unit/http/${name}.test.ts`

/** The code that decides who may read what, and how often. */
export const SUBJECTS: readonly Subject[] = [
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
