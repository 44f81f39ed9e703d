import { expect, test } from 'bun:test'
import { mkdirSync } from 'node:fs'
import { describeNeeding } from '../../../support/needs.ts'
import { prepared } from './prepared.ts'

describeNeeding('git', Bun.which('git') !== null, 'import --git', () => {
  test('leaves out signatures, and reads messages that are not UTF-8 as Windows-1252', async () => {
    await using at = await prepared()
    const path = at.box.at('repository')
    mkdirSync(path)
    const git = (args: string[], input = '') => {
      const options = { cwd: path, env: { ...at.box.env }, stdin: Buffer.from(input, 'latin1') }
      return Bun.spawnSync(['git', ...args], options)
        .stdout.toString()
        .trim()
    }
    git(['init', '--quiet'])
    const tree = git(['mktree'])
    const who = 'J <j@example.com> 1767319445 +0000'
    const write = ['hash-object', '-w', '--stdin', '-t']
    const commit = git([...write, 'commit'], `tree ${tree}\nauthor ${who}\ncommitter ${who}\n\nBegin\n`)
    const signature = '-----BEGIN PGP SIGNATURE-----\n\nabc\n-----END PGP SIGNATURE-----\n'
    const object = git(
      [...write, 'tag'],
      `object ${commit}\ntype commit\ntag v1.0.0\ntagger ${who}\n\nCaf\xe9\n\n- one\n${signature}`,
    )
    git(['update-ref', 'refs/tags/v1.0.0', object])
    const { warnings } = await at.box.json<{ warnings: unknown }>('import', 'acme/app', '--git', path)
    expect(warnings).toEqual([{ text: `${path}: tag v1.0.0`, message: 'not UTF-8, read as Windows-1252' }])
    const { title, description, changes } = await at.show('v1.0.0')
    expect({ title, description, changes: changes.map((change) => change.title) }).toEqual({
      ...{ title: 'Café', description: null, changes: ['one'] },
    })
  })
})
