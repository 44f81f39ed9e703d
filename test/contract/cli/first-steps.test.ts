import { expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { Sandbox } from '../../support/sandbox.ts'
import { linesOf, listening } from '../../support/servers/process.ts'
import { until } from '../../support/until.ts'

test('serve says that it has created an empty file, and that something waits for a worker if it has none', async () => {
  await using box = new Sandbox()
  const start = async () => {
    const child = box.start(['serve', '--port', '0'])
    const { lines, ended } = linesOf(child.stderr)
    await listening(child)
    const stop = () => {
      child.kill('SIGTERM')
      return ended
    }
    return { lines, stop }
  }
  const first = await start()
  await first.stop()
  expect(first.lines).toEqual([expect.stringContaining(`Created ${box.database}, which is empty.`)])
  writeFileSync(box.at('CHANGELOG.md'), '## [1.0.0] - 2026-01-02\n\n- Everything\n')
  await box.json('follow', 'acme/app', box.at('CHANGELOG.md'), '--create')
  const second = await start()
  await until(() => second.lines.length > 0)
  await second.stop()
  expect(second.lines).toEqual([expect.stringContaining('this server has none. Unless one runs elsewhere')])
})

test('the desk says that it has created an empty file', async () => {
  await using box = new Sandbox()
  const child = box.start(['desk'])
  const { lines, ended } = linesOf(child.stderr)
  await until(() => lines.some((line) => line.includes(`Created ${box.database}, which is empty.`)))
  child.kill('SIGTERM')
  await ended
})

test('a PostgreSQL without a schema is left as it is, and the refusal says how to create it', async () => {
  await using box = await Sandbox.on('PostgreSQL', { isBare: true })
  expect(await box.refusal('status')).toContain('has no schema yet. To create it: changelogd migrate')
  expect(await box.isMissing()).toBe(true)
})
