import { expect, test } from 'bun:test'
import { join } from 'node:path'

/** What a module loads before its first statement runs. */
async function loadedFirst(path: string): Promise<string[]> {
  const text = await Bun.file(join(import.meta.dir, '../../../src', path)).text()
  const imports = new Bun.Transpiler({ loader: 'ts' }).scanImports(text.replace(/^#!.*/, ''))
  return imports.filter(({ kind }) => kind === 'import-statement').map((each) => each.path)
}

test('a server listens to SIGUSR2, which would end it, before it loads anything else', async () => {
  expect(await loadedFirst('main.ts')).toEqual(['./run/hurry.ts'])
  expect(await loadedFirst('run/hurry.ts')).toEqual([])
})
