import type { Config } from '../../config/config.ts'

/** Masks secrets in a text that a client sent. */
export type Mask = (text: string) => string

const HIDDEN = '…'

const KEY = 'clk_'

/** Shorter secrets would match ordinary words. */
const MIN_FORM = 4

/** The length that is checked, and that is shown. */
const MAX_READ = 2_048
const MAX_SHOWN = 512

/** The most rounds of decoding. A text with escapes left is hidden. */
const MAX_DECODINGS = 8

/**
 * Cuts a long text and hides words with an API key or the site's password: plain, escaped once or several times, or in
 * base64. A password of less than four characters is hidden only after its user and a colon.
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
 * A secret, and its bytes in UTF-8 and Latin-1: one character each, as headers arrive, and the invariant part of their
 * base64, at any offset.
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

/** One character per byte: the client's encoding is not known. */
const unescaped = (escapes: string): string =>
  Buffer.from(escapes.replaceAll('%', ''), 'hex').toString('latin1')
