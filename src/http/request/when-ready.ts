/** Calls `next` synchronously unless `value` is a promise: Bun drops requests that are pipelined behind a promise. */
export const whenReady = <Value, Next>(
  value: Value | Promise<Value>,
  next: (value: Value) => Next | Promise<Next>,
): Next | Promise<Next> => (value instanceof Promise ? value.then(next) : next(value))
