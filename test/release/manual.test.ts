import { expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { manualPages } from '../../release/manual/pages.ts'
import { createProgram } from '../../src/cli/program.ts'
import { SETTINGS, type Setting, shownDefault } from '../../src/config/settings.ts'
import { contextWith } from '../support/commands/context.ts'
import { describeNeeding } from '../support/needs.ts'
import { Sandbox } from '../support/sandbox.ts'

const EDITION = { date: '2026-01-02', version: '1.2.3' }

const pages = await manualPages(EDITION)

/** What a page says, without its markup. */
const textOf = (name: string): string =>
  (pages.get(name) ?? '')
    .replace(/\\f[BIR]/g, '')
    .replace(/\\-/g, '-')
    .replaceAll('\\(aq', "'")
    .replace(/\n/g, ' ')

test('every command has a page, and every option and argument of it is there', async () => {
  const program = await createProgram(contextWith())
  const named = program.commands.filter((each) => !['help', 'complete'].includes(each.name()))
  expect([...pages.keys()].toSorted()).toEqual(
    ['changelogd.1', ...named.map((each) => `changelogd-${each.name()}.1`)].toSorted(),
  )
  for (const command of named) {
    const text = textOf(`changelogd-${command.name()}.1`)
    const all = [command, ...command.commands].filter((each) => each.name() !== 'help')
    for (const each of all) {
      expect(text).toContain(each.name())
      const terms = [
        ...each.options.filter(({ hidden }) => !hidden).map(({ flags }) => flags.replace(/<(.*)>/, '$1')),
        ...each.registeredArguments.map((argument) => argument.name()),
      ]
      for (const term of terms) expect(text).toContain(`.TP ${term} `)
    }
    expect(textOf('changelogd.1')).toContain(`changelogd-${command.name()}(1)`)
  }
})

test('changelogd(1) has every setting, the exit statuses, files and examples', () => {
  const text = textOf('changelogd.1')
  for (const setting of Object.values<Setting>(SETTINGS)) {
    expect(text).toContain(`.TP ${setting.name}`)
    if (shownDefault(setting)) expect(text).toContain(`Default: ${shownDefault(setting)}.`)
  }
  for (const part of ['EXIT STATUS', 'FILES', 'EXAMPLES']) expect(text).toContain(`.SH ${part}`)
  // Packages install it.
  const database = "the service's database if installed from a package, otherwise file:data/changelogd.db"
  expect(text).toContain(`Default: ${database}.`)
})

test('the pages differ only with the edition, which is in their titles', async () => {
  expect(await manualPages(EDITION)).toEqual(pages)
  expect(pages.get('changelogd-serve.1')).toStartWith(
    '.TH "CHANGELOGD\\-SERVE" 1 "2026-01-02" "changelogd 1.2.3"\n',
  )
})

for (const [program, command] of [
  ['mandoc', ['mandoc', '-T', 'lint']],
  ['groff', ['groff', '-man', '-ww', '-z']],
] as const)
  describeNeeding(program, Bun.which(program) !== null, 'the manual pages', () => {
    test(`are accepted by ${program} without a complaint`, async () => {
      await using box = new Sandbox()
      for (const [name, page] of pages) writeFileSync(box.at(name), page)
      const { status, stdout, stderr } = await box.runProgram([...command, ...pages.keys()])
      expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: '', stderr: '' })
    })
  })
