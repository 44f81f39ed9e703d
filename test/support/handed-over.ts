/**
 * Starts a worker as `serve` does, with the settings of its flags: `bun handed-over.ts --FLAG=VALUE …`. That worker is this
 * file again, and prints what it was handed over.
 */
import { readConfig } from '../../src/config/config.ts'
import { startWorker } from '../../src/run/worker-process.ts'
import { workingFor } from '../../src/run/working.ts'

const [first, ...others] = process.argv.slice(2)
if (first === 'worker') {
  const { config } = await workingFor({ logHasTimes: false, version: '0' }).handedOver()
  const commandLine = process.argv.slice(2)
  process.stdout.write(
    JSON.stringify({ config, commandLine }, (_, value) => (value instanceof Map ? [...value] : value)),
    () => process.exit(),
  )
} else {
  const { spawn } = Bun
  const again = (command: string[], options: object) =>
    spawn([process.execPath, import.meta.path, ...command.slice(-2)], options)
  Object.assign(Bun, { spawn: again })
  const flags = [first ?? '', ...others].map((flag) => flag.slice(2).split(/=(.*)/s).slice(0, 2))
  startWorker(readConfig(Object.fromEntries(flags), process.env), null, () => process.exit())
}
