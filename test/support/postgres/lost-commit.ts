import { type Passage, proxyTo } from './proxy.ts'

/**
 * What is lost of a COMMIT: the request, or the answer of the engine that has executed it; by a connection that ends, or by one
 * that is silent from then on. With `isAway` nobody gets through from then on, until `resume`.
 */
export interface Loss {
  what: 'request' | 'answer'
  by: 'end' | 'silence'
  isAway?: boolean
}

export interface LossyPassage extends Passage {
  /** Loses the next COMMIT of a transaction that writes; resolves when it has. */
  lose(loss: Loss): Promise<void>
}

/** Texts of statements, which end with NUL on the wire: a writer locks the one row, or all migrations, and then commits. */
const LOCK = /from changelogd for update\0|pg_advisory_xact_lock/
const COMMIT = /commit\0/

/** A way to a PostgreSQL on which a COMMIT can get lost. */
export async function lossyProxyTo(target: string): Promise<LossyPassage> {
  let loss: Loss | undefined
  let happened = () => {}
  const proxy = await proxyTo(target, (near, far) => {
    let state: 'reads' | 'writes' | 'commits' | 'silent' = 'reads'
    const lose = ({ by, isAway }: Loss) => {
      loss = undefined
      state = 'silent'
      if (isAway) void proxy.cut()
      if (by === 'end') for (const end of [near, far]) end.destroy()
      happened()
    }
    return (from, chunk) => {
      if (state === 'silent') return false
      const text = from === near ? String(chunk) : ''
      if (state === 'reads' && LOCK.test(text)) state = 'writes'
      if (loss && state === 'commits' && from === far) {
        lose(loss)
        return false
      }
      if (!loss || state !== 'writes' || !COMMIT.test(text)) return true
      if (loss.what === 'answer') state = 'commits'
      else lose(loss)
      return state === 'commits'
    }
  })
  return {
    ...proxy,
    lose: (next) =>
      new Promise((resolve) => {
        loss = next
        happened = resolve
      }),
  }
}
