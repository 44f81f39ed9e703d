/** The message of an error as a part of a sentence. */
export const reasonOf = (error: Error): string => error.message.replace(/[.\s]+$/, '')

/** The code of an error, as the system and the engines have them; empty if it has none. */
export const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : ''
