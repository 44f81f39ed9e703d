/** Timers of this process that end when a test says so, so that it does not depend on the speed of the machine. */
export interface HeldTimers extends Disposable {
  /** How many have begun, and have neither ended nor been cleared. */
  count(): number
  /** Ends those that run now. */
  end(): void
}

/** Holds every `setTimeout` of exactly so many milliseconds. */
export function holdTimers(...held: number[]): HeldTimers {
  const { setTimeout: set, clearTimeout: clear } = globalThis
  const running = new Map<unknown, () => void>()
  const replaced = (run: (...given: unknown[]) => void, ms = 0, ...given: unknown[]) => {
    if (!held.includes(ms)) return set(run, ms, ...given)
    // A timer of its own, as its users may call its methods.
    const timer = set(() => {}, 2 ** 31 - 1)
    timer.unref()
    running.set(timer, () => run(...given))
    return timer
  }
  globalThis.setTimeout = Object.assign(replaced, set) as typeof setTimeout
  globalThis.clearTimeout = ((timer?: Timer) => {
    running.delete(timer)
    clear(timer)
  }) as typeof clearTimeout
  return {
    count: () => running.size,
    end: () => {
      for (const [timer, run] of [...running]) {
        globalThis.clearTimeout(timer as Timer)
        run()
      }
    },
    [Symbol.dispose]: () => {
      Object.assign(globalThis, { setTimeout: set, clearTimeout: clear })
    },
  }
}

/** Holds every `AbortSignal.timeout` of exactly so many milliseconds. */
export function holdTimeouts(...held: number[]): HeldTimers {
  const { timeout } = AbortSignal
  const running = new Set<AbortController>()
  AbortSignal.timeout = (ms) => {
    if (!held.includes(ms)) return timeout.call(AbortSignal, ms)
    const controller = new AbortController()
    running.add(controller)
    return controller.signal
  }
  return {
    count: () => running.size,
    end: () => {
      for (const each of running) each.abort(new DOMException('The operation timed out.', 'TimeoutError'))
      running.clear()
    },
    [Symbol.dispose]: () => {
      AbortSignal.timeout = timeout
    },
  }
}
