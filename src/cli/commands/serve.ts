import { command, databaseOption, waitOption } from '../command.ts'
import type { Context } from '../context.ts'
import { waitingFor } from '../session.ts'
import { configFrom, refuseRemovedFlags, settingOptions } from '../settings.ts'

export function serveCommand(context: Context) {
  const serve = command(context, 'serve', 'serve the changelogs over HTTP', [
    'changelogd serve',
    'changelogd serve --host 0.0.0.0 --port 8080',
    'changelogd serve --trusted-proxies 10.0.0.0/8 --log-requests',
  ])
    .addOption(databaseOption())
    .addOption(waitOption())
  for (const option of settingOptions()) serve.addOption(option)
  refuseRemovedFlags(serve)
  return serve.action((options) => context.serve(configFrom(context, options), waitingFor(context, options)))
}
