import { filled, versionEnvelope } from '../api/serialize.ts'
import { changesJson } from './contents.ts'
import type { Reads } from './reads.ts'
import { isPartial, MAX_CHANGES, type Source } from './slices.ts'

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
