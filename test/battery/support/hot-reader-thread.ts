/** The thread of `hot-reader.ts`. */
import { RawConnection } from './socket.ts'

declare const self: Worker

export interface Answer {
  /** In milliseconds; infinite if a response was missing or not a 200. */
  slowest: number
}

/** Between two requests, so that others get a turn. */
const PAUSE_MS = 1
/** Until the server has compiled what it needs for them. */
const WARM_UP = 50

let ending = false

self.onmessage = async ({ data }: MessageEvent<{ port: number; path: string } | 'stop'>) => {
  if (data === 'stop') {
    ending = true
    return
  }
  const answer: Answer = { slowest: 0 }
  using connection = await RawConnection.open(data.port)
  for (let n = 0; n < WARM_UP; n++) await connection.get(data.path)
  self.postMessage('ready')
  while (!ending && connection.isOpen) {
    const began = performance.now()
    const response = await connection.get(data.path).catch(() => null)
    answer.slowest = Math.max(answer.slowest, performance.now() - began)
    // Without a response, or with another one, the time is not that of a read.
    if (response?.status !== 200) answer.slowest = Number.POSITIVE_INFINITY
    await Bun.sleep(PAUSE_MS)
  }
  self.postMessage(answer)
}
