/** The thread of `hot-reader.ts`. */
import { RawConnection } from './socket.ts'

declare const self: Worker

export interface Answer {
  reads: number
  /** In milliseconds. */
  slowest: number
  /** Responses that were not 200. */
  failed: number
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
  const answer: Answer = { reads: 0, slowest: 0, failed: 0 }
  using connection = await RawConnection.open(data.port)
  for (let n = 0; n < WARM_UP; n++) await connection.get(data.path)
  self.postMessage('ready')
  while (!ending) {
    const began = performance.now()
    const { status } = await connection.get(data.path)
    answer.slowest = Math.max(answer.slowest, performance.now() - began)
    answer.reads++
    if (status !== 200) answer.failed++
    await Bun.sleep(PAUSE_MS)
  }
  self.postMessage(answer)
}
