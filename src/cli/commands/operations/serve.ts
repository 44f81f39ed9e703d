import { command, databaseOption, waitOption } from '../../command.ts'
import type { Context } from '../../context.ts'
import { configFrom } from '../../settings.ts'
import { withServerLog } from './server-log.ts'

export function serveCommand(context: Context) {
  const serve = command(context, 'serve', 'serve the changelogs over HTTP', [
    'changelogd serve',
    'changelogd serve --worker',
    'changelogd serve --trusted-proxies 10.0.0.0/8 --log-requests',
  ])
    .addOption(databaseOption())
    .addOption(waitOption())
    .settings()
  const logged = withServerLog(context, serve)
  return serve.action((options: { wait?: number }) =>
    logged(options, (waiting) => context.serve(configFrom(context, options), waiting, context.configFile())),
  )
}
