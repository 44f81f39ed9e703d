/** Lets each route's form send its request, and shows code for it. Credentials are kept nowhere. */

type Language = 'curl' | 'JavaScript' | 'Python'

interface Call {
  path: string
  headers: Record<string, string>
}

/** Longer bodies are cut: a browser takes seconds to lay out megabytes of text. */
const MAX_SHOWN = 100_000

/** Replaces the key in the code, so that copying it does not leak the key. */
const KEY_VARIABLE = 'CHANGELOGD_KEY'

const SAMPLES: Record<Language, (url: string, headers: Record<string, string>) => string> = {
  curl: (url, headers) =>
    [
      `curl ${quoted(url)}`,
      ...Object.entries(headers).map(([name, value]) =>
        value.includes('$') ? `-H "${name}: ${value}"` : `-H ${quoted(`${name}: ${value}`)}`,
      ),
    ].join(' \\\n  '),
  JavaScript: (url, headers) => {
    const options = Object.keys(headers).length === 0 ? '' : `, { headers: ${code(headers, 'process.env.')} }`
    return `const response = await fetch(${JSON.stringify(url)}${options})\nconsole.log(await response.json())`
  },
  Python: (url, headers) => {
    const options = Object.keys(headers).length === 0 ? '' : `, headers=${code(headers, 'os.environ')}`
    const modules = options.includes('os.') ? 'json, os, urllib.request' : 'json, urllib.request'
    return `import ${modules}\nrequest = urllib.request.Request(${JSON.stringify(url)}${options})\nprint(json.load(urllib.request.urlopen(request)))`
  },
}

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** Headers in JavaScript or Python, with the key from the environment. */
function code(headers: Record<string, string>, environment: 'process.env.' | 'os.environ'): string {
  const variable = environment === 'os.environ' ? `os.environ["${KEY_VARIABLE}"]` : environment + KEY_VARIABLE
  const fields = Object.entries(headers).map(
    ([name, value]) =>
      `${JSON.stringify(name)}: ${JSON.stringify(value).replace(`$${KEY_VARIABLE}"`, `" + ${variable}`)}`,
  )
  return `{ ${fields.join(', ')} }`
}

let language: Language = 'curl'

const typed = (id: string): string =>
  (document.getElementById(id) as HTMLInputElement | null)?.value.trim() ?? ''

/** The request of a form; in code, a variable replaces the key. */
function callOf(form: HTMLFormElement, inCode: boolean): Call {
  let path = form.dataset.path ?? ''
  const query = new URLSearchParams()
  const headers: Record<string, string> = {}
  for (const { name, value, dataset } of form.querySelectorAll<HTMLInputElement>('input[data-in]')) {
    if (dataset.in === 'path') path = path.replace(`{${name}}`, encodeURIComponent(value))
    else if (value !== '' && dataset.in === 'query') query.set(name, value)
    else if (value !== '') headers[name] = value
  }
  if ('keyed' in form.dataset) headers.Authorization = `Bearer ${inCode ? `$${KEY_VARIABLE}` : typed('key')}`
  const user = typed('user')
  if (user !== '' && !inCode) {
    const bytes = new TextEncoder().encode(`${user}:${typed('password')}`)
    headers['X-Site-Authorization'] = `Basic ${btoa(String.fromCharCode(...bytes))}`
  }
  return { path: query.size > 0 ? `${path}?${query}` : path, headers }
}

const part = (form: Element, name: string): HTMLElement => form.querySelector(`.${name}`) as HTMLElement

function showCode(form: HTMLFormElement): void {
  const { path, headers } = callOf(form, true)
  const server = document.body.dataset.server ?? '/'
  const url = (server === '/' ? location.origin : server) + path
  part(form, 'sample').textContent = SAMPLES[language](url, headers)
  for (const button of form.querySelectorAll('.languages button'))
    button.setAttribute('aria-pressed', String(button.textContent === language))
}

async function send(form: HTMLFormElement): Promise<void> {
  const status = part(form, 'status')
  const result = part(form, 'result')
  status.textContent = 'Sending…'
  const { path, headers } = callOf(form, false)
  try {
    const response = await fetch(path, { headers, cache: 'no-store' })
    const text = await response.text()
    const fields = [...response.headers].map(([name, value]) => `${name}: ${value}`)
    part(form, 'head').textContent = [`${response.status} ${response.statusText}`, ...fields].join('\n')
    const body = part(form, 'body')
    body.textContent = indented(text)
    body.hidden = text === ''
    result.hidden = false
    status.textContent = `Response: ${response.status} ${response.statusText}`
  } catch (error) {
    result.hidden = true
    status.textContent = `The request failed: ${error instanceof Error ? error.message : error}`
  }
}

function indented(text: string): string {
  let shown = text
  try {
    shown = JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    // Shown as it came.
  }
  return shown.length > MAX_SHOWN ? `${shown.slice(0, MAX_SHOWN)}\n…` : shown
}

const forms = [...document.querySelectorAll('form')]
for (const form of forms) {
  for (const name of Object.keys(SAMPLES) as Language[]) {
    const button = document.createElement('button')
    button.type = 'button'
    button.textContent = name
    button.addEventListener('click', () => {
      language = name
      forms.forEach(showCode)
    })
    part(form, 'languages').append(button)
  }
  form.addEventListener('input', () => showCode(form))
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    void send(form)
  })
  part(form, 'try').hidden = false
  showCode(form)
}
