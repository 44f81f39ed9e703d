import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { png } from '../../../test/support/pictures.ts'
import { changelogd } from '../candidates.ts'
import type { Ask } from '../client.ts'
import { atMost, compare } from '../figures.ts'
import { askOnce, throughput } from '../measure.ts'
import { PROGRAM, run, scratch } from '../processes.ts'
import { interleave, processorFigures, rateFigures } from '../turns.ts'
import type { Row } from './row.ts'

const PAGE = '/changelog/acme/app/1.0.0'
const CHANGES = 240
/** In pixels. Noise is hardly compressed: 200 kB. */
const SIDE = 255

/** What a picture costs that the server has cached, beside a page of about as many bytes. */
export const PICTURE: Row = {
  name: 'picture',
  title: 'picture of 200 kB, cached, against a page as large',
  async measure(bench) {
    const { cores, effort } = bench
    const path = join(scratch, 'pictures.db')
    const [shot, text] = [join(scratch, 'shot.png'), join(scratch, 'pictures.md')]
    writeFileSync(shot, png(SIDE, SIDE, { noise: 1 }))
    const command = (...args: string[]) => run([PROGRAM, ...args, '--db', path], { core: 'all' })
    const items = Array.from({ length: CHANGES }, (_, at) => `- ${`word ${at} `.repeat(75)}`)
    writeFileSync(text, `# Changelog\n\n## 1.0.0 - 2026-01-02\n\n### Added\n\n${items.join('\n')}\n`)
    await command('import', 'acme/app', text, '--create', '--status', 'published')
    await command('team', 'update', 'acme', '--visibility', 'public')
    await command('product', 'update', 'acme/app', '--status', 'published')
    await command('changelog', 'update', 'acme/app', '--status', 'published')
    const { id, markdown } = JSON.parse(await command('picture', 'add', 'acme/app', shot, '--json')) as {
      id: string
      markdown: string
    }
    const shown = ['--status', 'published', '--description', markdown]
    await command('version', 'create', 'acme/app', '2.0.0', ...shown)
    const server = changelogd({ path })
    const asks: Record<string, Ask> = {
      picture: { path: `/changelog/acme/app/pictures/${id}.webp` },
      page: { path: PAGE },
    }
    const answers = new Map<string, Awaited<ReturnType<typeof askOnce>>>()
    for (const [name, ask] of Object.entries(asks)) answers.set(name, await askOnce(server, cores, ask))
    const samples = await interleave(
      bench,
      Object.entries(asks).map(([name, ask]) => ({
        name,
        measure: async () =>
          throughput(server, cores, effort, ask, answers.get(name) ?? (await askOnce(server, cores, ask))),
      })),
    )
    const figures = [...rateFigures(samples), ...processorFigures(samples)]
    const bytes = [...answers].map(([name, { body }]) => `the ${name} has ${body.length} bytes`)
    return {
      figures,
      comparisons: [compare(figures, 'picture, CPU of a request', 'page, CPU of a request', atMost(1.2))],
      note: `Without compression ${bytes.join(', ')}.`,
    }
  },
}
