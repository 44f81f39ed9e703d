/** A secret key of 128 bits, as four words. */
export type SipKey = Int32Array

export const newSipKey = (): SipKey => crypto.getRandomValues(new Int32Array(4))

/**
 * SipHash-1-3 of three words (12 bytes, little-endian), written to `result`, low word first. Without the key, its
 * values cannot be predicted. JavaScript has no fast 64-bit integers, so each variable is two of 32 bits.
 */
export function sipHash(
  key: SipKey,
  first: number,
  second: number,
  third: number,
  result: Int32Array | Uint32Array,
): void {
  const k0 = key[0] as number
  const k1 = key[1] as number
  const k2 = key[2] as number
  const k3 = key[3] as number
  let v0Low = k0 ^ 0x70736575
  let v0High = k1 ^ 0x736f6d65
  let v1Low = k2 ^ 0x6e646f6d
  let v1High = k3 ^ 0x646f7261
  let v2Low = k0 ^ 0x6e657261
  let v2High = k1 ^ 0x6c796765
  let v3Low = k2 ^ 0x79746573 ^ first
  let v3High = k3 ^ 0x74656462 ^ second
  for (let round = 0; round < 5; round++) {
    if (round === 1) {
      v0Low ^= first
      v0High ^= second
      v3Low ^= third
      v3High ^= LENGTH
    } else if (round === 2) {
      v0Low ^= third
      v0High ^= LENGTH
      v2Low ^= 0xff
    }
    // v0 += v1; v1 = rotate(v1, 13) ^ v0; v0 = rotate(v0, 32)
    let low = (v0Low + v1Low) | 0
    let high = (v0High + v1High + carry(v0Low, v1Low, low)) | 0
    let rotated = (v1Low << 13) | (v1High >>> 19)
    v1High = ((v1High << 13) | (v1Low >>> 19)) ^ high
    v1Low = rotated ^ low
    v0Low = high
    v0High = low
    // v2 += v3; v3 = rotate(v3, 16) ^ v2
    low = (v2Low + v3Low) | 0
    v2High = (v2High + v3High + carry(v2Low, v3Low, low)) | 0
    v2Low = low
    rotated = (v3Low << 16) | (v3High >>> 16)
    v3High = ((v3High << 16) | (v3Low >>> 16)) ^ v2High
    v3Low = rotated ^ v2Low
    // v0 += v3; v3 = rotate(v3, 21) ^ v0
    low = (v0Low + v3Low) | 0
    v0High = (v0High + v3High + carry(v0Low, v3Low, low)) | 0
    v0Low = low
    rotated = (v3Low << 21) | (v3High >>> 11)
    v3High = ((v3High << 21) | (v3Low >>> 11)) ^ v0High
    v3Low = rotated ^ v0Low
    // v2 += v1; v1 = rotate(v1, 17) ^ v2; v2 = rotate(v2, 32)
    low = (v2Low + v1Low) | 0
    high = (v2High + v1High + carry(v2Low, v1Low, low)) | 0
    rotated = (v1Low << 17) | (v1High >>> 15)
    v1High = ((v1High << 17) | (v1Low >>> 15)) ^ high
    v1Low = rotated ^ low
    v2Low = high
    v2High = low
  }
  result[0] = v0Low ^ v1Low ^ v2Low ^ v3Low
  result[1] = v0High ^ v1High ^ v2High ^ v3High
}

/** The length of the message, in the highest byte of its last block. */
const LENGTH = 12 << 24

/** The carry of a sum. Comparing unsigned words would take twice the time. */
const carry = (a: number, b: number, sum: number): number => ((a & b) | ((a | b) & ~sum)) >>> 31
