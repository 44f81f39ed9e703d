import { keyedChangelogPath, publicChangelogPath, versionName } from '../../domain/addresses/paths.ts'
import type { Reads } from '../answers/reads.ts'
import type { Content, Responder } from '../answers/responder.ts'
import type { Asked } from '../reading/parameters.ts'
import { isPartial, MAX_CHANGES, type Source } from '../reading/slices.ts'
import { changesJson } from './contents.ts'
import { filled, versionEnvelope } from './serialize.ts'

/** A version, or where its own label leads. Throws `Unavailable`. */
export const createVersionRead =
  ({ respond, headers }: Responder) =>
  ({ audience, context, params }: Asked<'teamSlug' | 'productSlug' | 'versionId'>): Promise<Response> => {
    const { teamSlug, productSlug, versionId } = params
    const common = headers.forAudience(audience)
    const written = (read: string | Moved | null): Content => {
      if (read === null) return null
      if (typeof read === 'string') return { text: read, headers: common }
      const changelogPath = audience === 'public' ? publicChangelogPath : keyedChangelogPath
      const location = `${changelogPath(teamSlug, productSlug)}/versions/${versionName(read.movedTo)}`
      return { location, headers: common }
    }
    const make = async (reads: Reads) => {
      const source = { reads, audience, team: teamSlug, product: productSlug }
      const read = await readVersion(source, versionId)
      return typeof read === 'function' ? async (reads: Reads) => written(await read(reads)) : written(read)
    }
    return respond(audience, context, params, make)
  }

export interface Moved {
  movedTo: { id: string; label: string }
}

/** The first changes. */
const FIRST = { skip: 0, limit: MAX_CHANGES }

/**
 * A version as JSON, or a function that reads one with many changes in parts; or where it is now, if it was asked for by
 * a former label. Null if the audience may see none.
 */
export async function readVersion(
  { reads, ...names }: Source,
  name: string,
): Promise<string | Moved | null | ((reads: Reads) => Promise<string | Moved | null>)> {
  const read = await readFirst({ reads, ...names }, name)
  if (!read || 'movedTo' in read) return read
  if (!isPartial(read.version)) return JSON.stringify(versionEnvelope(read))
  return async (reads) => {
    const read = await readFirst({ reads, ...names }, name)
    if (!read || 'movedTo' in read) return read
    const changes = await changesJson({ reads, ...names }, read.version)
    return filled(versionEnvelope({ ...read, version: { ...read.version, changes: [] } }), changes)
  }
}

async function readFirst({ reads, audience, team, product }: Source, name: string) {
  const read = await reads.ask('readVersion', audience, team, product, name, FIRST)
  return read?.isMoved ? { movedTo: read.version } : read
}
