/** The most characters that wait for a slow reader: about 10,000 requests. */
const MOST_WAITING = 4 * 2 ** 20

/** Drops lines if too much waits for a slow reader. `onDropped` gets their number before the next line is written. */
export function createLogWriter(
  stream: { write(text: string, done: () => void): unknown },
  onDropped: (lines: number) => void,
  mostWaiting = MOST_WAITING,
): (lines: string) => void {
  let waiting = 0
  let dropped = 0
  return (lines) => {
    if (waiting >= mostWaiting) {
      dropped += lines.split('\n').length
      return
    }
    if (dropped > 0) onDropped(dropped)
    dropped = 0
    waiting += lines.length
    stream.write(`${lines}\n`, () => {
      waiting -= lines.length
    })
  }
}
