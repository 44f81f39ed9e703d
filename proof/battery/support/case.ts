/** One promise, as it was tested: a line of the table. */
export interface Row {
  promise: string
  tried: number
  failed: number
  /** What was measured, in words. */
  figure: string
  /** What the first failures looked like. */
  failures: readonly string[]
  /** Why it was not tested. */
  leftOut?: string
}

export interface Effort {
  /** One of two values: that of the whole run, or that of the short form. */
  of<T>(whole: T, quick: T): T
  /** How long a case goes on that can: 0 unless it is given. */
  readonly minutes: number
}

export interface Case {
  name: string
  /** How the promises are tested, for operators: one or two sentences. */
  how: string
  run(effort: Effort): Promise<Row[]>
}

const MAX_FAILURES = 5
const MAX_DETAIL = 300

/** Counts how often a promise was tried and how often it was broken. */
export class Tally {
  tried = 0
  failed = 0
  private readonly failures: string[] = []

  constructor(private readonly promise: string) {}

  /** `detail` tells what a failure looked like. */
  count(kept: boolean, detail: () => string): void {
    this.tried++
    if (kept) return
    this.failed++
    if (this.failures.length < MAX_FAILURES) this.failures.push(detail().slice(0, MAX_DETAIL))
  }

  row(figure: string): Row {
    const { promise, tried, failed, failures } = this
    // A promise that was never tried is not kept.
    return tried === 0
      ? { promise, tried, failed: 1, figure, failures: ['never tried'] }
      : { promise, tried, failed, figure, failures }
  }

  leftOut(reason: string): Row {
    return { promise: this.promise, tried: 0, failed: 0, figure: '', failures: [], leftOut: reason }
  }
}
