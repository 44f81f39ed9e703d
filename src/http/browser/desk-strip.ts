import { counted } from './desk-days.ts'

/** The pictures that a text shows: each with its description, and a way to take it out. Their addresses are quiet. */

interface Editor {
  form: HTMLFormElement
  text: HTMLTextAreaElement
  /** As if it was typed, but focus and selection stay. */
  swap(from: number, to: number, words: string): void
}

const PICTURE = /!\[((?:\\.|[^\]\\])*)\]\(((pictures\/)[0-9a-f]{32}-\d+x\d+\.webp|https:\/\/[^\s()<>]+)\)/g

/** Of longer texts, each key would take too long. */
const LONGEST = 50_000

export interface Strip {
  show(): void
  /** To the description of the picture that was just placed. */
  describe(address: string): void
}

export function showPictures({ form, text, swap }: Editor): Strip {
  const find = <E extends HTMLElement>(selector: string) => form.querySelector<E>(selector) as E
  const strip = find('[data-strip]')
  const ink = find('[data-ink]')
  const list = find('[data-strip] ul')
  const item = list.firstElementChild as HTMLElement
  const { one = '', all = '' } = strip.dataset
  let shown = ''
  const found = () => (text.value.length > LONGEST ? [] : [...text.value.matchAll(PICTURE)])
  item.remove()
  text.addEventListener('scroll', follow)
  // Where the focus goes is settled only then.
  list.addEventListener('change', ({ target }) => setTimeout(() => write(target as HTMLTextAreaElement)))
  list.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || event.isComposing) return
    event.preventDefault()
    text.focus()
  })
  list.addEventListener('click', ({ target }) => {
    const button = (target as Element).closest('button')
    if (button) takeOut(indexOf(button))
  })

  const indexOf = (inside: Element): number => [...list.children].indexOf(inside.closest('li') as Element)

  function follow(): void {
    ink.scrollTop = text.scrollTop
  }

  function show(): void {
    const pictures = found()
    quieten(pictures)
    const now = JSON.stringify(pictures.map(([whole]) => whole))
    if (now === shown) return
    shown = now
    strip.hidden = pictures.length === 0
    const bare = pictures.filter(([, alt]) => !alt?.trim()).length
    const [about, missing] = strip.querySelectorAll('[data-strip] > p > *')
    if (about) about.textContent = counted(all, pictures.length)
    if (missing) missing.textContent = bare ? counted(one, bare) : ''
    while (list.children.length > pictures.length) list.lastElementChild?.remove()
    for (const [at, [, alt = '', address = '', own]] of pictures.entries()) {
      const entry = list.children[at] ?? list.appendChild(item.cloneNode(true))
      const [image, words, shut] = (entry as Element).querySelectorAll<HTMLElement>('img, textarea, button')
      const src = own ? (form.dataset.pictures ?? '') + address.slice(own.length) : address
      if (image?.getAttribute('src') !== src) image?.setAttribute('src', src)
      const plain = alt.replace(/\\(.)/g, '$1')
      if (words instanceof HTMLTextAreaElement && words.value !== plain) words.value = plain
      words?.setAttribute('aria-label', (words.dataset.about ?? '').replace('{number}', `${at + 1}`))
      shut?.setAttribute('aria-label', (shut.dataset.about ?? '').replace('{number}', `${at + 1}`))
      ;(entry as Element).classList.toggle('warning', plain.trim() === '')
    }
  }

  /** The same text over that of the field, seen only where an address is. */
  function quieten(pictures: RegExpMatchArray[]): void {
    const parts: (string | Node)[] = []
    let at = 0
    for (const { index = 0, 0: whole, 2: address = '' } of pictures) {
      const start = index + whole.length - address.length - 2
      const quiet = document.createElement('span')
      quiet.textContent = `(${address})`
      parts.push(text.value.slice(at, start), quiet)
      at = index + whole.length
    }
    // What ends with a line end is one line higher.
    ink.replaceChildren(...parts, `${text.value.slice(at)}\n`)
    follow()
  }

  function write(words: HTMLTextAreaElement): void {
    const picture = found()[indexOf(words)]
    if (!picture) return
    const { index = 0, 0: whole, 2: address } = picture
    const alt = words.value.replace(/\s+/g, ' ').trim()
    const other = `![${alt.replace(/[\\[\]]/g, '\\$&')}](${address})`
    if (other !== whole) swap(index, index + whole.length, other)
  }

  function takeOut(at: number): void {
    const picture = found()[at]
    if (!picture) return
    const { index = 0, 0: whole } = picture
    const rest = text.value.slice(index + whole.length)
    swap(index, index + whole.length + (/^\n*/.exec(rest)?.[0].length ?? 0), '')
    text.focus()
  }

  return {
    show,
    describe: (address) => {
      show()
      const at = found().findLastIndex(([, , each]) => each === address)
      const words = list.children[at]?.querySelector('textarea')
      words?.focus()
      words?.select()
    },
  }
}
