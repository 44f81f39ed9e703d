/**
 * `pace PORT RATE SECONDS REQUEST-FILE BODY-BYTES`: sends requests at a fixed rate over 32 keep-alive
 * connections, whether or not the server keeps up, and prints the latencies in milliseconds.
 *
 * wrk cannot do this: it sends the next request when the last answer is in, so a server that stalls is asked
 * less while it stalls, and the stall counts once instead of for everybody who would have come meanwhile
 * (coordinated omission). Its `delay()` knows only whole milliseconds, where one connection must send every
 * half. Here each request has a moment at which it is due; it goes out then if a connection is free, else as
 * soon as one is, and its latency counts from the moment it was due. The process spins on its own core
 * instead of sleeping, so that no timer's granularity is in the figures.
 */
import type { Socket } from 'bun'

const CONNECTIONS = 32

const [portText, rateText, secondsText, requestFile = '', bodyText] = process.argv.slice(2)
const [port, rate, bodyBytes] = [Number(portText), Number(rateText), Number(bodyText)]
const total = Math.floor(rate * Number(secondsText))
const request = new Uint8Array(await Bun.file(requestFile).arrayBuffer())

interface Flight {
  due: number
  /** How many bytes of the answer are still to come; negative until its head has been read. */
  missing: number
}

const latencies = new Float64Array(total)
const free: Socket<Flight>[] = []
let sent = 0
let answered = 0

const socket = {
  data(connection: Socket<Flight>, chunk: Buffer) {
    const flight = connection.data
    if (flight.missing < 0) {
      if (chunk[9] !== 50) fail(`an answer was ${chunk.toString('latin1', 0, 15)}`)
      const head = chunk.indexOf('\r\n\r\n')
      if (head < 0) fail('the head of an answer came in pieces')
      flight.missing = head + 4 + bodyBytes - chunk.length
    } else flight.missing -= chunk.length
    if (flight.missing > 0) return
    flight.missing = -1
    latencies[answered++] = performance.now() - flight.due
    free.push(connection)
  },
  close() {
    if (answered < total) fail('the server closed a connection')
  },
}

for (let opened = 0; opened < CONNECTIONS; opened++)
  free.push(await Bun.connect<Flight>({ hostname: '127.0.0.1', port, data: { due: 0, missing: -1 }, socket }))

const began = performance.now()
send()

function send(): void {
  const due = Math.min(total, ((performance.now() - began) * rate) / 1000)
  while (sent < due) {
    const connection = free.pop()
    if (!connection) break
    connection.data.due = began + (sent++ * 1000) / rate
    connection.write(request)
  }
  if (answered < total) setImmediate(send)
  else report()
}

function report(): never {
  const seconds = (performance.now() - began) / 1000
  latencies.sort()
  const at = (share: number) => latencies[Math.min(total - 1, Math.floor(total * share))]
  console.log(JSON.stringify({ rate: total / seconds, p50: at(0.5), p99: at(0.99), p999: at(0.999) }))
  process.exit(0)
}

function fail(reason: string): never {
  console.error(`pace: ${reason}`)
  process.exit(1)
}
