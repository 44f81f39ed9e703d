import type { HookKind } from '../../domain/hook-kinds.ts'
import { ntfyRequest } from './ntfy.ts'
import { telegramRequest } from './telegram.ts'

/** Requests whose message, too, depends on the secret address. */
export const ADDRESSED: Partial<Record<HookKind, typeof ntfyRequest | typeof telegramRequest>> = {
  telegram: telegramRequest,
  ntfy: ntfyRequest,
}

/** What such an answer says, and after how many seconds to ask again. The rest of it tells where the message went. */
export function readAnswer(text: string): { said: string; seconds: number } {
  try {
    const { description, error, parameters } = JSON.parse(text)
    return { said: String(description ?? error ?? ''), seconds: Number(parameters?.retry_after ?? 0) }
  } catch {
    return { said: text, seconds: 0 }
  }
}
