import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { BINARY } from './program.ts'

/** What the import of a changelog of a size takes. */
export interface Growth {
  megabytes: number
  versions: number
  /** Of the processor, in seconds: the machine may be busy. */
  seconds: number
  /** The most memory that the program held. */
  peakMegabytes: number
}

export async function measureGrowth(megabytes: number): Promise<Growth> {
  const directory = await mkdtemp(join(tmpdir(), 'changelogd-corpus-'))
  try {
    const { text, versions } = changelogOf(megabytes * 2 ** 20)
    const file = join(directory, 'CHANGELOG.md')
    await Bun.write(file, text)
    const env = { DATABASE_URL: join(directory, 'corpus.db') }
    const child = Bun.spawn([BINARY, 'import', 'corpus/file', file, '--create'], {
      env,
      stdout: 'ignore',
      stderr: 'ignore',
    })
    if ((await child.exited) !== 0) throw new Error(`the import of ${megabytes} MB failed`)
    const usage = child.resourceUsage()
    return {
      ...{ megabytes, versions },
      seconds: Number(usage?.cpuTime.total ?? 0) / 1e6,
      peakMegabytes: (usage?.maxRSS ?? 0) / 2 ** 20,
    }
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}

/** A changelog as generators write it, of about so many characters. */
function changelogOf(length: number): { text: string; versions: number } {
  const parts: string[] = []
  let written = 0
  let version = 0
  for (; written < length; version++) {
    const day = new Date(Date.UTC(2000, 0, 1 + version)).toISOString().slice(0, 10)
    const items = Array.from(
      { length: 4 + (version % 7) },
      (_, at) =>
        `* **part${at}:** change number ${at} of ${version} with \`code\` ([#${version}${at}](https://example.com/issues/${version}${at})) ([abc${version}](https://example.com/commit/abc${version}))`,
    )
    const part = `## [${version}.0.0](https://example.com/compare/${version}) (${day})\n\n### Features\n\n${items.join('\n')}\n`
    parts.push(part)
    written += part.length + 1
  }
  return { text: parts.reverse().join('\n'), versions: version }
}
