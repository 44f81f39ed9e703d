import type { Dataset, SHAPES } from '../data.ts'
import type { RowResult } from '../figures.ts'
import type { Effort } from '../measure.ts'
import type { Cores } from '../processes.ts'

/** What a row needs to be measured. */
export interface Bench {
  cores: Cores
  effort: Effort
  /** The database of that shape, made when it is first asked for. */
  data(shape: keyof typeof SHAPES): Dataset
}

/** One row of the table of targets. */
export interface Row {
  name: string
  title: string
  measure(bench: Bench): Promise<Omit<RowResult, 'title'>>
}
