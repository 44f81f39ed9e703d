import { readdirSync, readFileSync } from 'node:fs'
import { cFunctions } from '../../src/files/c-library.ts'

export const MEBIBYTE = 2 ** 20

/** What a server may take beside what it takes when idle and what its cache may hold: docs/reference/limits.md promises it. */
export const SPARE_MIB = 112

/** The memory a process has in use, in bytes, the pages of its program included. */
export const residentBytes = (pid: number): number => statusBytes(pid, 'VmRSS')

export const mebibytes = (pid: number): number => Math.round(residentBytes(pid) / MEBIBYTE)

/** The most memory that it has had in use so far. */
export const peakBytes = (pid: number): number => statusBytes(pid, 'VmHWM')

function statusBytes(pid: number, field: string): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1]) * 1024
}

/** The processor time that a process and its children have used, in seconds. */
export function processorSeconds(pid: number): number {
  const TICKS_PER_SECOND = 100
  let ticks = 0
  for (const id of [pid, ...childrenOf(pid)]) {
    // The program's name stands in parentheses and may hold anything: the fields are counted after it.
    const fields = readFileSync(`/proc/${id}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
    ticks += Number(fields[11]) + Number(fields[12])
  }
  return ticks / TICKS_PER_SECOND
}

/** The processor time of all threads of a process, those that have ended too, in milliseconds: more exact than ticks. */
export function processorMilliseconds(pid: number): number {
  const time = new BigInt64Array(2)
  // The clock of a process, as clock_getcpuclockid() makes it.
  const clock = (~pid << 3) | 2
  if (c?.clock_gettime(clock, time) !== 0) throw new Error(`There is no process ${pid}.`)
  return Number(time[0]) * 1e3 + Number(time[1]) / 1e6
}

const c = cFunctions({ clock_gettime: { args: ['i32', 'ptr'], returns: 'i32' } })

function childrenOf(pid: number): number[] {
  return readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number),
  )
}
