import { describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { run } from '../../../../src/cli/program.ts'
// Bun runs its macro only if it is not first imported within a test.
import '../../../../src/domain/time/date-forms.ts'
import { contextWith } from '../../../support/commands/context.ts'
import fc from '../../../support/fast-check.ts'
import { postgres } from '../../../support/postgres/cluster.ts'
import { scratch } from '../../../support/scratch.ts'
import { ENGINES } from '../../../support/servers/server.ts'
import { anyCommands, type Command, PREPARED } from './commands.ts'

/** A database of its own and a directory for files, in which commands run one after another by one clock. */
class Place implements AsyncDisposable {
  private readonly directory = scratch()
  /** How many commands were accepted. */
  accepted = 0

  private constructor(
    private readonly address: string | null,
    public now: number,
  ) {}

  static async on(engine: string, now = Date.UTC(2026, 5, 1)): Promise<Place> {
    return new Place(engine === 'PostgreSQL' ? await (await postgres()).create() : null, now)
  }

  at = (name: string): string => join(this.directory.path, name)

  /** Runs a command, which may be refused, but not fail in any other way. */
  async run({
    words,
    files,
    edited,
    passes,
  }: Command): Promise<{ status: number; stdout: string; stderr: string }> {
    for (const [name, content] of Object.entries(files)) writeFileSync(this.at(name), content)
    this.now += passes
    const printed = { stdout: '', stderr: '' }
    const context = contextWith({
      env: {
        DATABASE_URL: this.address ?? this.at('x.db'),
        EDITOR: 'editor',
      },
      now: () => this.now,
      stdout: async (text) => {
        printed.stdout += text
      },
      stderr: async (text) => {
        printed.stderr += text
      },
      runEditor: async (_, path) => {
        writeFileSync(path, edited)
        return null
      },
    })
    const paths = words.map((word) => word.replace(/FILE:(.+)/, (_, name: string) => this.at(name)))
    const status = await run(context, paths)
    expect(printed.stderr).not.toContain('bug in changelogd')
    if (status === 0) this.accepted++
    return { status, ...printed }
  }

  async all(): Promise<string> {
    const { status, stdout } = await this.run(line('export --all'))
    expect(status).toBe(0)
    return stdout
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.directory[Symbol.dispose]()
    if (this.address !== null) await (await postgres()).drop(this.address)
  }
}

const line = (words: string): Command => ({ words: words.split(' '), files: {}, edited: '', passes: 0 })

describe.each(ENGINES)('on %s', (engine) => {
  /** More of them: ROUND_TRIPS=500 bun test --timeout 3600000 test/contract/cli/round-trip */
  const numRuns = Number(process.env.ROUND_TRIPS ?? (engine === 'SQLite' ? 8 : 2))

  test('after any accepted commands, an export of everything moves to an empty database and is exported with the same bytes', async () => {
    let accepted = 0
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyCommands, { minLength: 5, maxLength: 25, size: 'max' }),
        async (commands) => {
          await using place = await Place.on(engine)
          for (const command of PREPARED) expect(await place.run(command)).toMatchObject({ status: 0 })
          place.accepted = 0
          for (const command of commands.flat()) await place.run(command)
          accepted += place.accepted
          const exported = await place.all()

          await using other = await Place.on(engine, place.now)
          writeFileSync(other.at('all.jsonl'), exported)
          for (const time of ['once', 'again']) {
            const { status, stderr } = await other.run(line('import --all FILE:all.jsonl'))
            expect({ time, status, stderr }).toEqual({ time, status: 0, stderr: '' })
            expect(await other.all()).toBe(exported)
          }
        },
      ),
      { numRuns },
    )
    // Otherwise nothing was tried.
    expect(accepted).toBeGreaterThan(0)
  })
})
