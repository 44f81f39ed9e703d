import type { Source } from '../domain/records.ts'
import type { Check, Found } from './check-context.ts'
import { fetchFor, refuseFailure, validatorsOf } from './fetch.ts'
import { contentHash } from './memory.ts'
import { fileOf, parseFile } from './parse.ts'
import type { Place } from './place.ts'

/** Reads one file, by the API of a host or at its own address. */
export async function checkFile(place: FilePlace, check: Check): Promise<Found> {
  const { known, full } = check
  const { url, name, headers, missing } = asked(place, check.source)
  const since = full || known.hash === undefined ? undefined : known.validators
  const answer = await fetchFor(url, check, { headers, ...(since && { since }) })
  if (answer.status === 304) return { memory: known, read: null }
  refuseFailure(url, answer, name, missing)
  const hash = contentHash(answer.body)
  const memory = { ...known, hash, validators: validatorsOf(url, answer) }
  if (hash === known.hash && !full) return { memory, read: null }
  return { memory, read: { input: parseFile(name, answer.body), isWhole: true } }
}

type FilePlace = Extract<Place, { way: 'file' | 'host' }>

function asked(place: FilePlace, source: Source) {
  if (place.way === 'file') {
    const headers = (token: string | null): Record<string, string> =>
      token === null ? {} : { authorization: `Bearer ${token}` }
    const { url } = place
    return { url, name: url, headers, missing: `There is no file at ${url}.` }
  }
  const { host, base, repository } = place
  const file = fileOf(source)
  const where = source.ref === null ? '' : ` at ${source.ref}`
  return {
    url: base + host.file(file, source.ref),
    name: `${repository}/${file}`,
    headers: host.headers,
    missing: `${new URL(source.url).host} shows no file ${file}${where} in ${repository}.`,
  }
}
