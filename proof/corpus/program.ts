import { join } from 'node:path'
import { scratch } from '../../test/support/scratch.ts'
import type { FoundVersion } from './compare.ts'
import { exportedVersions } from './counting/headings.ts'

/** One command may take this long, so that a run ends whatever a file does. */
const MOST_MINUTES = 3

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

/** Import, export, and the export imported again. Whatever fails of it is a refusal, so that the other files are measured. */
export async function importAndExport(text: string, name = 'CHANGELOG.md'): Promise<Imported | Refused> {
  return imported(text, name).catch((error: Error) => ({ refusal: error.message }))
}

async function imported(text: string, name: string): Promise<Imported> {
  using program = new Program()
  const summary = await program.import(text, name)
  const markdown = await program.run('export', 'corpus/file', '--drafts')
  const stored = await program.versions()
  const texts = exportedVersions(markdown, stored.length)
  const again = await program.import(markdown)
  return {
    versions: stored.map(({ version: label, title, status, publishedAt, dated, changes }, at) => ({
      ...{ label, title, day: dated ? publishedAt.slice(0, 10) : null, isDraft: status === 'draft' },
      titles: changes.map((change) => change.title),
      exported: texts[at] ?? '',
    })),
    warnings: summary.warnings.length,
    markdown,
    stable:
      again.added + again.updated + again.skipped === 0 &&
      markdown === (await program.run('export', 'corpus/file', '--drafts')),
  }
}

/** How many versions a dry run finds in a text, and how many lines it warns of. */
export async function dryRun(
  text: string,
  name: string,
): Promise<{ versions: number; warnings: number } | Refused> {
  using program = new Program()
  try {
    const { added, warnings, untaken = [] } = await program.import(text, name, '--dry-run')
    return { versions: added, warnings: warnings.length + untaken.length }
  } catch (error) {
    return { refusal: (error as Error).message }
  }
}

/** What is stored after one file, and after another that replaces it. */
export async function importBoth(before: string, after: string): Promise<[StoredVersion[], StoredVersion[]]> {
  using program = new Program()
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
  status: string
  publishedAt: string
  dated: boolean
  changes: { id: string; title: string }[]
}

interface Summary {
  added: number
  updated: number
  skipped: number
  warnings: unknown[]
  /** Lines that look like a version and begin none. */
  untaken?: unknown[]
}

/** The program with a database of its own. */
class Program implements Disposable {
  private readonly scratch = scratch();

  [Symbol.dispose](): void {
    this.scratch[Symbol.dispose]()
  }

  async run(...args: string[]): Promise<string> {
    const env = { DATABASE_URL: join(this.scratch.path, 'corpus.db') }
    const timeout = MOST_MINUTES * 60_000
    const child = Bun.spawn([BINARY, ...args], { env, stdout: 'pipe', stderr: 'pipe', timeout })
    const [stdout, stderr] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
    ])
    const status = await child.exited
    if (child.signalCode !== null)
      throw new Error(`${args[0]} was stopped (${child.signalCode}): it may take ${MOST_MINUTES} minutes`)
    if (status !== 0) throw new Error(stderr.trim())
    return stdout
  }

  async import(text: string, name = 'CHANGELOG.md', ...options: string[]): Promise<Summary> {
    const file = join(this.scratch.path, name)
    await Bun.write(file, text)
    return JSON.parse(
      await this.run('import', 'corpus/file', file, '--create', '--json', ...options),
    ) as Summary
  }

  async versions(): Promise<StoredVersion[]> {
    const exported = JSON.parse(await this.run('export', 'corpus/file', '--format', 'json')) as {
      teams: { products: { versions: StoredVersion[] }[] }[]
    }
    return exported.teams[0]?.products[0]?.versions ?? []
  }
}
