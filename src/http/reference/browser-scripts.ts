import { join } from 'node:path'

/**
 * The scripts for browsers in `http/browser/`. Import this with `{ type: 'macro' }`: a binary contains only their
 * JavaScript: a function, so that it defines no globals and breaks no other script of a page. The script declares its
 * parameters.
 */
export const browserScript = (name: 'desk' | 'reference' | 'widget', ...parameters: string[]): string =>
  `((${parameters}) => {${built(name)}})`

/** A script that another one imports. */
export const browserModule = (name: 'desk-paste'): string => built(name)

function built(name: string): string {
  const source = join(import.meta.dir, '../browser', `${name}.ts`)
  // In a process of its own, as a macro must not wait for the bundler that waits for it.
  const { stdout, stderr, success } = Bun.spawnSync([
    process.execPath,
    'build',
    '--minify',
    '--target=browser',
    source,
  ])
  if (!success) throw new Error(`${name}: ${stderr}`)
  return String(stdout)
}
