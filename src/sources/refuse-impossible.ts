import { join } from 'node:path'
import { isLocalPath } from '../domain/addresses/source.ts'
import { Refusal } from '../domain/refusal.ts'
import { fileAt } from '../files/lookup.ts'
import { refuseDestination } from '../outgoing/destination.ts'
import type { SourceDraft } from '../store/records/types.ts'
import { remedyOf } from './check.ts'
import { type Place, placeByName } from './place.ts'

/** Refuses a source that could never be read with these settings and the files of this machine. Asks nobody. */
export function refuseImpossible(source: SourceDraft, allowPrivate: boolean): void {
  const { url, tokenFile } = source
  if (/^https?:/.test(url)) refuseDestination(new URL(url), allowPrivate, remedyOf)
  const place = placeByName(source)
  if (isLocalPath(url) && place?.way === 'git') checkRepository(place)
  if (tokenFile === null) return
  const found = fileAt(tokenFile)
  if (!found?.isFile())
    throw new Refusal(`The token file ${tokenFile} ${found ? 'is not a file' : 'does not exist'}.`, {
      hint: 'Write the token into it first, and nothing else.',
    })
}

/** With a work tree, or bare. */
function checkRepository({ url: path }: Extract<Place, { way: 'git' }>): void {
  if (fileAt(join(path, '.git')) || (fileAt(join(path, 'HEAD')) && fileAt(join(path, 'objects')))) return
  throw new Refusal(`${path} is a directory, and no git repository.`, {
    hint: 'Name a repository, or a file in the directory, such as CHANGELOG.md.',
  })
}
