import { afterAll, beforeAll, expect } from 'bun:test'
import type { Seeder } from '../seed.ts'
import {
  fingerprint,
  insisting,
  type Settings,
  type Subject,
  startServer,
  type TestServer,
} from './server.ts'

type Headers = Record<string, string>

/** A server for all tests of a `describe`, and what `fill` has put into its database and given back. */
export function serverForAll<T>(subject: Subject, fill: (seed: Seeder) => T, settings: Settings = {}) {
  const shared = {} as { server: TestServer; filled: T }
  beforeAll(async () => {
    shared.server = await startServer(subject, settings)
    const { seed } = shared.server
    seed.db.transaction(() => {
      shared.filled = fill(seed)
    })()
  })
  afterAll(async () => {
    expect(await shared.server.stop()).toBe(0)
  })
  const get = (path: string, headers?: Headers) =>
    insisting(subject.engine, () => shared.server.get(path, headers))
  return Object.assign(shared, {
    get,
    status: async (path: string, headers?: Headers) => (await get(path, headers)).status,
    text: async (path: string, headers?: Headers) => (await get(path, headers)).text(),
    /** The parts of the answer that must not tell two hidden things apart. */
    print: async (path: string, headers?: Headers) => fingerprint(await get(path, headers)),
    /** Where a path leads; the status if it is a broken link. */
    leads: async (path: string, headers: Headers = {}) => {
      const ask = () => fetch(shared.server.url + path, { headers, redirect: 'manual' })
      const response = await insisting(subject.engine, ask)
      return response.headers.get('location') ?? response.status
    },
  })
}
