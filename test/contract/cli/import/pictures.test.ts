import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import { chmodSync, writeFileSync } from 'node:fs'
import { parse } from 'node:path'
import { gif, png } from '../../../support/pictures.ts'
import { PROGRAM, Sandbox } from '../../../support/sandbox.ts'

const FILE =
  '# Changelog\n\n## 1.0.0 - 2026-01-02\n\n- New search\n\n  ![It](./shot.png)\n- Gone ![No](gone.png)\n'

interface Summary {
  added: number
  updated: number
  unchanged: number
  warnings: { line: number; message: string }[]
}
interface Listed {
  address: string
  shownBy: string[]
}

describe('pictures beside a changelog', () => {
  const box = new Sandbox()
  const bring = (...more: string[]) => box.json<Summary>('import', 'acme/app', 'CHANGELOG.md', ...more)
  const pictures = () => box.json<Listed[]>('picture', 'list', 'acme/app')
  const text = async () => (await box.run(['export', 'acme/app', '--format', 'markdown'])).stdout
  beforeEach(async () => {
    await box.renew()
    writeFileSync(box.at('CHANGELOG.md'), FILE)
    writeFileSync(box.at('shot.png'), png(40, 30))
  })
  afterAll(() => box.close())

  test('are imported with it once, and a warning names each that is missing', async () => {
    await box.json('team', 'create', 'acme', '--name', 'Acme')
    await box.json('product', 'create', 'acme/app', '--name', 'App')
    const empty = await box.state()
    const warning = { line: 8, message: 'the picture gone.png does not exist' }
    expect(await bring('--dry-run')).toMatchObject({ added: 1, warnings: [warning] })
    expect(await box.state()).toEqual(empty)
    expect(await bring()).toMatchObject({ added: 1, warnings: [warning] })
    const [shown, ...others] = await pictures()
    expect([shown?.shownBy, others]).toEqual([['1.0.0'], []])
    expect(await text()).toContain(`![It](${shown?.address})`)
    expect(await text()).toContain('![No](gone.png)')
    const filled = await box.state()
    expect(await bring()).toMatchObject({ added: 0, updated: 0, unchanged: 1, warnings: [warning] })
    expect(await box.state()).toEqual(filled)
    // A picture may change without the text, and a missing one may be there later.
    writeFileSync(box.at('gone.png'), gif(1))
    expect(await bring()).toMatchObject({ updated: 1, warnings: [] })
    expect(await pictures()).toHaveLength(2)
    await box.json('product', 'update', 'acme/app', '--status', 'locked')
    expect(await bring()).toMatchObject({ updated: 0, unchanged: 1 })
  })

  test('stay where they are with --no-pictures, and if the text comes from a pipe', async () => {
    expect(await bring('--create', '--no-pictures')).toMatchObject({ added: 1, warnings: [] })
    expect(await text()).toContain('![It](./shot.png)')
    expect(await bring('--no-pictures')).toMatchObject({ unchanged: 1 })
    const piped = await box.runProgram([
      ...['sh', '-c', 'cat CHANGELOG.md | "$@"', 'sh', ...PROGRAM],
      ...['import', 'acme/app', '-', '--json'],
    ])
    expect(JSON.parse(piped.stdout)).toMatchObject({ unchanged: 1, warnings: [] })
    expect(await pictures()).toEqual([])
    expect(await bring()).toMatchObject({ updated: 1 })
    expect(await pictures()).toHaveLength(1)
  })

  test('are refused beyond the limit of the product, with nothing imported', async () => {
    const { status, stderr } = await box.run(['import', 'acme/app', 'CHANGELOG.md', '--create'], {
      PICTURES_MAX_BYTES: '10',
    })
    expect([status, stderr.replace(/\s+/g, ' ')]).toEqual([
      1,
      expect.stringContaining('The limit is 10 bytes.'),
    ])
    expect(await box.json<unknown[]>('team', 'list')).toHaveLength(0)
  })

  test('are followed with the file, and not with --no-pictures', async () => {
    await box.json('follow', 'acme/app', 'CHANGELOG.md', '--create')
    const sync = async () => (await box.json<Summary[]>('sync', 'acme/app'))[0]
    expect(await sync()).toMatchObject({
      added: 1,
      warnings: [{ message: expect.stringMatching(/^the picture \S+ does not exist$/) }],
    })
    const [shown] = await pictures()
    expect(await text()).toContain(`![It](${shown?.address})`)
    expect(await sync()).toMatchObject({ state: 'unchanged' })
    await box.json('follow', 'acme/app', 'CHANGELOG.md', '--no-pictures')
    expect(await box.json('follow', 'show', 'acme/app')).toMatchObject({ pictures: false })
    expect(await sync()).toMatchObject({ updated: 1, warnings: [] })
    expect(await text()).toContain('![It](./shot.png)')
  })

  test('are taken in by edit from wherever they are, but only where the author names them anew', async () => {
    await bring('--create', '--no-pictures')
    const edit = async (line: string) => {
      writeFileSync(box.at('editor.sh'), `#!/bin/sh\nprintf '%s\\n' '${line}' >> "$1"\n`)
      chmodSync(box.at('editor.sh'), 0o755)
      return box.run(['edit', 'acme/app', '1.0.0'], { EDITOR: box.at('editor.sh') })
    }
    const other = box.at('other.png')
    writeFileSync(other, png(50, 30))
    expect(await edit(`- More ![New](${other}) ![Far](https://example.org/x.png)`)).toMatchObject({
      status: 0,
    })
    const [added, ...more] = await pictures()
    expect([added?.shownBy, more]).toEqual([['1.0.0'], []])
    expect(await text()).toContain(`![New](${added?.address}) ![Far](https://example.org/x.png)`)
    expect(await text()).toContain('![It](./shot.png)')
    const missing = await edit('- Even more ![None](./none.png) ![Dir](/)')
    expect(missing.stderr).toMatch(/^line \d+: the picture .\/none.png does not exist$/m)
    expect(missing.stderr).toMatch(/^line \d+: the picture \/ cannot be read: \/ is a directory/m)
    expect(missing).toMatchObject({ status: 0 })
    expect(await pictures()).toHaveLength(1)
    // In the folder of the command.
    expect(await edit(`- Last ![Other](${parse(other).base})`)).toMatchObject({ status: 0 })
    expect(await text()).toContain(`![Other](${added?.address})`)
  })
})
