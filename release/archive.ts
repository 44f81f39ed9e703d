import { buffer } from 'node:stream/consumers'
import { pack } from 'tar-stream'

/** One file of an archive or a package. */
export interface Entry {
  readonly path: string
  readonly data: Uint8Array | string
  readonly executable?: boolean
}

export const modeOf = ({ executable }: Entry): number => (executable ? 0o755 : 0o644)

/** A .tar.gz. The same entries and time, in seconds, give the same bytes. */
export async function tarGz(entries: readonly Entry[], time: number): Promise<Uint8Array> {
  const tar = pack()
  const mtime = new Date(time * 1000)
  for (const entry of entries.toSorted((one, other) => (one.path < other.path ? -1 : 1))) {
    const header = { name: entry.path, mode: modeOf(entry), mtime, uid: 0, gid: 0, uname: '', gname: '' }
    tar.entry(header, Buffer.from(entry.data))
  }
  tar.finalize()
  return gzip(await buffer(tar))
}

/** Gzip without a name and a time. */
export const gzip = (data: Uint8Array | string): Uint8Array =>
  Bun.gzipSync(new Uint8Array(Buffer.from(data)), { library: 'libdeflate', level: 9 })
