import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { atMost, compare, figure } from '../figures.ts'
import { PROGRAM, scratch, start } from '../processes.ts'
import { interleave } from '../turns.ts'
import type { Row } from './row.ts'

const VERSIONS = 5_000
const MEGABYTE = 1_000_000

/** What a megabyte may cost: the target is a time. */
const ALLOWED_MS = 500

/** A changelog as people write it: sections, links, code, an item of two paragraphs. */
const text = `# Changelog\n\n${Array.from({ length: VERSIONS }, (_, index) => release(VERSIONS - index)).join('\n')}`

function release(number: number): string {
  const items = Array.from(
    { length: 5 },
    (_, item) =>
      `- Something **important** works with \`option-${item}\` now, see [#${number}${item}](https://example.com/${number}/${item})`,
  )
  const day = new Date(Date.UTC(2010, 0, 1) + number * 86_400_000).toISOString().slice(0, 10)
  return [
    `## [1.${number}.0] - ${day}\n`,
    'A few words about this release, and why one would want it.\n',
    `### Added\n\n${items.slice(0, 3).join('\n')}\n`,
    `### Fixed\n\n${items.slice(3).join('\n')}\n\n  A second paragraph of the last item.\n`,
  ].join('\n')
}

export const MARKDOWN: Row = {
  name: 'markdown',
  title: 'import of a CHANGELOG.md, for each megabyte',
  async measure(bench) {
    const file = join(scratch, 'CHANGELOG.md')
    writeFileSync(file, text)
    let round = 0
    const samples = await interleave(bench, [
      {
        name: 'changelogd import',
        measure: async () => {
          const database = join(scratch, `markdown-${round++}.db`)
          const command = [PROGRAM, 'import', 'acme/app', file, '--create', '--db', database]
          // On one core it would wait for the compiler, and run what is not compiled meanwhile.
          const child = start(command, { core: 'all' })
          if ((await child.exited) !== 0) throw new Error(await new Response(child.stderr).text())
          const microseconds = Number(child.resourceUsage()?.cpuTime.total)
          return microseconds / 1_000 / (text.length / MEGABYTE)
        },
      },
    ])
    const figures = [...samples].map(([name, times]) => figure(name, 'ms', times))
    figures.push(figure('allowed', 'ms', [ALLOWED_MS]))
    return {
      figures,
      comparisons: [compare(figures, 'changelogd import', 'allowed', atMost(1))],
      note: `Processor time of the whole command on all cores, for ${VERSIONS} versions in ${(text.length / MEGABYTE).toFixed(1)} MB.`,
    }
  },
}
