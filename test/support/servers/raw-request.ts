import { connect } from 'node:net'

/**
 * Sends these bytes, with `Connection: close` added to the headers, and gives the bytes of the response once it
 * is complete or the server has closed the connection.
 */
export function rawRequest(port: number, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    let response = ''
    const done = () => {
      socket.destroy()
      resolve(response)
    }
    socket.setEncoding('latin1')
    socket.on('data', (chunk) => {
      response += chunk
      if (isComplete(response, text.startsWith('HEAD '))) done()
    })
    socket.on('close', done)
    socket.on('error', reject)
    socket.write(Buffer.from(text.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'), 'latin1'))
  })
}

/**
 * Sends these requests in one write, the last with `Connection: close`, and gives the status of every response that
 * came before the server closed the connection. What a response with `Connection: close` left unanswered is sent again, as
 * HTTP has it.
 */
export async function pipelined(port: number, requests: readonly string[]): Promise<number[]> {
  const text = [...requests]
    .map((request, at) =>
      at < requests.length - 1 ? request : request.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'),
    )
    .join('')
  const { promise: closed, resolve, reject } = Promise.withResolvers<void>()
  const socket = connect(port, '127.0.0.1')
  let responses = ''
  socket.setEncoding('latin1')
  socket.on('data', (chunk) => {
    responses += chunk
  })
  socket.on('close', resolve)
  socket.on('error', reject)
  socket.write(Buffer.from(text, 'latin1'))
  await closed
  const heads = [...responses.matchAll(/HTTP\/1\.1 (\d{3}) .*?\r\n\r\n/gs)]
  const statuses = heads.map(([, status]) => Number(status))
  const isToGoOn =
    statuses.length < requests.length && /^connection: close\r$/im.test(heads.at(-1)?.[0] ?? '')
  return isToGoOn ? [...statuses, ...(await pipelined(port, requests.slice(statuses.length)))] : statuses
}

/** Whether this is all of a response, by its headers. One that states no length ends with the connection. */
function isComplete(response: string, toHead: boolean): boolean {
  const end = response.indexOf('\r\n\r\n')
  if (end < 0) return false
  const [head, body] = [response.slice(0, end), response.slice(end + 4)]
  const status = Number(head.slice(9, 12))
  if (status < 200) return isComplete(body, toHead)
  if (toHead || status === 204 || status === 304) return true
  if (/^transfer-encoding:.*chunked$/im.test(head)) return hasLastChunk(body)
  const length = /^content-length: *(\d+)$/im.exec(head)?.[1]
  return length !== undefined && body.length >= Number(length)
}

function hasLastChunk(body: string): boolean {
  let at = 0
  for (;;) {
    const lineEnd = body.indexOf('\r\n', at)
    if (lineEnd < 0) return false
    const size = Number.parseInt(body.slice(at, lineEnd), 16)
    if (Number.isNaN(size)) throw new Error('a chunk of the response has no length')
    if (size === 0) return body.includes('\r\n\r\n', lineEnd)
    at = lineEnd + 2 + size + 2
  }
}
