import { expect, test } from 'bun:test'
import { cpSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describeNeeding } from '../support/needs.ts'
import { PROGRAM, Sandbox } from '../support/sandbox.ts'

const root = join(import.meta.dir, '../..')

/** The address that the documents show, where a reader's server listens. */
const SHOWN = 'http://127.0.0.1:3000'

interface Example {
  command: string
  output: string
}

/** The commands of a document's `console` blocks with what they print, in the order of the document. */
function examplesIn(markdown: string): Example[] {
  const blocks = [...markdown.matchAll(/^```console\n([\s\S]*?)^```$/gm)].map(([, text = '']) => text)
  return blocks.flatMap((text) =>
    text
      .split(/^\$ /m)
      .slice(1)
      .map((part) => {
        const end = part.indexOf('\n')
        return { command: part.slice(0, end), output: part.slice(end + 1) }
      }),
  )
}

/** `…` in a document is any text that differs from run to run, on one line. */
const pattern = (output: string): RegExp =>
  new RegExp(
    `^${output
      .split('…')
      .map((part) => RegExp.escape(part))
      .join('[^\\n]*?')}$`,
  )

const DOCUMENTS: Record<string, (box: Sandbox) => unknown> = {
  'README.md': (box) => cpSync(join(root, 'test/fixtures/app.md'), box.at('CHANGELOG.md')),
  'docs/reading.md': (box) => box.json('demo'),
  'docs/writing.md': (box) => box.json('demo'),
}

describeNeeding('curl', Bun.which('curl') !== null, 'a document', () => {
  test.each(Object.keys(DOCUMENTS))('shows commands with what they really print: %s', async (file) => {
    const examples = examplesIn(await Bun.file(join(root, file)).text())
    expect(examples.length).toBeGreaterThan(0)
    await using box = new Sandbox()
    await DOCUMENTS[file]?.(box)
    symlinkSync(PROGRAM[0] as string, box.at('changelogd'))
    // It shows its progress where nobody watches.
    writeFileSync(box.at('.curlrc'), 'silent\n')
    const url = await box.serve()
    for (const { command, output } of examples) {
      const child = box.spawn(['bash', '-c', `${command.replaceAll(SHOWN, url)} 2>&1`], {
        PATH: `${box.directory}:${process.env.PATH}`,
      })
      const printed = (await new Response(child.stdout).text()).replaceAll(url, SHOWN)
      expect(printed.trimEnd(), command).toMatch(pattern(output.trimEnd()))
      expect(await child.exited, command).toBe(0)
    }
  })
})
