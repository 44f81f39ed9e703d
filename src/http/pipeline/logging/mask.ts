import type { Config } from '../../../config/config.ts'

/** A text that a client sent, as the access log shows it. */
export type Mask = (text: string) => string

const HIDDEN = '…'

/** What API keys begin with. */
const KEY = 'clk_'

/** Shorter forms would be found in ordinary words. */
const MIN_FORM = 4

/** So much of a text is looked at, and so much is shown. */
const MAX_READ = 2_048
const MAX_SHOWN = 512

/** How often escapes are decoded. A text that still has some then is hidden. */
const MAX_DECODINGS = 8

/**
 * Cuts a long text and hides each word with an API key or the site's password in it: as it is, escaped once or several times,
 * and in base64. Everything else is shown. A password of less than four characters is hidden only after its user and a colon.
 */
export function createMask(gate: Config['gate']): Mask {
  const forms = [KEY, ...(gate ? [secretOf(gate)] : [])].flatMap(formsOf)
  const hide = (text: string): string => {
    const found = forms.filter((form) => text.includes(form))
    if (found.length === 0) return text
    const marked = found.reduce((marked, form) => marked.replaceAll(form, HIDDEN), text)
    return marked
      .split(/([/\s])/)
      .map((word) => (word.includes(HIDDEN) ? HIDDEN : word))
      .join('')
  }

  return (text) => {
    let shown = hide(text.slice(0, MAX_READ))
    let inner = shown
    for (let decodings = 0; ESCAPES.test(inner); decodings++) {
      if (decodings === MAX_DECODINGS) return HIDDEN
      const decoded = inner.replaceAll(ALL_ESCAPES, unescaped)
      inner = hide(decoded)
      if (inner !== decoded) shown = inner
    }
    return shown.length > MAX_SHOWN ? shown.slice(0, MAX_SHOWN) + HIDDEN : shown
  }
}

const secretOf = ({ user, password }: { user: string; password: string }): string =>
  password.length < MIN_FORM ? `${user}:${password}` : password

/**
 * A secret as it is, and its bytes in UTF-8 and in Latin-1: one character each, as headers arrive, and as they always are in
 * base64, wherever they begin there.
 */
function formsOf(secret: string): string[] {
  const latin1 = Buffer.from(secret, 'latin1')
  const encoded = [Buffer.from(secret), ...(latin1.toString('latin1') === secret ? [latin1] : [])]
  const forms = encoded.flatMap((bytes) => [
    bytes.toString('latin1'),
    ...[0, 1, 2].flatMap((skipped) => inBase64(bytes, skipped)),
  ])
  return [...new Set([secret, ...forms])].filter((form) => form.length >= MIN_FORM)
}

function inBase64(bytes: Buffer, skipped: number): string[] {
  const [start, end] = [Math.ceil((skipped * 8) / 6), Math.floor(((skipped + bytes.length) * 8) / 6)]
  const shifted = Buffer.concat([Buffer.alloc(skipped), bytes])
  return (['base64', 'base64url'] as const).map((encoding) => shifted.toString(encoding).slice(start, end))
}

const ESCAPES = /%[\da-f]{2}/i
const ALL_ESCAPES = /(?:%[\da-f]{2})+/gi

/** One character for each byte: which encoding a client uses is not known. */
const unescaped = (escapes: string): string =>
  Buffer.from(escapes.replaceAll('%', ''), 'hex').toString('latin1')
