import { symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Sandbox } from '../sandbox.ts'

const root = join(import.meta.dir, '../../..')

const TSCONFIG = {
  compilerOptions: {
    target: 'ESNext',
    module: 'Preserve',
    moduleResolution: 'Bundler',
    lib: ['ESNext'],
    types: ['bun-types'],
    strict: true,
    noEmit: true,
    allowImportingTsExtensions: true,
    skipLibCheck: true,
  },
  include: ['*.ts'],
}

/**
 * Does in a sandbox what an integrator does: generates types from the server's document as `changelogd.d.ts`, and checks the
 * types of clients with these texts. Gives what runs one of them, by its name, and gives what it printed.
 */
export async function generateClients(box: Sandbox, texts: Readonly<Record<string, string>>) {
  const run = async (...command: string[]) => {
    const { status, stdout, stderr } = await box.runProgram(command)
    if (status !== 0) throw new Error(`${command.join(' ')}\n${stdout}${stderr}`)
    return stdout
  }
  symlinkSync(join(root, 'node_modules'), box.at('node_modules'))
  writeFileSync(box.at('tsconfig.json'), JSON.stringify(TSCONFIG))
  for (const [name, text] of Object.entries(texts)) writeFileSync(box.at(`${name}.ts`), text)
  const generator = join(root, 'release/npm/openapi-types.ts')
  await run(process.execPath, generator, `${await box.serve()}/openapi.json`, box.at('changelogd.d.ts'))
  await run(join(root, 'node_modules/.bin/tsc'))
  return (name: string, ...args: string[]) => run(process.execPath, `${name}.ts`, ...args)
}
