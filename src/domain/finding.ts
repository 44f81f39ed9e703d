/** The result of one check: fine, worth knowing, or wrong, and then what to do about it. */
export interface Finding {
  state: 'ok' | 'warn' | 'wrong'
  check: string
  message: string
  remedy?: string
}

/** The findings of a check, or that it failed: one failing check must not hide the others. */
export function attempt(check: string, look: () => Finding[]): Finding[] {
  try {
    return look()
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    const remedy = 'Run this as the user that the server runs as.'
    return [{ state: 'wrong', check, message: `cannot be checked: ${reason.replace(/\.$/, '')}`, remedy }]
  }
}
