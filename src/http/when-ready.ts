/**
 * What follows from a value, at once if it is there: Bun drops requests that are pipelined behind one whose response is a
 * promise.
 */
export const whenReady = <Value, Next>(
  value: Value | Promise<Value>,
  next: (value: Value) => Next | Promise<Next>,
): Next | Promise<Next> => (value instanceof Promise ? value.then(next) : next(value))
