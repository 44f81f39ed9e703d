import type { Answer } from './hot-reader-thread.ts'

export interface HotReader {
  /** Ends it, and gives what it measured. */
  stop(): Promise<Answer>
}

/**
 * A client that asks for the same path again and again, in a thread of its own, so that its times are those of the server and
 * not of the work that this thread does. Resolves when it has its first response.
 */
export async function startHotReader(port: number, path: string): Promise<HotReader> {
  const worker = new Worker(new URL('./hot-reader-thread.ts', import.meta.url).href)
  const message = <T>() =>
    new Promise<T>((resolve, reject) => {
      worker.onmessage = ({ data }) => resolve(data as T)
      worker.onerror = ({ message }) => reject(new Error(message))
    })
  const ready = message<'ready'>()
  worker.postMessage({ port, path })
  await ready
  return {
    async stop() {
      const answer = message<Answer>()
      worker.postMessage('stop')
      const measured = await answer
      worker.terminate()
      return measured
    },
  }
}
