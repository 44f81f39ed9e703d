/** The thread of `hot-reader.ts`. */
import { RawConnection, request } from './socket.ts'

declare const self: Worker

export interface Answer {
  /** Of every read, in milliseconds; infinite if its response was missing or not a 200. */
  times: number[]
}

/** It is another client than those whose requests are measured beside it, if the server trusts what it says. */
const HEADERS = { 'X-Forwarded-For': '203.0.113.77' }
/** Between two requests, so that others get a turn. */
const PAUSE_MS = 1
/** A read that takes longer has failed. */
const TIMEOUT_MS = 10_000
/** Until the server has compiled what it needs for them. */
const WARM_UP = 50

let ending = false

self.onmessage = async ({ data }: MessageEvent<{ port: number; path: string } | 'stop'>) => {
  if (data === 'stop') {
    ending = true
    return
  }
  const answer: Answer = { times: [] }
  using connection = await RawConnection.open(data.port)
  for (let n = 0; n < WARM_UP; n++) await connection.get(data.path, HEADERS)
  self.postMessage('ready')
  while (!ending && connection.isOpen) {
    const began = performance.now()
    const response = await connection
      .send(request(data.path, HEADERS), { timeout: TIMEOUT_MS })
      .catch(() => null)
    answer.times.push(response?.status === 200 ? performance.now() - began : Number.POSITIVE_INFINITY)
    await Bun.sleep(PAUSE_MS)
  }
  self.postMessage(answer)
}
