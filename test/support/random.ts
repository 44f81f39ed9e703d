/** Random numbers that can be repeated: mulberry32. */
export class Random {
  constructor(private state = Date.now() >>> 0) {}

  /** 0 up to, not including, 1. */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }

  /** A whole number from 0 up to, not including, `end`. */
  below(end: number): number {
    return Math.floor(this.next() * end)
  }

  pick<T>(values: readonly T[]): T {
    return values[this.below(values.length)] as T
  }

  shuffled<T>(values: readonly T[]): T[] {
    const keyed = values.map((value) => [this.next(), value] as const)
    return keyed.sort(([one], [other]) => one - other).map(([, value]) => value)
  }

  text(length: number, alphabet: string): string {
    return Array.from({ length }, () => alphabet[this.below(alphabet.length)]).join('')
  }

  bytes(length: number): Uint8Array {
    return Uint8Array.from({ length }, () => this.below(256))
  }
}
