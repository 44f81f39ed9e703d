import { battery, nodes } from './battery/battery.ts'
import { bench } from './bench/bench.ts'
import { commands } from './commands/commands.ts'
import { corpus } from './corpus/corpus.ts'
import { draws } from './corpus/draws.ts'
import { marks } from './marks.ts'
import { mutation } from './mutation/mutation.ts'
import type { Proof } from './proof.ts'
import { properties } from './properties.ts'

/** Every proof, in the order in which `bun run proof --quick` runs them. */
export const PROOFS: readonly Proof[] = [
  battery,
  nodes,
  mutation,
  properties,
  marks,
  corpus,
  draws,
  bench,
  commands,
]
