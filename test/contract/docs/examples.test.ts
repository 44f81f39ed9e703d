import { expect, test } from 'bun:test'
import { cpSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describeNeeding } from '../../support/needs.ts'
import { PROGRAM, Sandbox } from '../../support/sandbox.ts'

const root = join(import.meta.dir, '../../..')

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

/** What is below a heading; without one, the whole document. */
const sectionOf = (markdown: string, heading: string): string =>
  heading === ''
    ? markdown
    : (markdown.split(/^## /m).find((section) => section.startsWith(`${heading}\n`)) ?? '')

const demo = (box: Sandbox) => box.json('demo')
const changelog = (box: Sandbox) => cpSync(join(root, 'test/fixtures/app.md'), box.at('CHANGELOG.md'))

/** Saves the changelog that the tutorial shows. */
const shownChangelog = (box: Sandbox, text: string) =>
  writeFileSync(box.at('CHANGELOG.md'), /^```markdown\n([\s\S]*?)^```$/m.exec(text)?.[1] ?? '')
const demoWithChat = async (box: Sandbox) => {
  await demo(box)
  writeFileSync(box.at('slack.txt'), 'https://hooks.slack.com/services/T000/B000/XXXX\n')
}

const DOCUMENTS: [file: string, heading: string, prepare: (box: Sandbox, text: string) => unknown][] = [
  ['README.md', 'From a repository to a public page', () => {}],
  ['README.md', 'From a file', changelog],
  ['docs/start.md', '', shownChangelog],
  ['docs/guides/announce.md', '', demoWithChat],
  ['docs/guides/brand.md', '', demo],
  ['docs/guides/import.md', '', changelog],
  ['docs/guides/private.md', '', () => {}],
  ['docs/guides/write.md', '', demo],
  ['docs/guides/backup.md', '', demo],
  ['docs/reference/api.md', '', demo],
]

describeNeeding('curl', Bun.which('curl') !== null, 'a document', () => {
  test.each(DOCUMENTS)(
    'shows commands with what they really print, and addresses that are public then: %s %s',
    async (file, heading, prepare) => {
      const text = sectionOf(await Bun.file(join(root, file)).text(), heading)
      const examples = examplesIn(text)
      expect(examples.length).toBeGreaterThan(0)
      await using box = new Sandbox()
      await prepare(box, text)
      symlinkSync(PROGRAM[0] as string, box.at('changelogd'))
      // It shows its progress where nobody watches.
      writeFileSync(box.at('.curlrc'), 'silent\n')
      const url = await box.serve()
      for (const { command, output } of examples) {
        // Nobody is asked beyond this machine.
        const near = command.replaceAll(SHOWN, url).replace(/(?<=follow .*)https:\S+/, '$& --no-check')
        const child = box.spawn(['bash', '-c', `${near} 2>&1`], {
          PATH: `${box.directory}:${process.env.PATH}`,
          // Hooks need it.
          PUBLIC_URL: 'https://changelog.example.com',
        })
        const printed = (await new Response(child.stdout).text()).replaceAll(url, SHOWN)
        expect(printed.trimEnd(), command).toMatch(pattern(output.trimEnd()))
        expect(await child.exited, command).toBe(0)
      }
      for (const [, path = ''] of text.matchAll(new RegExp(`<${RegExp.escape(SHOWN)}([^>]*)>`, 'g')))
        expect((await fetch(url + path)).status, path).toBe(200)
    },
  )
})
