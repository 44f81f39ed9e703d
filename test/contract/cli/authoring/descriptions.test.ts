import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdirSync, writeFileSync } from 'node:fs'
import { PROGRAM, Sandbox } from '../../../support/sandbox.ts'
import { ENGINES } from '../../../support/servers/server.ts'

const LONG = ['# Why', '', 'Because *everyone* asked.', '', '- one', '- two — ü'].join('\n')

describe.each(ENGINES)('long descriptions on %s', (engine) => {
  const box = new Sandbox(engine)
  const described = (...args: string[]) => box.json<{ description: string | null }>(...args)
  const piped = (bytes: string, args: string) =>
    box.runProgram(['sh', '-c', `printf '${bytes}' | ${PROGRAM.join(' ')} ${args}`])

  beforeAll(async () => {
    await box.renew()
    await box.json('team', 'create', 'acme', '--name', 'Acme')
    await box.json('product', 'create', 'acme/app', '--name', 'App')
    await box.json('version', 'create', 'acme/app', '1.0.0')
    await box.json('change', 'add', 'acme/app', '1.0.0', '--type', 'added', 'One')
    writeFileSync(box.at('long.md'), `\uFEFF\r\n${LONG.replaceAll('\n', '\r\n')}\r\n\r\n`)
    writeFileSync(box.at('empty.md'), ' \n\n')
    writeFileSync(box.at('latin1.md'), Buffer.from([0x66, 0xfc, 0x72]))
    writeFileSync(box.at('huge.md'), 'x'.repeat(1_000_001))
    mkdirSync(box.at('folder'))
  })
  afterAll(() => box.close())

  test('a file is the description of a version or a change, without the blank lines around it', async () => {
    const file = ['--description-file', box.at('long.md')]
    const [change] = await box.json<{ id: string }[]>('change', 'list', 'acme/app', '1.0.0')
    for (const command of [
      ['version', 'create', 'acme/app', '1.1.0'],
      ['version', 'update', 'acme/app', '1.0.0'],
      ['change', 'add', 'acme/app', '1.0.0', '--type', 'added', 'Two'],
      ['change', 'update', change?.id as string],
    ])
      expect((await described(...command, ...file)).description).toBe(LONG)
  })

  test('- is standard input', async () => {
    const args = 'version update acme/app 1.0.0 --description-file -'
    expect(await piped('From a *pipe*.\\n', args)).toMatchObject({ status: 0, stderr: '' })
    expect((await described('version', 'show', 'acme/app', '1.0.0')).description).toBe('From a *pipe*.')
  })

  test('what is no text for a description is refused, and nothing is written', async () => {
    await box.json('version', 'update', 'acme/app', '1.0.0', '--description', 'Kept')
    const before = await box.json('version', 'list', 'acme/app')
    for (const [file, why] of [
      ['nowhere.md', 'There is no file nowhere.md'],
      ['folder', 'folder is not a file but a directory'],
      ['latin1.md', 'latin1.md is not UTF-8 text'],
      ['huge.md', 'huge.md is too long: a description has at most 1,000,000 characters'],
      ['empty.md', 'empty.md is empty. To have no description, use --description ""'],
    ] as const)
      for (const command of ['version update acme/app 1.0.0', 'version create acme/app 9'])
        expect(await box.refusal(...command.split(' '), '--description-file', file)).toContain(why)
    expect((await piped('', 'version update acme/app 1.0.0 --description-file -')).stderr).toContain(
      'Standard input is empty',
    )
    expect(await box.json('version', 'list', 'acme/app')).toEqual(before)
  })

  test('an endless input is refused', async () => {
    const command = `${PROGRAM.join(' ')} version update acme/app 1.0.0 --description-file -`
    const { stderr } = await box.runProgram(['sh', '-c', `yes | ${command}`])
    expect(stderr).toContain('Standard input is too long')
  })

  test('a file and a text at once are wrong usage', async () => {
    const both = ['--description', 'a', '--description-file', box.at('long.md')]
    const result = await box.run(['version', 'update', 'acme/app', '1.0.0', ...both])
    expect(result.status).toBe(2)
    expect(result.stderr).toContain('cannot be used with')
  })

  test('a version without a title has its label as title, and a new label changes both', async () => {
    expect(await box.json('version', 'create', 'acme/app', '2.0.0')).toMatchObject({ title: '2.0.0' })
    const renamed = await box.json('version', 'update', 'acme/app', '2.0.0', '--label', '2.0.1')
    expect(renamed).toMatchObject({ version: '2.0.1', title: '2.0.1' })
    await box.json('version', 'update', 'acme/app', '2.0.1', '--title', 'Two')
    const titled = await box.json('version', 'update', 'acme/app', '2.0.1', '--label', '2.0.2')
    expect(titled).toMatchObject({ version: '2.0.2', title: 'Two' })
  })
})
