import { expect, test } from 'bun:test'
import { readConfig } from '../../../../src/config/config.ts'
import { claimPort } from '../../../../src/http/listening/claimed-port.ts'
import { listenersOn } from '../../../support/threads/listeners.ts'

test('a port that the system chose is kept until threads listen on it, and no longer', async () => {
  const claimed = claimPort(readConfig({}, { PORT: '0', THREADS: '2' }))
  const { port } = claimed
  const listen = (reusePort: boolean) =>
    Bun.serve({ hostname: '127.0.0.1', port, reusePort, fetch: () => new Response() })
  expect(() => listen(false)).toThrow(expect.objectContaining({ code: 'EADDRINUSE' }))
  const threads = [listen(true), listen(true)]
  await claimed.handOver()
  expect(listenersOn(port)).toBe(2)
  await Promise.all(threads.map((thread) => thread.stop(true)))
  claimed.release()
})
