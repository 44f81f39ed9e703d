/** For the middle of a sentence. */
export const reasonOf = (error: Error): string => error.message.replace(/[.\s]+$/, '')

/** The code of the system or an engine; empty if there is none. */
export const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : ''
