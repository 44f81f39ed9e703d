import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * The scripts for browsers in `http/browser/`. Import this with `{ type: 'macro' }`: a binary contains only their
 * JavaScript. It defines no globals, so that it breaks no other script of a page.
 */
export function browserScript(name: 'reference' | 'widget'): string {
  const source = readFileSync(join(import.meta.dir, '../browser', `${name}.ts`), 'utf8')
  const transpiler = new Bun.Transpiler({ loader: 'ts', target: 'browser', minifyWhitespace: true })
  return `(() => {${transpiler.transformSync(source)}})()`
}
