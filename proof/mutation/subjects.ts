/**
 * A source file to mutate, and the test files that must notice it, the nearest first. They run in a copy of the project, which
 * has no binary.
 */
export interface Subject {
  file: string
  tests: readonly string[]
}

const pipeline = (name: string) => `test/unit/http/pipeline/${name}.test.ts`

/** The code that decides who may read what, and how often. */
export const SUBJECTS: readonly Subject[] = [
  {
    file: 'src/http/pipeline/gate.ts',
    tests: [pipeline('gate')],
  },
  {
    file: 'src/http/pipeline/auth.ts',
    tests: [pipeline('auth'), pipeline('keyed-cache')],
  },
  {
    file: 'src/http/pipeline/limits/limiter.ts',
    tests: [pipeline('limits/limiter'), pipeline('limits/threads')],
  },
  {
    file: 'src/http/pipeline/client.ts',
    tests: [pipeline('client')],
  },
  {
    file: 'src/http/cache/cache.ts',
    tests: ['test/unit/http/cache/cache.test.ts', pipeline('keyed-cache')],
  },
  {
    file: 'src/store/visibility.ts',
    tests: [
      'test/unit/store/visibility.test.ts',
      'test/unit/store/scheduled.test.ts',
      'test/unit/http/responses/schedule.test.ts',
      'test/unit/store/records/records.test.ts',
    ],
  },
  {
    file: 'src/store/schedule.ts',
    tests: ['test/unit/store/schedule.test.ts', 'test/unit/http/responses/schedule.test.ts'],
  },
]
