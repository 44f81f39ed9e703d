import { expect } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { Webhook } from 'standardwebhooks'
import type { Received } from '../../../support/announcing/receiver.ts'
import { sandboxForEach } from '../../../support/sandbox.ts'
import type { Engine } from '../../../support/servers/server.ts'

export const ENV = { PUBLIC_URL: 'https://news.acme.test' }
/** With receivers on this machine. */
export const PRIVATE = { ...ENV, HOOKS_PRIVATE: 'true' }

export interface ShownHook {
  id: string
  name: string
  kind: string
  events: string[]
  status: string
  needsSecret: boolean
  secret?: string
}

/** A sandbox with the demo for each test of the file, and commands run there with these settings. */
export function hooksForEach(engine: Engine = 'SQLite', env: Record<string, string> = PRIVATE) {
  const box = sandboxForEach((fresh) => fresh.demo(), engine)

  /** `said` is all that a command prints, as one line. */
  const run = async (args: readonly string[], settings = env) => {
    const { status, stdout, stderr } = await box.run(args, settings)
    return { status, said: (stdout + stderr).replace(/\s+/g, ' ') }
  }
  const json = async <T = ShownHook>(...args: string[]): Promise<T> => {
    const { status, stdout, stderr } = await box.run([...args, '--json'], env)
    return status === 0 ? (JSON.parse(stdout) as T) : expect.unreachable(stderr)
  }
  const file = (name: string, text: string): string => {
    writeFileSync(box.at(name), text)
    return box.at(name)
  }
  const add = (...args: string[]) => json('hook', 'add', 'acme', ...args)
  return { box, run, json, file, add, list: () => json<ShownHook[]>('hook', 'list') }
}

/** What a message says, if its signature is of this secret. */
export const verified = (secret: string | undefined, message: Received | undefined): unknown =>
  new Webhook(secret ?? '').verify(message?.body ?? '', message?.headers.toJSON() ?? {})
