import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Glob } from 'bun'
import { type Proof, REMOVING_LEFTOVERS } from './proof.ts'
import { commit, ROOT } from './results.ts'

interface Row {
  seed: number
  passed: number
}

/** The test files that draw values, which `bun run test` runs with one seed. */
const FILES = [...new Glob('test/**/*.test.ts').scanSync(ROOT)]
  .filter((file) => readFileSync(join(ROOT, file), 'utf8').includes('/fast-check.ts'))
  .sort()

/** The first seven digits of the commit: other values for each, and the same ones for everybody who looks at it. */
const seedOfCommit = (): number => Number.parseInt(commit().slice(0, 7), 16)

export const properties: Proof<Row> = {
  name: 'properties',
  proves: 'runs the property tests with values that nobody has tried: the seed is taken from the commit',
  takes: 'three minutes',
  isOnBinary: true,
  options: { seed: { type: 'string', says: 'another seed than that of the commit', isTrial: true } },
  parts: FILES,
  sample: FILES.slice(0, 2),
  tables: (parts) => [
    {
      columns: ['test', 'passed', 'seed'],
      lines: parts.flatMap(({ name, rows }) => rows.map(({ passed, seed }) => [name, passed, String(seed)])),
    },
  ],
  open({ values }) {
    const seed = Number(values.seed ?? seedOfCommit())
    if (!Number.isSafeInteger(seed)) throw new Error(`--seed takes a whole number, not ${values.seed}.`)
    console.log(`The seed is ${seed}. To repeat a test: PROPERTY_SEED=${seed} bun test FILE`)
    return {
      ...REMOVING_LEFTOVERS,
      async measure(file) {
        const child = Bun.spawn([process.execPath, 'test', '--timeout', '180000', `./${file}`], {
          cwd: ROOT,
          env: { ...process.env, PROPERTY_SEED: String(seed) },
          stdout: 'ignore',
          stderr: 'pipe',
        })
        const [output, status] = await Promise.all([new Response(child.stderr).text(), child.exited])
        const passed = Number(/^ *(\d+) pass$/m.exec(output)?.[1] ?? 0)
        const failures = status === 0 ? [] : [`PROPERTY_SEED=${seed} bun test ${file}\n${output}`]
        return { rows: [{ seed, passed }], failures }
      },
    }
  },
}
