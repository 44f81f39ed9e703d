/** The page before publishing says how many are told, and pages after it when a message goes out. */
export function countTold(root: ParentNode): void {
  const ticks = root.querySelectorAll<HTMLInputElement>('.told [type=checkbox]')
  const words = [...root.querySelectorAll<HTMLElement>('[data-told]')].map((element) => ({
    element,
    alone: element.textContent,
  }))
  const say = () => {
    const count = [...ticks].filter(({ checked }) => checked).length
    for (const { element, alone } of words)
      element.textContent = count === 0 ? alone : (element.dataset.told ?? '').replace('{count}', `${count}`)
  }
  for (const tick of ticks) tick.addEventListener('change', say)
  say()
}

const SECOND_MS = 1_000
const MINUTE_MS = 60 * SECOND_MS
/** Until a message has gone out: the page shows then what came of it. */
const LATER_MS = 5 * SECOND_MS

export function countDown(root: ParentNode): void {
  const times = [...root.querySelectorAll<HTMLTimeElement>('time[data-until]')]
  if (times.length === 0) return
  const { lang } = document.documentElement
  const words = new Intl.RelativeTimeFormat(lang, { numeric: 'auto' })
  const say = () => {
    for (const time of times) {
      const left = Date.parse(time.dateTime) - Date.now()
      if (left < -LATER_MS && left > -LATER_MS - SECOND_MS) location.reload()
      if (left > 0 && left < 60 * MINUTE_MS)
        time.textContent =
          left < MINUTE_MS
            ? words.format(Math.ceil(left / SECOND_MS), 'second')
            : words.format(Math.ceil(left / MINUTE_MS), 'minute')
    }
  }
  say()
  setInterval(say, SECOND_MS)
}
