import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Sandbox } from '../../support/sandbox.ts'

// The files have command lines that fail on the demo, each with its exit status and what it says, the directory as HERE.
const REFUSED = join(import.meta.dir, 'refused')

const box = new Sandbox()
beforeAll(async () => {
  await box.demo()
  writeFileSync(box.at('empty.md'), 'Nothing.\n')
  writeFileSync(box.at('CHANGELOG.md'), '## 1.0.0 - 2026-01-02\n\n- A change\n')
})
afterAll(() => box.close())

const wordsOf = (line: string): string[] =>
  [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '')

describe.each(readdirSync(REFUSED))('%s', (name) => {
  const cases = readFileSync(join(REFUSED, name), 'utf8')
    .trimEnd()
    .split('\n\n')
    .map((text) => text.split('\n') as [command: string, answer: string])

  test.each(cases)('%s', async (command, answer) => {
    const before = [box.files(), await box.state()]
    const { status, stdout, stderr } = await box.run(wordsOf(command).slice(2))
    const [first = '', ...more] = stderr.replaceAll(box.directory, 'HERE').trimEnd().split('\n')
    expect(`${status}: ${first.replace(/^changelogd: /, '')}`).toBe(answer)
    // What is refused takes one line, and one for another way; wrong usage goes on with the usage of the command.
    if (status === 1) expect(more.filter((line) => !line.startsWith('  To '))).toEqual([])
    else expect(stderr).toContain('Usage: changelogd ')
    if (!/ get |--json/.test(command)) expect(stdout).toBe('')
    expect([box.files(), await box.state()]).toEqual(before)
  })
})
