import { join } from 'node:path'

/** The key is of an elliptic curve: one of RSA takes a hundred times as long to make. */
const OPTIONS = [
  ...['req', '-new', '-x509', '-days', '60', '-nodes'],
  ...['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1'],
]

/** Options of a certificate for `localhost`. */
export const LOCALHOST = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost']

export interface CertificateFiles {
  certificate: string
  key: string
}

/** A certificate that an authority signed, or itself. Needs `openssl`. */
export function createCertificate(
  directory: string,
  name: string,
  options: readonly string[] = LOCALHOST,
  authority?: CertificateFiles,
): CertificateFiles {
  const [certificate, key] = [join(directory, `${name}.crt`), join(directory, `${name}.key`)]
  const signer = authority ? ['-CA', authority.certificate, '-CAkey', authority.key] : []
  const command = ['openssl', ...OPTIONS, ...options, ...signer, '-out', certificate, '-keyout', key]
  const { exitCode, stderr } = Bun.spawnSync(command)
  if (exitCode !== 0) throw new Error(`openssl: ${stderr}`)
  return { certificate, key }
}
