import { databaseCommand, waitOption, withSettings } from '../../command.ts'
import type { Context } from '../../context.ts'
import { print, waitingFor } from '../../session.ts'
import { configFrom } from '../../settings.ts'

export const deskCommand = (context: Context) =>
  withSettings(
    databaseCommand(
      context,
      'desk',
      'write release notes in the browser',
      ['changelogd desk', 'DESK_PORT=4000 changelogd desk'],
      DETAILS,
    ).addOption(waitOption()),
    ['public-url', 'site-language', 'brand-color', 'log-format'],
  ).action(async (options) => {
    const config = configFrom(context, options)
    await context.desk(config, waitingFor(context, options), (url) =>
      print(context, options, {
        json: { url },
        text: `The desk is open. This address works once, for ten minutes:\n${url}`,
        notes: [context.terminal.input ? `For another address, press Enter. ${END}` : END],
      }),
    )
  })

const END = 'To end the desk, press Ctrl-C.'

const DETAILS = `Without settings, the desk is for you alone, on this
machine. For a team, run it behind a proxy that signs people
in. DESK_URL, DESK_PORT, DESK_USER_HEADER, DESK_PROXIES and
DESK_TEAMS are required then. If the proxy is on another
machine, set DESK_HOST, too. DESK_PUBLISHERS may publish,
others write drafts.

`
