import { keyedChangelogPath, publicChangelogPath, versionName } from '../../domain/addresses/paths.ts'
import { picturesOf } from '../../notes/pictures.ts'
import type { VersionRead } from '../../store/store.ts'
import type { Reads } from '../answers/reads.ts'
import { type Content, type Long, long } from '../answers/responder.ts'
import type { Asked } from '../reading/parameters.ts'
import { isPartial, MAX_CHANGES } from '../reading/slices.ts'
import { changesJson, filled, type Source, versionEnvelope } from './json.ts'

/** A version, or where its own label leads. Throws `Unavailable`. */
export function version(asked: Asked<'teamSlug' | 'productSlug' | 'versionId'>): Promise<Response> {
  const { responder, audience, context, params, baseUrl } = asked
  const { teamSlug, productSlug, versionId } = params
  const pictures = picturesOf(teamSlug, productSlug, baseUrl)
  const headers = responder.headers.forAudience(audience)
  const body = (text: string): Content => ({ kind: 'body', text, headers })
  const sourceOf = (reads: Reads): Source => {
    return { reads, audience, team: teamSlug, product: productSlug, pictures }
  }
  const leadTo = (version: VersionRead['version']): Content => {
    const changelogPath = audience === 'public' ? publicChangelogPath : keyedChangelogPath
    const location = `${changelogPath(teamSlug, productSlug)}/versions/${versionName(version)}`
    return { kind: 'redirect', location, headers }
  }
  const make = async (reads: Reads): Promise<Content | Long> => {
    const read = await readVersion(sourceOf(reads), versionId)
    if (!read || read.isMoved) return read && leadTo(read.version)
    if (isPartial(read.version)) return inParts
    return body(JSON.stringify(versionEnvelope(read, pictures)))
  }
  const inParts = long(async (reads) => {
    const read = await readVersion(sourceOf(reads), versionId)
    if (!read || read.isMoved) return read && leadTo(read.version)
    return body(await writeInParts(sourceOf(reads), read))
  })
  return responder.respond(audience, context, params, make)
}

/** With its first changes. */
export const readVersion = ({ reads, audience, team, product }: Source, name: string) =>
  reads.ask('readVersion', audience, team, product, name, { skip: 0, limit: MAX_CHANGES })

/** A version as JSON, whose further changes are read in parts. */
export async function writeInParts(source: Source, { version, ...read }: VersionRead): Promise<string> {
  const changes = await changesJson(source, version)
  return filled(versionEnvelope({ ...read, version: { ...version, changes: [] } }, source.pictures), changes)
}
