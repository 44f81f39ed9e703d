/** Pictures that are pasted, dropped or chosen in the editor: sent one after the other, and placed where the caret is. */

interface Editor {
  form: HTMLFormElement
  text: HTMLTextAreaElement
  /** As if it was typed. */
  insert(from: number, to: number, words: string, select: [number, number]): void
  /** The same, but focus and selection stay. */
  swap(from: number, to: number, words: string): void
  /** Asks what the placed picture shows. */
  describe(address: string): void
}

/** Takes files as if they were chosen. */
export type TakeFiles = (files: Iterable<File>) => void

const MOST_BYTES = 10_000_000

export function takePictures({ form, text, insert, swap: swapPart, describe }: Editor): TakeFiles {
  const find = <E extends HTMLElement>(selector: string) => form.querySelector<E>(selector) as E
  const input = find<HTMLInputElement>('[name=picture]')
  const [sending, refused] = ['sending', 'refused'].map((name) => find(`[data-${name}]`))
  if (!sending || !refused) return () => {}
  const number = new Intl.NumberFormat(document.documentElement.lang, { maximumFractionDigits: 1 })
  const waiting: File[] = []
  let request: XMLHttpRequest | null = null
  /** A submit that waits for the last upload. */
  let submitter: HTMLElement | null = null

  input.addEventListener('change', () => {
    take(input.files)
    // Otherwise the form would send it too.
    input.value = ''
  })
  text.addEventListener('paste', (event) => {
    const { files, types } = event.clipboardData ?? new DataTransfer()
    if (event.defaultPrevented || files.length === 0 || types.includes('text/plain')) return
    event.preventDefault()
    take(files)
  })
  form.addEventListener('dragover', (event) => {
    if (event.dataTransfer?.types.includes('Files')) event.preventDefault()
  })
  form.addEventListener('drop', (event) => {
    if (!event.dataTransfer?.files.length) return
    event.preventDefault()
    take(event.dataTransfer.files)
  })
  form.addEventListener('submit', (event) => {
    if (!request) return
    event.preventDefault()
    submitter = event.submitter
  })
  find('[data-sending] button').addEventListener('click', () => request?.abort())
  find('[data-refused] button').addEventListener('click', forget)

  return take

  function forget(): void {
    find('[data-refused]').hidden = true
    find('[data-refused] ul').replaceChildren()
  }

  function take(files: Iterable<File> | null): void {
    forget()
    for (const file of files ?? []) {
      const { large, kind } = refused?.dataset ?? {}
      if (!file.type.startsWith('image/')) refuse(file.name, `${file.name}: ${kind}`)
      else if (file.size > MOST_BYTES) refuse(file.name, `${file.name}: ${large}`)
      else waiting.push(file)
    }
    if (!request) next()
  }

  function next(): void {
    const file = waiting.shift()
    if (sending) sending.hidden = !file
    request = file ? send(file) : null
    if (!request && submitter) form.requestSubmit(submitter)
  }

  function send(file: File): XMLHttpRequest {
    const { name, size } = file
    const said = sending?.dataset.sending?.replace('{name}', name.replace(/[[\]\\]/g, ' '))
    const mark = `![${said}]()`
    place(mark)
    find('[data-sending] p').firstChild?.replaceWith(name)
    showOf(file)
    const asked = new XMLHttpRequest()
    asked.responseType = 'json'
    asked.upload.onprogress = ({ loaded, total }) => {
      find<HTMLProgressElement>('progress').value = loaded / total
      const sent = number.format((size * loaded) / total / 1e6)
      find('[data-sending] .quiet').textContent = `${sent} / ${number.format(size / 1e6)} MB`
    }
    asked.onload = () => {
      const { shown, address, problem } = (asked.response ?? {}) as Record<string, string>
      swap(mark, shown ?? '')
      if (shown && address) describe(address)
      else refuse(name, problem ?? `${name}: ${refused?.dataset.failed}`)
    }
    asked.onerror = () => {
      swap(mark, '')
      refuse(name, `${name}: ${refused?.dataset.failed}`)
    }
    asked.onabort = () => swap(mark, '')
    asked.onloadend = next
    asked.open('POST', `${form.action}/picture`)
    const body = new FormData()
    body.set('token', find<HTMLInputElement>('[name=token]').value)
    body.set('picture', file)
    asked.send(body)
    return asked
  }

  function showOf(file: File): void {
    const reader = new FileReader()
    reader.onload = () => {
      find<HTMLImageElement>('[data-sending] img').src = String(reader.result)
    }
    reader.readAsDataURL(file)
  }

  /** On lines of its own. */
  function place(mark: string): void {
    const { selectionStart: from, selectionEnd: to, value } = text
    const before = /(\n?)(\n?)$/.exec(value.slice(0, from)) ?? []
    const gap = value.slice(0, from).trim() === '' ? '' : before[2] ? '' : before[1] ? '\n' : '\n\n'
    const rest = /^\n/.test(value.slice(to)) ? '' : '\n\n'
    const words = gap + mark + rest
    insert(from, to, words, [words.length, words.length])
  }

  function swap(mark: string, other: string): void {
    const at = text.value.lastIndexOf(mark)
    if (at === -1) return
    const after = at + mark.length
    // With nothing in its place, its lines go too.
    const end = after + (other ? 0 : (/^\n*/.exec(text.value.slice(after))?.[0].length ?? 0))
    swapPart(at, end, other)
  }

  function refuse(name: string, problem: string): void {
    const item = document.createElement('li')
    item.textContent = problem
    if (problem.startsWith(`${name}:`)) {
      const strong = document.createElement('strong')
      strong.textContent = `${name}:`
      item.replaceChildren(strong, problem.slice(name.length + 1))
    }
    find('[data-refused] ul').append(item)
    if (refused) refused.hidden = false
  }
}
