import { join } from 'node:path'
import { isLocalPath } from '../domain/addresses/source.ts'
import { Refusal, withHint } from '../domain/refusal.ts'
import { fileAt } from '../files/lookup.ts'
import { checkDestination } from '../outgoing/destination.ts'
import { OutgoingError } from '../outgoing/errors.ts'
import type { SourceDraft } from '../store/records/types.ts'
import { remedyOf } from './check.ts'
import { type Place, placeByName } from './place.ts'

/** Refuses a source that could never be read with these settings and the files of this machine. Asks nobody. */
export function refuseImpossible(source: SourceDraft, allowPrivate: boolean): void {
  const { url, tokenFile } = source
  if (/^https?:/.test(url)) checkAddress(new URL(url), allowPrivate)
  const place = placeByName(source)
  if (isLocalPath(url) && place?.way === 'git') checkRepository(place)
  if (tokenFile === null) return
  const found = fileAt(tokenFile)
  if (!found?.isFile())
    throw new Refusal(`The token file ${tokenFile} ${found ? 'is not a file' : 'does not exist'}.`, {
      hint: 'Write the token into it first, and nothing else.',
    })
}

function checkAddress(url: URL, allowPrivate: boolean): void {
  try {
    checkDestination(url, allowPrivate)
  } catch (error) {
    if (!(error instanceof OutgoingError)) throw error
    throw withHint(error, remedyOf(error) ?? '')
  }
}

/** With a work tree, or bare. */
function checkRepository({ url: path }: Extract<Place, { way: 'git' }>): void {
  if (fileAt(join(path, '.git')) || (fileAt(join(path, 'HEAD')) && fileAt(join(path, 'objects')))) return
  throw new Refusal(`${path} is a directory, and no git repository.`, {
    hint: 'Name a repository, or a file in the directory, such as CHANGELOG.md.',
  })
}
