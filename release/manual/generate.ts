/**
 * `bun release/manual/generate.ts DIRECTORY`: writes the manual pages, changelogd.1 and one for each command. The same commit gives
 * the same bytes: the date is that of `SOURCE_DATE_EPOCH`, or else that of the commit.
 */
import { join } from 'node:path'
import { $ } from 'bun'
import { version } from '../../package.json'
import { manualPages } from './pages.ts'

const [directory] = process.argv.slice(2)
if (directory === undefined) throw new Error('Usage: bun release/manual/generate.ts DIRECTORY')

const seconds = process.env.SOURCE_DATE_EPOCH || (await $`git log -1 --format=%ct`.text())
const date = new Date(Number(seconds) * 1_000).toISOString().slice(0, 10)
for (const [name, page] of await manualPages({ date, version })) await Bun.write(join(directory, name), page)
