import { readFileSync } from 'node:fs'
import type { Environment } from '../config/config.ts'
import type { Source } from '../domain/records.ts'
import { Refusal } from '../domain/refusal.ts'
import { fileError } from '../files/errors.ts'
import { fileAt } from '../files/lookup.ts'

/** The variables with tokens, and the only origins that each is sent to. */
const TOKENS: Record<string, readonly string[]> = {
  GITHUB_TOKEN: ['https://api.github.com', 'https://github.com'],
  GITLAB_TOKEN: ['https://gitlab.com'],
  FORGEJO_TOKEN: ['https://codeberg.org'],
}

/**
 * The token for an origin that a source asks: that of its own file, else the one of the environment that belongs there.
 * Null for any other origin than that of the source, or of the API of its host: a redirect may lead anywhere. Refuses a
 * file that cannot be read or has no token.
 */
export function tokenFor(
  { url, tokenFile }: Pick<Source, 'url' | 'tokenFile'>,
  origin: string,
  env: Environment,
): string | null {
  const sourceOrigin = new URL(url).origin.replace('https://www.github.com', 'https://github.com')
  const name = Object.keys(TOKENS).find((variable) => TOKENS[variable]?.includes(sourceOrigin))
  const origins = name === undefined ? [sourceOrigin] : TOKENS[name]
  if (!origins?.includes(origin)) return null
  if (tokenFile !== null) return readToken(tokenFile)
  const text = name === undefined ? undefined : env[name]?.trim()
  return text ? checked(text, name ?? '') : null
}

function readToken(path: string): string {
  const found = fileAt(path)
  if (!found?.isFile() || found.size > MOST_TOKEN_BYTES)
    throw new Refusal(`The token file ${path} ${found ? 'is not a small file' : 'does not exist'}.`)
  try {
    return checked(readFileSync(path, 'utf8').trim(), `The token file ${path}`)
  } catch (error) {
    throw error instanceof Refusal ? error : fileError(error, path, `Cannot read the token file ${path}`)
  }
}

const MOST_TOKEN_BYTES = 65_536

/** Visible characters of ASCII: nothing else can be sent in a header. */
const TOKEN = /^[!-~]{1,4096}$/

function checked(text: string, what: string): string {
  if (TOKEN.test(text)) return text
  throw new Refusal(`${what} ${text === '' ? 'is empty' : 'contains more than a token'}.`, {
    hint: 'Put only the token in it.',
  })
}
