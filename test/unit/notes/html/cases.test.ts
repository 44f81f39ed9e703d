import { describe, expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { renderBlocks, renderInline } from '../../../../src/notes/html/render.ts'

const DIRECTORY = join(import.meta.dir, 'cases')
/** In each file: what an author wrote, `=>` and what it becomes, with such a line between two of them. */
const BETWEEN = '\n==========\n'

describe.each(readdirSync(DIRECTORY))('%s', (file) => {
  const render = (source: string) =>
    file === 'titles.txt' ? renderInline(source) : renderBlocks(source, 3, 60_000).html.trim()
  const cases = readFileSync(join(DIRECTORY, file), 'utf8').trimEnd().split(BETWEEN)

  test.each(cases.map((each) => each.split('\n=>\n')))('%s', (source = '', expected = '') => {
    expect(render(source)).toBe(expected)
  })
})
