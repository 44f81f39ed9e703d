import { keyedChangelogPath, publicChangelogPath, versionName } from '../../domain/addresses/paths.ts'
import { picturesOf } from '../../notes/pictures.ts'
import type { Reads } from '../answers/reads.ts'
import { type Content, LONG } from '../answers/responder.ts'
import type { Asked } from '../reading/parameters.ts'
import { isPartial, MAX_CHANGES } from '../reading/slices.ts'
import { changesJson, filled, type Source, versionEnvelope } from './json.ts'

/** A version, or where its own label leads. Throws `Unavailable`. */
export function version(asked: Asked<'teamSlug' | 'productSlug' | 'versionId'>): Promise<Response> {
  const { responder, audience, context, params, baseUrl } = asked
  const { teamSlug, productSlug, versionId } = params
  const make = async (reads: Reads, isLong: boolean): Promise<Content | typeof LONG> => {
    const pictures = picturesOf(teamSlug, productSlug, baseUrl)
    const source = { reads, audience, team: teamSlug, product: productSlug, pictures }
    const read = await readVersion(source, versionId, isLong)
    if (read === null || read === LONG) return read
    const common = responder.headers.forAudience(audience)
    if (typeof read === 'string') return { text: read, headers: common }
    const changelogPath = audience === 'public' ? publicChangelogPath : keyedChangelogPath
    const location = `${changelogPath(teamSlug, productSlug)}/versions/${versionName(read.movedTo)}`
    return { location, headers: common }
  }
  return responder.respond(audience, context, params, make)
}

/** A version as JSON; or where it is now, if it was asked for by a former label. Null if the audience may see none. */
export async function readVersion(source: Source, name: string, isLong: boolean) {
  const { reads, audience, team, product, pictures } = source
  const first = { skip: 0, limit: MAX_CHANGES }
  const read = await reads.ask('readVersion', audience, team, product, name, first)
  if (!read) return null
  if (read.isMoved) return { movedTo: read.version }
  if (!isPartial(read.version)) return JSON.stringify(versionEnvelope(read, pictures))
  if (!isLong) return LONG
  const changes = await changesJson(source, read.version)
  return filled(versionEnvelope({ ...read, version: { ...read.version, changes: [] } }, pictures), changes)
}
