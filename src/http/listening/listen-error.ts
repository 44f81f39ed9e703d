import type { Config } from '../../config/config.ts'
import { socketPath } from '../../domain/addresses/paths.ts'
import { Refusal, toRun } from '../../domain/refusal.ts'

/** Why a server cannot listen, and how to choose another port. Other errors stay as they are. */
export function cannotListen(
  { host, port }: Pick<Config, 'host' | 'port'>,
  error: unknown,
  flags = '--port NUMBER --host ADDRESS',
): unknown {
  if (error instanceof Refusal) return error
  if (!(error instanceof Error) || !('code' in error)) return error
  // Bun reports the same code for a host that is not one of this machine's.
  if (socketPath(host) !== null)
    return new Refusal(`Cannot listen on ${host}: ${error.message}.`, {
      hint: 'Use a path in an existing directory that this user can write to.',
      cause: error,
    })
  const isInUse = error.code === 'EADDRINUSE'
  const reason = isInUse
    ? 'another program is using that port, or the host is not an address of this machine'
    : error.message
  return new Refusal(`Cannot listen on ${host}:${port}: ${reason}.`, {
    ...(isInUse && { hint: toRun('To choose another port or host', `changelogd serve ${flags}`) }),
    cause: error,
  })
}
