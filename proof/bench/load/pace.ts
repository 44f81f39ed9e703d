/**
 * `pace PORT RATE SECONDS REQUEST-FILE BODY-BYTES [CROWD-RATE TEAMS PRODUCTS-PER-TEAM SEED]`: sends requests at a
 * fixed rate over 32 keep-alive connections, whether or not the server keeps up, and prints the latencies in
 * milliseconds. A crowd beside it reads products drawn at random, at a rate and on connections of its own.
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

const [portText, rateText, secondsText, requestFile = '', bodyText, ...crowdTexts] = process.argv.slice(2)
const [port, seconds] = [Number(portText), Number(secondsText)]

interface Flight {
  stream: Stream
  due: number
  /** How many bytes of the answer are still to come; negative until its head has been read. */
  missing: number
}

/** Requests at one rate. */
class Stream {
  readonly total: number
  readonly latencies: Float64Array
  readonly free: Socket<Flight>[] = []
  sent = 0
  answered = 0

  constructor(
    private readonly rate: number,
    private readonly nextRequest: () => string | Uint8Array,
    /** How long the body is of an answer with this head. */
    readonly bodyBytes: (head: Buffer) => number,
  ) {
    this.total = Math.floor(rate * seconds)
    this.latencies = new Float64Array(this.total)
  }

  async connect(): Promise<void> {
    for (let opened = 0; opened < CONNECTIONS; opened++) {
      const data = { stream: this as Stream, due: 0, missing: -1 }
      this.free.push(await Bun.connect<Flight>({ hostname: '127.0.0.1', port, data, socket }))
    }
  }

  /** Sends what is due by now, as far as connections are free. */
  send(began: number): void {
    const due = Math.min(this.total, ((performance.now() - began) * this.rate) / 1000)
    while (this.sent < due) {
      const connection = this.free.pop()
      if (!connection) break
      connection.data.due = began + (this.sent++ * 1000) / this.rate
      connection.write(this.nextRequest())
    }
  }

  at(share: number): number | undefined {
    return this.latencies[Math.min(this.total - 1, Math.floor(this.total * share))]
  }
}

const socket = {
  data(connection: Socket<Flight>, chunk: Buffer) {
    const flight = connection.data
    const { stream } = flight
    if (flight.missing < 0) {
      if (chunk[9] !== 50) fail(`an answer was ${chunk.toString('latin1', 0, 15)}`)
      const head = chunk.indexOf('\r\n\r\n')
      if (head < 0) fail('the head of an answer came in pieces')
      flight.missing = head + 4 + stream.bodyBytes(chunk.subarray(0, head)) - chunk.length
    } else flight.missing -= chunk.length
    if (flight.missing > 0) return
    flight.missing = -1
    stream.latencies[stream.answered++] = performance.now() - flight.due
    stream.free.push(connection)
  },
  close({ data: { stream } }: Socket<Flight>) {
    if (stream.answered < stream.total) fail('the server closed a connection')
  },
}

const request = new Uint8Array(await Bun.file(requestFile).arrayBuffer())
const measured = new Stream(
  Number(rateText),
  () => request,
  () => Number(bodyText),
)
const streams = crowdTexts.length > 0 ? [measured, crowdOf(crowdTexts.map(Number))] : [measured]
for (const stream of streams) await stream.connect()

const began = performance.now()
send()

function send(): void {
  for (const stream of streams) stream.send(began)
  if (streams.some(({ answered, total }) => answered < total)) setImmediate(send)
  else report()
}

function crowdOf([rate = 0, teams = 1, productsPerTeam = 1, seed = 1]: number[]): Stream {
  let state = seed
  /** A number below `bound`, by a linear congruential generator. */
  const random = (bound: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * bound)
  }
  return new Stream(
    rate,
    () =>
      `GET /api/v1/public/teams/team-${random(teams)}/products/product-${random(productsPerTeam)}/changelog HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`,
    (head) => Number(/^content-length: *(\d+)/im.exec(head.toString('latin1'))?.[1]),
  )
}

function report(): never {
  const took = (performance.now() - began) / 1000
  measured.latencies.sort()
  const [p50, p99, p999] = [measured.at(0.5), measured.at(0.99), measured.at(0.999)]
  console.log(JSON.stringify({ rate: measured.total / took, p50, p99, p999 }))
  process.exit(0)
}

function fail(reason: string): never {
  console.error(`pace: ${reason}`)
  process.exit(1)
}
