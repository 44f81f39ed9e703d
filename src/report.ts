import { Refusal } from './domain/refusal.ts'

/**
 * Gives `write` a line, or an error and its causes, as text for the operator. An error that lasts, such as a database that
 * was removed, meets requests too, and is written once. console.error would print lines of the source as well.
 */
export function createReport(write: (text: string) => void): (event: unknown) => void {
  const written = new WeakSet<Error>()
  return (event) => {
    const texts: string[] = []
    let next = event
    while (next instanceof Error && !written.has(next)) {
      written.add(next)
      texts.push(textOf(next))
      next = next.cause
    }
    if (next !== undefined && !(next instanceof Error)) texts.push(String(next))
    if (texts.length > 0) write(texts.join('\n'))
  }
}

/** A refusal says by itself what is wrong; where in the program it was noticed would not help. */
export const textOf = (error: Error): string =>
  error instanceof Refusal
    ? [error.message, error.hint].filter(Boolean).join(' ')
    : (error.stack ?? error.message)
