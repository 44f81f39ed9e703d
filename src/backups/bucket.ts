import { codeOf, reasonOf } from '../domain/errors.ts'
import { Refusal } from '../domain/refusal.ts'
import { inTime } from '../domain/time/waiting.ts'

/** Where the bucket is, and who may use it. */
interface BucketSettings {
  /** Empty for Amazon's address. */
  endpoint: string
  region: string
  accessKeyId: string
  secretAccessKey: string
  sessionToken: string
}

/** A server that does nothing for so long is given up. */
const STALL_MS = 120_000
/** Parts of an upload; S3 takes 10,000 of them. */
const PART_BYTES = 16 * 2 ** 20

/** A bucket. Everything throws a `Refusal` that names its fault. */
export class Bucket {
  readonly #client: Bun.S3Client
  readonly #name: string
  readonly #endpoint: string

  constructor(
    name: string,
    { endpoint, region, accessKeyId, secretAccessKey, sessionToken }: BucketSettings,
    private readonly stallMs = STALL_MS,
  ) {
    this.#name = name
    this.#endpoint = endpoint === '' ? `S3 in ${region}` : endpoint
    this.#client = new Bun.S3Client({
      bucket: name,
      region,
      accessKeyId,
      secretAccessKey,
      ...(endpoint !== '' && { endpoint }),
      ...(sessionToken !== '' && { sessionToken }),
    })
  }

  /** All names under a prefix, without it, and their sizes. */
  async list(prefix: string): Promise<{ name: string; bytes: number }[]> {
    const found: { name: string; bytes: number }[] = []
    let startAfter: string | undefined
    for (;;) {
      const page = await this.#asked(
        this.#client.list({ prefix, ...(startAfter !== undefined && { startAfter }) }),
      )
      for (const { key, size } of page.contents ?? [])
        found.push({ name: key.slice(prefix.length), bytes: size ?? 0 })
      startAfter = page.contents?.at(-1)?.key
      if (!page.isTruncated || startAfter === undefined) return found
    }
  }

  /** Nothing can be read there before all of it is. Returns the number of bytes. */
  async upload(key: string, chunks: AsyncIterable<Uint8Array>): Promise<number> {
    const writer = this.#client.file(key).writer({ partSize: PART_BYTES, queueSize: 2, retry: 3 })
    let bytes = 0
    try {
      for await (const chunk of chunks) {
        bytes += chunk.length
        await this.#asked(Promise.resolve(writer.write(chunk)))
      }
      await this.#asked(Promise.resolve(writer.end()))
      return bytes
    } catch (error) {
      // The upload may have failed already, and a server that is silent stays so.
      const abandoned = Promise.resolve(writer.end(error instanceof Error ? error : new Error('abandoned')))
      await this.#asked(abandoned).catch(() => {})
      throw error
    }
  }

  async *download(key: string): AsyncGenerator<Uint8Array> {
    const reader = this.#client.file(key).stream().getReader()
    try {
      for (;;) {
        const { done, value } = await this.#asked(reader.read())
        if (done) return
        yield value
      }
    } finally {
      await reader.cancel().catch(() => {})
    }
  }

  readText(key: string): Promise<string> {
    return this.#asked(this.#client.file(key).text())
  }

  async writeText(key: string, text: string): Promise<void> {
    await this.#asked(this.#client.write(key, text, { type: 'application/json' }))
  }

  delete(key: string): Promise<void> {
    return this.#asked(this.#client.delete(key))
  }

  /** The result, or what went wrong in plain words. */
  async #asked<T>(result: Promise<T>): Promise<T> {
    try {
      return await inTime(this.stallMs, result, () => this.#refusal('Stalled'))
    } catch (error) {
      throw error instanceof Refusal ? error : this.#refusal(codeOf(error) || 'Unknown', error)
    }
  }

  #refusal(code: string, cause?: unknown): Refusal {
    const text = cause instanceof Error ? reasonOf(cause) : ''
    const [what, hint] = FAULTS[code] ?? [`refused with ${code}${text === '' ? '' : ` (${text})`}`]
    return new Refusal(`The bucket ${this.#name} at ${this.#endpoint} ${what}.`, { hint, cause })
  }
}

const CREDENTIALS =
  'Check S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY, or the files of S3_ACCESS_KEY_ID_FILE and S3_SECRET_ACCESS_KEY_FILE.'
const REACH = 'Check S3_ENDPOINT, and that no firewall blocks it.'

const FULL = ['is full', 'Keep fewer backups: --keep 7d,4w,12m'] as const

/** Meanings and remedies for codes of S3 and of Bun's client. */
const FAULTS: Readonly<Record<string, readonly [what: string, hint?: string]>> = {
  NoSuchBucket: ['does not exist', 'Create it, or use another one.'],
  NoSuchKey: ['does not have this backup', 'To list the backups: changelogd backup list s3://BUCKET/PATH/'],
  AccessDenied: [
    'denied access',
    'Allow the key s3:PutObject, s3:GetObject, s3:ListBucket, s3:DeleteObject and s3:AbortMultipartUpload.',
  ],
  InvalidAccessKeyId: ['does not know this access key', CREDENTIALS],
  SignatureDoesNotMatch: ['rejected the secret of this access key', CREDENTIALS],
  ExpiredToken: ['rejected the credentials as expired', 'Get new credentials.'],
  InvalidToken: ['rejected the session token', 'Get new credentials.'],
  RequestTimeTooSkewed: ['rejected the clock of this machine as wrong', 'Set it: timedatectl set-ntp true'],
  ERR_S3_MISSING_CREDENTIALS: ['needs credentials', CREDENTIALS],
  ConnectionRefused: ['cannot be reached: the connection was refused', REACH],
  ConnectionClosed: ['closed the connection', REACH],
  FailedToOpenSocket: ['cannot be reached', REACH],
  DNSResolveFailed: ['cannot be found', REACH],
  Stalled: ['did not respond in time', REACH],
  SlowDown: ['is rate limiting requests', 'Try again later.'],
  EntityTooLarge: ['does not accept a file of this size'],
  QuotaExceeded: FULL,
  XMinioStorageFull: FULL,
  XMinioAdminBucketQuotaExceeded: FULL,
  InsufficientStorage: FULL,
}
