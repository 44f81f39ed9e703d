import { join } from 'node:path'
import { scratch } from '../../test/support/scratch.ts'
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
  using directory = scratch()
  const { text, versions } = changelogOf(megabytes * 2 ** 20)
  const file = join(directory.path, 'CHANGELOG.md')
  await Bun.write(file, text)
  const env = { DATABASE_URL: join(directory.path, 'corpus.db') }
  const command = [BINARY, 'import', 'corpus/file', file, '--create']
  const child = Bun.spawn(command, { env, stdout: 'ignore', stderr: 'ignore' })
  if ((await child.exited) !== 0) throw new Error(`the import of ${megabytes} MB failed`)
  const usage = child.resourceUsage()
  const seconds = Number(usage?.cpuTime.total ?? 0) / 1e6
  return { megabytes, versions, seconds, peakMegabytes: (usage?.maxRSS ?? 0) / 2 ** 20 }
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
