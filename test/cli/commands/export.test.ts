import { expect, setDefaultTimeout, test } from 'bun:test'
import { join } from 'node:path'
import { run } from '../../../src/cli/program.ts'
import { contextWith } from '../../support/context.ts'
import { PATIENCE_MS, Sandbox } from '../../support/sandbox.ts'

setDefaultTimeout(PATIENCE_MS)

test('an export waits for a slow reader: no piece is written before the one before it has been taken', async () => {
  await using box = new Sandbox()
  const text = 'Many words. '.repeat(10_000)
  const versions = Array.from({ length: 20 }, (_, at) => `## [${20 - at}.0.0] - 2026-01-02\n\n${text}\n`)
  await Bun.write(join(box.directory, 'CHANGELOG.md'), versions.join('\n'))
  await box.json('import', 'acme/app', 'CHANGELOG.md', '--create')
  let written = ''
  let pieces = 0
  let isTaken = true
  const stdout = async (piece: string) => {
    expect(isTaken).toBe(true)
    isTaken = false
    pieces++
    await new Promise((resolve) => setImmediate(resolve))
    written += piece
    isTaken = true
  }
  expect(await run(contextWith({ stdout }), ['export', '--all', '--db', box.database])).toBe(0)
  expect(pieces).toBeGreaterThan(10)
  expect(written).toBe((await box.run(['export', '--all'])).stdout)
})
