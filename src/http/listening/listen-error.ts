import { isBinary } from '../../build-info.ts'
import type { Config } from '../../config/config.ts'
import { socketPath } from '../../domain/addresses/paths.ts'
import { type Hint, Refusal, toRun } from '../../domain/refusal.ts'
import { inCheckout } from '../../files/own-program.ts'

/** Why a server cannot listen, and how to choose another port. Other errors stay as they are. */
export function cannotListen(
  { host, port }: Pick<Config, 'host' | 'port'>,
  error: unknown,
  hint: string | Hint = toChoosePort(port, { port: 'NUMBER', host: 'ADDRESS' }),
): unknown {
  if (!(error instanceof Error) || !('code' in error)) return error
  if (socketPath(host) !== null)
    return new Refusal(`Cannot listen on ${host}: ${error.message}.`, {
      hint: 'Use a path in an existing directory that this user can write to.',
      cause: error,
    })
  return new Refusal(`Cannot listen on ${host}:${port}: ${REASONS[String(error.code)] ?? error.message}.`, {
    hint,
    cause: error,
  })
}

/** `options` of `serve` choose another port or host. The first one is the port. */
export function toChoosePort(port: number, options: Record<string, string>): Hint {
  if (isBinary) return toRun('To choose another port or host', 'serve', [], options)
  const [flag = ''] = Object.keys(options)
  const variable = flag.toUpperCase().replaceAll('-', '_')
  return { text: 'To choose another port', command: `${variable}=${port + 1} ${inCheckout('start')}` }
}

/** Bun reports a host name of another machine like a port that is in use. */
const REASONS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another program is using that port, or the host is not an address of this machine',
  EADDRNOTAVAIL: 'the host is not an address of this machine',
  EINVAL: 'the host is not an address that a server can listen on',
  ENOTFOUND: 'the host is not an address or a known name',
}
