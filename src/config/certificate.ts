import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { reasonOf } from '../domain/errors.ts'
import { Refusal } from '../domain/refusal.ts'
import type { Config } from './config.ts'

/** Reads a certificate and its key. Throws a `Refusal` if a file cannot be read or used, or if they do not match. */
export function readCertificate({ tlsCert, tlsKey }: Pick<Config, 'tlsCert' | 'tlsKey'>) {
  const cert = contentOf('TLS_CERT', tlsCert)
  const key = contentOf('TLS_KEY', tlsKey)
  const certificate = parsed(
    `TLS_CERT (${tlsCert}) has no usable certificate in PEM format.`,
    () => new X509Certificate(cert),
  )
  const privateKey = parsed<KeyObject>(
    `TLS_KEY (${tlsKey}) has no usable private key in PEM format.`,
    () => createPrivateKey(key),
    'Use a key without a passphrase.',
  )
  if (!certificate.checkPrivateKey(privateKey))
    throw new Refusal(`TLS_KEY (${tlsKey}) is not the key of the certificate TLS_CERT (${tlsCert}).`, {
      hint: 'Use the two files of one pair.',
    })
  return { cert, key, validTo: certificate.validToDate.getTime() }
}

function contentOf(name: string, path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new Refusal(`${name} (${path}) cannot be read: ${reasonOf(error)}.`, { cause: error })
  }
}

function parsed<T>(problem: string, parse: () => T, hint?: string): T {
  try {
    return parse()
  } catch (error) {
    throw new Refusal(problem, { hint, cause: error })
  }
}
