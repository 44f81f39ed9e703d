import { describe, expect, test } from 'bun:test'
import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { resolvedPath } from '../../../src/files/lookup.ts'
import { scratch } from '../../support/scratch.ts'

const LOOKUP = join(import.meta.dir, '../../../src/files/lookup.ts')

describe('the real path of a file', () => {
  test('is that of the system, through links to files and directories', () => {
    using place = scratch()
    const at = (name: string) => join(place.path, name)
    mkdirSync(at('far/deep'), { recursive: true })
    writeFileSync(at('far/real.db'), '')
    symlinkSync('far/deep', at('directory'))
    symlinkSync('directory/../real.db', at('relative.db'))
    symlinkSync(at('relative.db'), at('absolute.db'))
    for (const name of ['far/real.db', 'directory/../real.db', 'relative.db', 'absolute.db', 'directory/.'])
      expect(resolvedPath(`${place.path}/${name}`)).toBe(realpathSync.native(`${place.path}/${name}`))
    expect(resolvedPath('src/../package.json')).toBe(realpathSync.native('package.json'))
    expect(resolvedPath(at('directory/new.db'))).toBe(join(realpathSync.native(at('far/deep')), 'new.db'))
  })

  test('is refused for links in a circle', () => {
    using place = scratch()
    symlinkSync('b', join(place.path, 'a'))
    symlinkSync('a', join(place.path, 'b'))
    expect(() => resolvedPath(join(place.path, 'a'))).toThrow('Cannot look up')
  })

  test('is found without opening the file: closing it would end the locks of SQLite', async () => {
    using place = scratch()
    writeFileSync(join(place.path, 'real.db'), '')
    symlinkSync('real.db', join(place.path, 'link.db'))
    const program = `
      import { openSync } from 'node:fs'
      import { resolvedPath } from '${LOOKUP}'
      try { for (;;) openSync('/dev/null') } catch {}
      console.log(resolvedPath('link.db'))`
    const child = Bun.spawn(['sh', '-c', 'ulimit -n 64; exec "$@"', 'sh', process.execPath, '-e', program], {
      cwd: place.path,
      stdout: 'pipe',
    })
    expect((await new Response(child.stdout).text()).trim()).toBe(
      realpathSync.native(`${place.path}/real.db`),
    )
  })
})
