import type { Context } from '../cli/context.ts'
import { announceEach, createdNotice, startLog, untilStopped, willCreate } from './serving.ts'

/** Runs the desk until a signal ends it. Loads its modules only here. */
export async function runDesk(
  logHasTimes: boolean,
  ...[config, waiting, announce]: Parameters<Context['desk']>
): Promise<void> {
  const { say, report } = startLog(config, logHasTimes)
  const stopped = untilStopped()
  const { deskSettings } = await import('../config/desk.ts')
  // Before a database is created.
  deskSettings(config)
  const { startDesk } = await import('../desk/desk.ts')
  const { openForServing } = await import('../store/open.ts')
  const { openBookkeeping } = await import('../store/bookkeeping/open.ts')
  const isNew = willCreate(config)
  const store = await openForServing(config.database, { waiting, report })
  if (isNew) report(createdNotice(config))
  const desk = startDesk({
    config,
    store,
    bookkeeping: await openBookkeeping(config.database),
    logger: { log: () => {}, report },
    hasTerminal: process.stdin.isTTY,
    note: (event, facts) => {
      const told = Object.entries(facts).filter(([, value]) => value !== '')
      say(event, [event, ...told.map(([name, value]) => `${name}=${JSON.stringify(value)}`)].join(' '), facts)
    },
  })
  if (desk.isLocal) await announceEach(desk.newUrl, announce)
  else say('listening', `The desk is at ${desk.newUrl()}`, { url: desk.newUrl() })
  await stopped
  await desk.stop()
  process.exit()
}
