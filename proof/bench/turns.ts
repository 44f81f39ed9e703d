import type { Candidate } from './candidates.ts'
import type { Answer, Ask } from './client.ts'
import { type Figure, figure } from './figures.ts'
import { type Throughput, throughput } from './measure.ts'
import type { Bench } from './rows/row.ts'

/** How several candidates are measured: in turns. */

/** The rate of each candidate that answers this request with this answer. */
export async function rates(
  bench: Bench,
  ask: Ask,
  answer: Answer,
  candidates: Candidate[],
): Promise<Figure[]> {
  const { cores, effort } = bench
  const samples = await interleave(
    bench,
    candidates.map((candidate) => ({
      name: candidate.name,
      measure: () => throughput(candidate, cores, effort, ask, answer),
    })),
  )
  return rateFigures(samples)
}

/** Lets the contestants take turns, each round beginning with another one, and gives their samples in order. */
export async function interleave<T>(
  { effort }: Bench,
  contestants: { name: string; measure(): Promise<T> }[],
  rounds = effort.rounds,
): Promise<Map<string, T[]>> {
  const samples = new Map<string, T[]>(contestants.map(({ name }) => [name, []]))
  for (let round = 0; round < rounds; round++)
    for (let turn = 0; turn < contestants.length; turn++) {
      const contestant = contestants[(round + turn) % contestants.length]
      if (!contestant) continue
      progress(`  round ${round + 1} of ${rounds}: ${contestant.name}`)
      samples.get(contestant.name)?.push(await contestant.measure())
    }
  progress('')
  return samples
}

/** One line that overwrites itself, for whoever is watching. */
function progress(line: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${line}`)
}

/** The processor time of a request as figures of their own, which can be compared. */
export const processorFigures = (samples: Map<string, Throughput[]>): Figure[] =>
  [...samples].map(([name, runs]) =>
    figure(
      `${name}, CPU of a request`,
      'µs',
      runs.map(({ processor }) => processor),
    ),
  )

export const rateFigures = (samples: Map<string, Throughput[]>): Figure[] =>
  [...samples].map(([name, runs]) =>
    figure(
      name,
      'requests/s',
      runs.map(({ rate }) => rate),
      runs.map(({ processor }) => processor),
    ),
  )
