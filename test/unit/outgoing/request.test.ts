import { afterAll, beforeAll, expect, test } from 'bun:test'
import { gzipSync } from 'node:zlib'
import { destinationOf } from '../../../src/outgoing/destination.ts'
import { OutgoingError } from '../../../src/outgoing/errors.ts'
import { type Outgoing, send } from '../../../src/outgoing/request.ts'
import { describeNeeding } from '../../support/needs.ts'
import { type Far, far } from '../../support/servers/far.ts'

const MB = 1024 * 1024

describeNeeding('openssl', Bun.which('openssl') !== null, 'an outgoing request', () => {
  let net: Far
  beforeAll(async () => {
    net = await far()
  })
  afterAll(() => net[Symbol.asyncDispose]())

  const ask = (url: string, options: Partial<Outgoing> = {}) =>
    send({ url, maxBytes: MB, timeoutMs: 60_000, redirects: 3, allowPrivate: true, ...options }, net.network)
  const text = async (answer: ReturnType<typeof ask>) => new TextDecoder().decode((await answer).body)
  /** The fault and the sentence of a request that must fail. */
  const refusal = async (answer: ReturnType<typeof ask>) => {
    const error = await answer.then(
      () => null,
      (thrown: unknown) => thrown,
    )
    if (!(error instanceof OutgoingError)) throw new Error('It did not fail as it should.', { cause: error })
    return { fault: error.fault, message: error.message }
  }

  test('reaches a server by the address of its name, with the name in TLS and in Host', async () => {
    const origin = net.https('plain.test', (request) => new Response(`${request.headers.get('host')}`))
    expect(await text(ask(`${origin}/a?b=c`))).toBe(new URL(origin).host)
  })

  test('is refused if the certificate is for another name', async () => {
    const origin = net.https('mine.test', () => new Response('secret'))
    const { port } = new URL(origin)
    const address = net.addressOf('mine.test')
    net.names('yours.test', [address])
    expect(await text(ask(origin))).toBe('secret')
    expect(await refusal(ask(`https://yours.test:${port}/`))).toMatchObject({ fault: 'certificate' })
    expect(await refusal(ask(`https://${address}:${port}/`))).toMatchObject({ fault: 'certificate' })
  })

  test('is refused if nobody known signed the certificate', async () => {
    const origin = net.https('unsigned.test', () => new Response('secret'))
    const { resolve } = net.network
    const request = { url: origin, maxBytes: MB, timeoutMs: 60_000, redirects: 0, allowPrivate: true }
    expect(await refusal(send(request, { resolve }))).toMatchObject({ fault: 'certificate' })
  })

  test('connects to no private address, whether named or resolved', async () => {
    let requests = 0
    const origin = net.http('inside.test', () => new Response(String(++requests)))
    const { port } = new URL(origin)
    const address = net.addressOf('inside.test')
    const [, , , last] = address.split('.')
    for (const url of [
      ...[origin, `http://${address}:${port}/`, `http://0x7f.0.7.${last}:${port}/`],
      ...[`http://${0x7f000700 + Number(last)}:${port}/`, `http://[::ffff:${address}]:${port}/`],
      ...['https://169.254.169.254/latest/meta-data/', 'https://[::1]/'],
    ])
      expect(await refusal(ask(url, { allowPrivate: false }))).toMatchObject({ fault: 'private' })
    expect(requests).toBe(0)
  })

  test('never uses a private address of a name that has a public one too', async () => {
    net.names('both.test', ['10.0.0.1', '93.184.215.14', '::1'])
    const { addresses } = await destinationOf(new URL('https://both.test/'), false, net.network)
    expect(addresses).toEqual(['93.184.215.14'])
  })

  test('asks for a name once, so that a DNS that changes its answer changes nothing', async () => {
    const first = net.http('changing.test', () => new Response('the first'))
    net.http('elsewhere.test', () => new Response('another'))
    net.names('changing.test', [net.addressOf('changing.test')], [net.addressOf('elsewhere.test')])
    expect(await text(ask(first))).toBe('the first')
    expect(net.asked.get('changing.test')).toBe(1)
  })

  test('is refused over plain http to the internet, also where private addresses are allowed', async () => {
    net.names('internet.test', ['93.184.215.14'])
    for (const allowPrivate of [true, false])
      expect(await refusal(ask('http://internet.test/', { allowPrivate }))).toMatchObject({ fault: 'plain' })
  })

  test('tries the next address of a name if one cannot be connected to', async () => {
    const origin = net.http('several.test', () => new Response('reached'))
    net.names('several.test', ['127.0.7.200', net.addressOf('several.test')])
    expect(await text(ask(origin))).toBe('reached')
  })

  test('follows three redirects and no more', async () => {
    const origin = net.https('steps.test', (request) => {
      const left = Number(new URL(request.url).pathname.slice(1))
      return left === 0 ? new Response('there') : Response.redirect(`/${left - 1}`)
    })
    const answer = await ask(`${origin}/3`)
    expect([answer.status, answer.url]).toEqual([200, `${origin}/0`])
    expect(await refusal(ask(`${origin}/4`))).toMatchObject({ fault: 'redirect' })
    expect((await ask(`${origin}/4`, { redirects: 0 })).status).toBe(302)
  })

  test('follows no redirect from https to anything else', async () => {
    let to = ''
    const origin = net.https(
      'leading.test',
      () => new Response(null, { status: 302, headers: { location: to } }),
    )
    for (to of ['http://steps.test/', 'file:///etc/passwd', 'ftp://steps.test/', 'gopher://x/', 'http://['])
      expect(await refusal(ask(origin))).toMatchObject({ fault: 'redirect' })
    to = 'https://user:password@steps.test/'
    expect(await refusal(ask(origin))).toMatchObject({ fault: 'address' })
  })

  test('sends a secret to its own origin alone, also after a redirect', async () => {
    const seen: Record<string, string | null>[] = []
    const note = (where: string, request: Request) => {
      const { headers } = request
      seen.push({ where, authorization: headers.get('authorization'), token: headers.get('private-token') })
    }
    const other = net.https('other.test', (request) => {
      note('other', request)
      return new URL(request.url).pathname === '/back' ? Response.redirect(`${own}/end`) : new Response('end')
    })
    const own = net.https('own.test', (request) => {
      note('own', request)
      const { pathname } = new URL(request.url)
      return pathname === '/end' ? new Response('end') : Response.redirect(`${other}${pathname}`)
    })
    const headers = { authorization: 'Bearer s3cret', 'PRIVATE-TOKEN': 's3cret' }
    await ask(`${own}/away`, { headers })
    expect(seen.splice(0)).toEqual([
      { where: 'own', authorization: 'Bearer s3cret', token: 's3cret' },
      { where: 'other', authorization: null, token: null },
    ])
    await ask(`${own}/back`, { headers })
    expect(seen.map(({ where, token }) => [where, token])).toEqual([
      ['own', 's3cret'],
      ['other', null],
      ['own', 's3cret'],
    ])
  })

  test('says nothing of a URL but its host', async () => {
    for (const url of [
      ...['https://nowhere.test/hooks/s3cret?token=s3cret', 'https://user:s3cret@nowhere.test/'],
      ...['ftp://nowhere.test/s3cret', 's3cret'],
    ])
      expect(JSON.stringify(await refusal(ask(url)))).not.toContain('s3cret')
  })

  test('reads no more than it may of 200 MB, announced or not, and of a gzip bomb', async () => {
    let sent = 0
    const endless = await net.raw('endless.test', (socket) => {
      const write = () => {
        for (; sent < 200 * MB; sent += MB) if (!socket.write(new Uint8Array(MB))) break
        socket.once('drain', write)
      }
      socket.write('HTTP/1.1 200 OK\r\n\r\n')
      write()
    })
    expect(await refusal(ask(endless))).toEqual({
      fault: 'size',
      message: `The response of ${new URL(endless).host} is larger than 1,048,576 bytes.`,
    })
    expect(sent).toBeLessThan(200 * MB)
    const bomb = gzipSync(new Uint8Array(200 * MB))
    const zipped = net.http(
      'bomb.test',
      () => new Response(bomb, { headers: { 'content-encoding': 'gzip' } }),
    )
    expect(await refusal(ask(zipped))).toMatchObject({ fault: 'size' })
    const announced = await net.raw('announced.test', (socket) =>
      socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${200 * MB}\r\n\r\n`),
    )
    expect(await refusal(ask(announced))).toMatchObject({ fault: 'size' })
  })

  test('reads gzip', async () => {
    const origin = net.http('zipped.test', (request) => {
      expect(request.headers.get('accept-encoding')).toBe('gzip')
      return new Response(gzipSync('unzipped'), { headers: { 'content-encoding': 'gzip' } })
    })
    expect(await text(ask(origin))).toBe('unzipped')
  })

  test.each([
    ['half of a body', 'HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf'],
    ['half of a chunked body', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n'],
    ['half of the headers', 'HTTP/1.1 200 OK\r\nContent-Le'],
    ['nothing', ''],
    ['another protocol', 'SSH-2.0-OpenSSH_9.2\r\n'],
    [
      'half of a gzip body',
      `HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 3\r\n\r\n\x1f\x8b\x08`,
    ],
    ['another encoding', 'HTTP/1.1 200 OK\r\nContent-Encoding: br\r\nContent-Length: 3\r\n\r\nabc'],
  ])('fails for %s', async (_, bytes) => {
    const origin = await net.raw('half.test', (socket) => socket.end(Buffer.from(bytes, 'latin1')))
    expect(await refusal(ask(origin))).toMatchObject({ fault: 'broken' })
  })

  test('fails for headers without end', async () => {
    const origin = await net.raw('headers.test', (socket) => {
      socket.write(`HTTP/1.1 200 OK\r\n${`x: ${'y'.repeat(1000)}\r\n`.repeat(1000)}`)
    })
    expect(await refusal(ask(origin))).toMatchObject({ fault: 'broken' })
  })

  test.each([
    ['silent', ''],
    ['a slow drip of headers', 'HTTP/1.1 200 OK\r\n'],
    ['a slow drip of a body', 'HTTP/1.1 200 OK\r\n\r\n'],
  ])('ends in time if the server is %s', async (name, begin) => {
    const origin = await net.raw(`slow-${begin.length}.test`, (socket) => {
      socket.write(begin)
      const timer = setInterval(() => name !== 'silent' && socket.write('x'), 5)
      socket.once('close', () => clearInterval(timer))
    })
    expect(await refusal(ask(origin, { timeoutMs: 100 }))).toEqual({
      fault: 'timeout',
      message: `${new URL(origin).host} did not respond within 0.1 seconds.`,
    })
  })

  test('ends in time if the DNS does not answer', async () => {
    const request = {
      url: 'https://silent.test/',
      maxBytes: 1,
      timeoutMs: 50,
      redirects: 0,
      allowPrivate: true,
    }
    const never = { resolve: () => new Promise<string[]>(() => {}) }
    expect(await refusal(send(request, never))).toMatchObject({ fault: 'timeout' })
  })

  test('stops with the reason of its signal', async () => {
    const controller = new AbortController()
    const origin = await net.raw('stopped.test', (socket) => {
      socket.write('HTTP/1.1 200 OK\r\n\r\nx')
      controller.abort('stopping')
    })
    await expect(ask(origin, { signal: controller.signal })).rejects.toBe('stopping')
  })
})
