export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** For the middle of a sentence. */
export const reasonOf = (error: unknown): string => withoutPeriod(messageOf(error))

export const withoutPeriod = (text: string): string => text.replace(/[.\s]+$/, '')
export const withPeriod = (text: string): string => `${withoutPeriod(text)}.`

/** The code of the system or an engine; empty if there is none. */
export const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : ''

/** Result of `work`, or null if it throws. */
export function orNull<T>(work: () => T): T | null {
  try {
    return work()
  } catch {
    return null
  }
}

/** For `catch`: null if the error is expected. Any other is thrown again. */
export const nullIf =
  (isExpected: (error: unknown) => boolean) =>
  (error: unknown): null => {
    if (isExpected(error)) return null
    throw error
  }
