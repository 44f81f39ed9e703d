/** A day of the reader's calendar, as midnight in UTC. */
export const dayOf = (at: Date): number => Date.UTC(at.getFullYear(), at.getMonth(), at.getDate())

/** How far a day is: `tomorrow`. Empty for none. */
export function inDays(day: number): string {
  const days = Math.round((day - dayOf(new Date())) / 86_400_000)
  const words = new Intl.RelativeTimeFormat(document.documentElement.lang, { numeric: 'auto' })
  return Number.isNaN(days) ? '' : words.format(days, 'day')
}
