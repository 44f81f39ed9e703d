/** A day of the reader's calendar, as midnight in UTC. */
export const dayOf = (at: Date): number => Date.UTC(at.getFullYear(), at.getMonth(), at.getDate())

/** How far a day is: `tomorrow`. Empty for none. */
export function inDays(day: number): string {
  const days = Math.round((day - dayOf(new Date())) / 86_400_000)
  const words = new Intl.RelativeTimeFormat(document.documentElement.lang, { numeric: 'auto' })
  return Number.isNaN(days) ? '' : words.format(days, 'day')
}

/** `{count}` in the plurals of the page, which a `|` separates. */
export function counted(texts = '', count = 0): string {
  const { lang } = document.documentElement
  const plurals = texts.split('|')
  const form = ['one', 'two', 'few', 'many'].indexOf(new Intl.PluralRules(lang).select(count))
  return (plurals[form] ?? plurals.at(-1) ?? '').replace('{count}', count.toLocaleString(lang))
}
