/**
 * Loaded into a server by BUN_OPTIONS: writes the processor time of every long turn of its event loop, in milliseconds, one a
 * line, to the file TURNS. Time in which other programs had the core does not count.
 */
import { dlopen } from 'bun:ffi'
import { appendFileSync } from 'node:fs'

const LONG_MS = 1
const THREAD_CLOCK = 3

const { clock_gettime } = dlopen('libc.so.6', {
  clock_gettime: { args: ['i32', 'ptr'], returns: 'i32' },
} as const).symbols
const time = new BigInt64Array(2)
const now = (): number => {
  clock_gettime(THREAD_CLOCK, time)
  return Number(time[0]) * 1e3 + Number(time[1]) / 1e6
}

let began = now()
const turn = () => {
  const took = now() - began
  if (took >= LONG_MS) appendFileSync(process.env.TURNS ?? '', `${took.toFixed(2)}\n`)
  began = now()
  setImmediate(turn)
}
setImmediate(turn)
