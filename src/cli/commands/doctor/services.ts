import { RedisClient } from 'bun'
import { type Config, ConfigError, configOf, type ReadSettings } from '../../../config/config.ts'
import { deskSettings } from '../../../config/desk.ts'
import { nullIf } from '../../../domain/errors.ts'
import { ok, type Results, wrong } from '../../../domain/finding.ts'
import { Refusal } from '../../../domain/refusal.ts'
import { inTime } from '../../../domain/time/waiting.ts'
import { OutgoingError } from '../../../outgoing/errors.ts'
import { sendMail } from '../../../outgoing/mail.ts'

/** Checks what the settings name outside of this process. Settings that are not allowed have findings already. */
export async function serviceResults({ read }: { read: ReadSettings }): Promise<Results> {
  const config = await Promise.try(configOf, read).catch(nullIf((error) => error instanceof ConfigError))
  return config ? [deskResults(config), await redisResults(config), await mailResults(config)].flat() : []
}

function deskResults(config: Config): Results {
  try {
    deskSettings(config)
    return []
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return wrong(error.message, error.hint ?? '')
  }
}

const REDIS_MS = 3_000

/** Says nothing of what Redis answered, which may repeat the password. */
async function redisResults({ rateLimitUrl }: Config): Promise<Results> {
  if (rateLimitUrl === '') return []
  const place = `Redis at ${new URL(rateLimitUrl).host} (RATE_LIMIT_URL)`
  const client = new RedisClient(rateLimitUrl, { autoReconnect: false, connectionTimeout: REDIS_MS })
  const answer = client.connect().then(() => client.send('PING', []))
  const isThere = await inTime(REDIS_MS, answer, () => new Error('late')).then(
    () => true,
    () => false,
  )
  client.close()
  return isThere
    ? ok(`${place} answers`)
    : wrong(`${place} does not answer, or refuses the password`, 'Without it, each server has its own limit.')
}

/** Signs in to the mail server, and sends nothing. Says nothing of what it answered, either. */
async function mailResults({
  smtpUrl: url,
  smtpPassword: password,
  mailFrom: from,
}: Config): Promise<Results> {
  if (url === '') return []
  const place = `the mail server ${new URL(url).host} (SMTP_URL)`
  const server = { url, password, from, replyTo: '' }
  const failure = await sendMail(server, null).then(({ status }) => (status < 300 ? null : status), failureOf)
  if (failure === null) return ok(`${place} answers`)
  const why =
    typeof failure === 'number' ? `answers ${failure}` : (WITHOUT_WORDS[failure.fault] ?? failure.message)
  return wrong(
    `${place} cannot be used: ${why}`,
    'Check SMTP_URL and SMTP_PASSWORD, then the log of that server.',
  )
}

/** Faults whose messages have words of the server. */
const WITHOUT_WORDS: Partial<Record<OutgoingError['fault'], string>> = {
  refused: 'it refused the user name or password',
  broken: 'it ended the conversation',
}

function failureOf(error: unknown): OutgoingError {
  if (error instanceof OutgoingError) return error
  throw error
}
