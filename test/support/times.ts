import { readdirSync, readFileSync } from 'node:fs'

/** What a test file took: of processors, together with all processes that it started, and of time. */
export interface Taken {
  file: string
  processorMs: number
  wallMs: number
}

/** The ticks of a processor are hundredths of a second, wherever Linux runs. */
const TICK_MS = 10

/** What a process and those below it have taken of processors, by `/proc`: also those that have ended and were waited for. */
export function processorMs(root: number): number {
  const below = new Map<number, { pid: number; ticks: number }[]>()
  let ticks = 0
  for (const name of readdirSync('/proc')) {
    const stat = /^\d+$/.test(name) ? statOf(Number(name)) : undefined
    if (stat?.pid === root) ticks += stat.ticks
    if (stat) below.set(stat.parent, [...(below.get(stat.parent) ?? []), stat])
  }
  const open = [...(below.get(root) ?? [])]
  for (let each = open.pop(); each; each = open.pop()) {
    ticks += each.ticks
    open.push(...(below.get(each.pid) ?? []))
  }
  return ticks * TICK_MS
}

function statOf(pid: number): { pid: number; parent: number; ticks: number } | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name before may have spaces and brackets.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const ticks = fields.slice(11, 15).reduce((sum, each) => sum + Number(each), 0)
    return { pid, parent: Number(fields[1]), ticks }
  } catch {
    // It has ended.
    return undefined
  }
}

/** Follows one process of tests, file by file. */
export function stopwatch(pid: number, files: Taken[]) {
  let at = performance.now()
  let before = 0
  return {
    /** Says that everything since the last call was this file's. */
    lap(file: string): void {
      const [now, after] = [performance.now(), processorMs(pid)]
      files.push({ file, processorMs: Math.max(0, after - before), wallMs: now - at })
      at = now
      before = Math.max(before, after)
    },
  }
}

const seconds = (ms: number): string => (ms / 1_000).toFixed(2).padStart(9)

/** A table of what took how long: the sum, rooms and files, the longest first. */
export function timesTable(files: readonly Taken[], roomOf: (file: string) => string): string {
  const rooms = [...Map.groupBy(files, ({ file }) => roomOf(file))].map(([room, own]) =>
    sum(`${room} (${own.length})`, own),
  )
  const rows = [[sum('all', files)], sorted(rooms), sorted(files)]
  const line = ({ processorMs, wallMs, file }: Taken) => `${seconds(processorMs)} ${seconds(wallMs)}  ${file}`
  return ['processor      wall', ...rows.map((each) => each.map(line).join('\n'))].join('\n\n')
}

const sum = (file: string, all: readonly Taken[]): Taken => ({
  file,
  processorMs: all.reduce((to, each) => to + each.processorMs, 0),
  wallMs: all.reduce((to, each) => to + each.wallMs, 0),
})

const sorted = (all: readonly Taken[]): Taken[] =>
  [...all].sort((one, other) => other.processorMs - one.processorMs)
