import { RedisClient } from 'bun'
import { describeNeeding } from './needs.ts'
import { scratch } from './scratch.ts'
import { freePort } from './servers/free-port.ts'
import { type Child, killProcess, startProcess } from './servers/process.ts'
import { until } from './until.ts'

const PROGRAM = Bun.which('redis-server')

/** `describe` for what needs redis-server. */
export const describeWithRedis = (name: string, tests: () => void): void =>
  describeNeeding('redis-server', PROGRAM !== null, name, tests)

export type Redis = Awaited<ReturnType<typeof startRedis>>

/** A Redis of its own, which can be killed and started again on the same port. */
export async function startRedis({ password = '' } = {}) {
  await using undo = new AsyncDisposableStack()
  const directory = undo.use(scratch()).path
  const port = await freePort()
  const secret = password === '' ? [] : ['--requirepass', password]
  const url = `redis://${password === '' ? '' : `:${password}@`}127.0.0.1:${port}`
  let child: Child
  const start = async () => {
    const settings = ['--port', `${port}`, '--bind', '127.0.0.1', '--save', '', '--dir', directory, ...secret]
    child = startProcess([PROGRAM ?? '', ...settings], { cwd: directory, env: {} })
    await until(async () => (await send('PING').catch(() => null)) === 'PONG')
  }
  const kill = () => killProcess(child)
  const send = async (command: string, ...args: string[]): Promise<unknown> => {
    const client = new RedisClient(url, { autoReconnect: false })
    try {
      await client.connect()
      return await client.send(command, args)
    } finally {
      client.close()
    }
  }
  undo.defer(kill)
  await start()
  const running = undo.move()
  return {
    url,
    place: `127.0.0.1:${port}`,
    start,
    kill,
    /** Has it stand still, or go on. */
    stop: () => child.kill('SIGSTOP'),
    resume: () => child.kill('SIGCONT'),
    /** Sends one command. */
    send,
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}
