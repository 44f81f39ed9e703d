/**
 * Finds where JSON values end without reading them, so that a large file can be cut into pieces for
 * `JSON.parse`. It checks no more of a value than its brackets and quotes; the parser does the rest.
 */
export class JsonScan {
  #depth = 0
  #inString = false
  #inScalar = false
  #at = 0

  /** Begins a value at `start`. */
  begin(start: number): void {
    this.#at = start
    this.#depth = 0
    this.#inString = false
    this.#inScalar = false
  }

  /**
   * Goes on until the value ends or the bytes do. The offset behind the value, or -1 when more bytes are
   * needed; `final` says that there are none, which ends a number at the end of a file.
   */
  end(bytes: Uint8Array, limit: number, final = false): number {
    let at = this.#at
    let depth = this.#depth
    let inString = this.#inString
    if (this.#inScalar) return this.#scalarEnd(bytes, at, limit, final)
    while (at < limit) {
      const byte = bytes[at] as number
      if (inString) {
        if (byte === QUOTE) {
          inString = false
          if (depth === 0) return at + 1
        } else if (byte === BACKSLASH) {
          // the escaped byte may be in the next chunk; then the scan resumes at the backslash
          if (at + 1 >= limit) break
          at++
        }
      } else if (byte === QUOTE) inString = true
      else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) depth++
      else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) {
        depth--
        if (depth <= 0) return at + depth + 1
      } else if (depth === 0) {
        this.#inScalar = true
        return this.#scalarEnd(bytes, at, limit, final)
      }
      at++
    }
    this.#at = at
    this.#depth = depth
    this.#inString = inString
    return -1
  }

  /** Tells the scan that the bytes it has seen were moved towards the front. */
  shift(by: number): void {
    this.#at -= by
  }

  #scalarEnd(bytes: Uint8Array, from: number, limit: number, final: boolean): number {
    let at = from
    while (at < limit && !endsScalar(bytes[at] as number)) at++
    this.#at = at
    return at < limit || final ? at : -1
  }
}

export const QUOTE = 0x22
export const COMMA = 0x2c
export const COLON = 0x3a
export const OPEN_ARRAY = 0x5b
export const CLOSE_ARRAY = 0x5d
export const OPEN_OBJECT = 0x7b
export const CLOSE_OBJECT = 0x7d
const BACKSLASH = 0x5c

export function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09
}

function endsScalar(byte: number): boolean {
  return isSpace(byte) || byte === COMMA || byte === CLOSE_ARRAY || byte === CLOSE_OBJECT || byte === COLON
}
