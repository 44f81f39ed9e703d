import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FoundVersion } from './compare.ts'

/** Takes files through the built program as a user would. */

export const BINARY = join(import.meta.dir, '../../dist/changelogd')

export interface Imported {
  versions: FoundVersion[]
  warnings: number
  markdown: string
  /** Whether importing the exported file changes nothing, and exporting once more gives the same bytes. */
  stable: boolean
}

/** Why the program refused a file. */
export interface Refused {
  refusal: string
}

/** Import, export, and the export imported again. */
export async function importAndExport(text: string): Promise<Imported | Refused> {
  await using program = await Program.open()
  const summary = await program.import(text).catch((error: Error) => error)
  if (summary instanceof Error) return { refusal: summary.message }
  const markdown = await program.run('export', 'corpus/file')
  const stored = await program.versions()
  const again = await program.import(markdown)
  return {
    versions: stored.map(({ version: label, title, publishedAt, dated, changes }) => ({
      ...{ label, title, day: dated ? publishedAt.slice(0, 10) : null },
      titles: changes.map((change) => change.title),
    })),
    warnings: summary.warnings.length,
    markdown,
    stable:
      again.added + again.updated + again.skipped === 0 &&
      markdown === (await program.run('export', 'corpus/file')),
  }
}

/** What is stored after one file, and after another that replaces it. */
export async function importBoth(before: string, after: string): Promise<[StoredVersion[], StoredVersion[]]> {
  await using program = await Program.open()
  await program.import(before)
  const first = await program.versions()
  await program.import(after)
  return [first, await program.versions()]
}

export interface StoredVersion {
  id: string
  /** Its label. */
  version: string
  title: string
  publishedAt: string
  dated: boolean
  changes: { id: string; title: string }[]
}

interface Summary {
  added: number
  updated: number
  skipped: number
  warnings: unknown[]
}

/** The program with a database of its own. */
class Program implements AsyncDisposable {
  readonly #directory: string

  static async open(): Promise<Program> {
    return new Program(await mkdtemp(join(tmpdir(), 'changelogd-corpus-')))
  }

  private constructor(directory: string) {
    this.#directory = directory
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.#directory, { recursive: true, force: true })
  }

  async run(...args: string[]): Promise<string> {
    const env = { DATABASE_URL: join(this.#directory, 'corpus.db') }
    const child = Bun.spawn([BINARY, ...args], { env, stdout: 'pipe', stderr: 'pipe' })
    const [stdout, stderr] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
    ])
    if ((await child.exited) !== 0) throw new Error(stderr.trim())
    return stdout
  }

  async import(text: string): Promise<Summary> {
    const file = join(this.#directory, 'CHANGELOG.md')
    await Bun.write(file, text)
    return JSON.parse(await this.run('import', 'corpus/file', file, '--create', '--json')) as Summary
  }

  async versions(): Promise<StoredVersion[]> {
    const exported = JSON.parse(await this.run('export', 'corpus/file', '--format', 'json')) as {
      teams: { products: { versions: StoredVersion[] }[] }[]
    }
    return exported.teams[0]?.products[0]?.versions ?? []
  }
}
