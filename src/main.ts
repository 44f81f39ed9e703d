import { readConfig } from './config.ts'
import { startServer } from './http/server.ts'

const server = startServer(readConfig({}, process.env), {
  log: (line) => process.stdout.write(`${line}\n`),
  report: (fault) => console.error(fault),
})
console.log(`changelogd is listening on ${server.url}`)
for (const signal of ['SIGTERM', 'SIGINT'] as const)
  process.once(signal, () => server.stop().then(() => process.exit(0)))
