/** Names of months, by `Intl`. Runs when the program is built, because it takes a tenth of a second. */

const LANGUAGES = 'en bg ca cs da de el es et fi fr hu id it lt nb nl pl pt ro ru sk sl sv tr uk'.split(' ')

/** Names in lower case and their numbers. `short` ones may be other words, and count only beside a day. */
export interface MonthNames {
  long: Record<string, number>
  short: Record<string, number>
}

export function monthNames(): MonthNames {
  const names: MonthNames = { long: {}, short: {} }
  // Beside a day, some languages have another form.
  for (const language of LANGUAGES)
    for (const month of ['long', 'short'] as const)
      for (const day of ['numeric', undefined] as const) {
        const format = new Intl.DateTimeFormat(language, { year: 'numeric', month, day, timeZone: 'UTC' })
        const found = language === 'en' ? names.long : names[month]
        for (let at = 0; at < 12; at++) {
          const parts = format.formatToParts(Date.UTC(2001, at, 2))
          const { value = '' } = parts.find(({ type }) => type === 'month') ?? {}
          const name = value.toLowerCase().replace(/\.$/, '')
          if (/^\p{L}{3,}$/u.test(name)) found[name] ??= at + 1
        }
      }
  names.long.sept = 9
  return names
}
