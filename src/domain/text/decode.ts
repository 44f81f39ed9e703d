const UTF_8 = new TextDecoder('utf-8', { fatal: true })
const WINDOWS_1252 = new TextDecoder('windows-1252')
const NEWLINE = 0x0a

export interface Decoded {
  text: string
  /** The lines, from 1, that are not UTF-8 and were read as Windows-1252. */
  others: readonly number[]
}

/** Reads bytes as UTF-8. In a file that people wrote over years, only a few lines may be in an older encoding. */
export function decode(bytes: Uint8Array): Decoded {
  const whole = inUtf8(bytes)
  if (whole !== null) return { text: whole, others: [] }
  const lines: string[] = []
  const others: number[] = []
  for (let at = 0; at < bytes.length; ) {
    const end = bytes.indexOf(NEWLINE, at) + 1 || bytes.length
    const own = bytes.subarray(at, end)
    const line = inUtf8(own)
    lines.push(line ?? WINDOWS_1252.decode(own))
    if (line === null) others.push(lines.length)
    at = end
  }
  return { text: lines.join(''), others }
}

function inUtf8(bytes: Uint8Array): string | null {
  try {
    return UTF_8.decode(bytes)
  } catch {
    return null
  }
}
