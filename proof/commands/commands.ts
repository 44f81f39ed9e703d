import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { scripts } from '../../package.json'
import { type Proof, REMOVING_LEFTOVERS } from '../proof.ts'
import { Checkout } from './checkout.ts'

interface Command {
  args: readonly string[]
  /** What it needs in its checkout. */
  prepare?(checkout: Checkout): Promise<void>
  /** What it prints when it has done its work. */
  says: RegExp
  /** What it wrote, and what it should have written. */
  writes?(checkout: Checkout): [written: unknown, expected: unknown]
}

const COMMANDS: Readonly<Record<'generate' | 'release' | 'screenshots', Command>> = {
  generate: {
    args: ['add-motto'],
    prepare: ({ path }) => addColumn(join(path, 'src/store/tables/schema.ts')),
    says: /add-motto\.sql/,
    writes: ({ path }) => [
      ['sqlite', 'postgres'].map((engine) => lastMigration(join(path, 'drizzle', engine))),
      ['ALTER TABLE `team` ADD `motto` text;', 'ALTER TABLE "team" ADD COLUMN "motto" text COLLATE "C";'],
    ],
  },
  release: {
    args: ['--quick'],
    prepare: commitAll,
    // It has checked every file before it says so: see release/check.ts.
    says: /^Built changelogd [\d.]+ in dist\/release-quick\.\n.*programs in these files are placeholders/m,
  },
  screenshots: {
    args: [],
    says: /changelog-light\.webp {2}\d+ KB[\s\S]*changelog-dark\.webp {2}\d+ KB/,
  },
}

/** Each runs in a copy of the project, for it writes to its checkout. */
export const commands: Proof<{ command: string }> = {
  name: 'commands',
  proves: 'runs the other long commands to their end in a copy of the project, releases in their short form',
  takes: 'a minute',
  isOnBinary: true,
  needs: { git: 'git', 'dpkg-deb': 'dpkg', rpmbuild: 'rpm', chromium: 'chromium' },
  parts: Object.keys(COMMANDS),
  sample: Object.keys(COMMANDS),
  tables: (parts) => [
    {
      columns: ['command', 'seconds'],
      lines: parts.flatMap(({ rows, seconds }) => rows.map(({ command }) => [command, seconds ?? ''])),
    },
  ],
  open() {
    return {
      ...REMOVING_LEFTOVERS,
      async measure(name) {
        const command = name as keyof typeof COMMANDS
        const { args, prepare, says, writes } = COMMANDS[command]
        using checkout = new Checkout()
        await prepare?.(checkout)
        // What comes before installs and builds, which is done.
        const last = scripts[command].split(' && ').at(-1) ?? ''
        const { status, output } = await checkout.run([...last.split(' '), ...args])
        if (status !== 0 || !says.test(output)) throw new Error(`It ended with ${status}:\n${output}`)
        const failures: string[] = []
        const [written, expected] = writes?.(checkout) ?? []
        if (!Bun.deepEquals(written, expected)) failures.push(`wrote ${JSON.stringify(written)}`)
        if (checkout.leftovers().length > 0) failures.push(`left ${checkout.leftovers().join(', ')}`)
        return { rows: [{ command: ['bun run', name, ...args].join(' ') }], failures }
      },
    }
  },
}

/** Adds a column to the table of teams. */
async function addColumn(schema: string): Promise<void> {
  const text = await Bun.file(schema).text()
  await Bun.write(schema, text.replace('slug: text()', 'motto: text(), slug: text()'))
}

function lastMigration(directory: string): string {
  const names = readdirSync(directory).filter((each) => each.endsWith('.sql'))
  return readFileSync(join(directory, names.sort().at(-1) ?? ''), 'utf8').trim()
}

async function commitAll(checkout: Checkout): Promise<void> {
  const identity = ['-c', 'user.name=Test', '-c', 'user.email=test@localhost']
  for (const args of [
    ['init', '--quiet'],
    ['add', '.'],
    [...identity, 'commit', '--quiet', '-m', 'All'],
  ]) {
    const { status, output } = await checkout.run(['git', ...args])
    if (status !== 0) throw new Error(output)
  }
}
