import { join } from 'node:path'

/**
 * The scripts for browsers in `http/browser/`. Import this with `{ type: 'macro' }`: a binary contains only their
 * JavaScript: a function, so that it defines no globals and breaks no other script of a page. The script declares its
 * parameters.
 */
export function browserScript(name: 'desk' | 'reference' | 'widget', ...parameters: string[]): string {
  const source = join(import.meta.dir, '../browser', `${name}.ts`)
  // In a process of its own, as a macro must not wait for the bundler that waits for it.
  const { stdout, stderr, success } = Bun.spawnSync([process.execPath, 'build', '--minify', source])
  if (!success) throw new Error(`${name}: ${stderr}`)
  return `((${parameters}) => {${stdout}})`
}
