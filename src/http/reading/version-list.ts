import type { ChangelogRead, Cursor, Page, Revision, VersionSummary } from '../../store/store.ts'
import { type ChangelogBody, changelogOpening, LIST_END, versionEntry } from './serialize.ts'

/** Lists with more versions are long bodies. */
const MAX_SHORT = 250

/** The overhead of a slice. */
const SLICE_BYTES = 512

// Searched strings contain quotes, which are escaped inside JSON strings, so nothing is found there.
const ENTRY = '{"id":"'
const NEXT_ENTRY = Buffer.from(`,${ENTRY}`)

/** The versions of a changelog in JSON, newest first, as far as they were read. Pages are cut from the bytes. */
export class VersionList {
  private constructor(
    private readonly opening: Buffer,
    private readonly slices: readonly ListPart[],
    readonly count: number,
    /** Where the unread rest begins, if there is one. */
    readonly next: Cursor | null,
    /** The revision of everything in it. */
    readonly revision: Revision,
    /** In bytes. */
    readonly size: number,
  ) {}

  static begin(read: ChangelogRead, revision: Revision): VersionList {
    const opening = Buffer.from(changelogOpening(read))
    return new VersionList(opening, [], 0, null, revision, opening.length).with(read)
  }

  with({ versions, next }: ChangelogRead): VersionList {
    if (versions.length === 0)
      return new VersionList(this.opening, this.slices, this.count, next, this.revision, this.size)
    const slice = ListPart.of(versions, this.count)
    const slices = [...this.slices, slice]
    return new VersionList(this.opening, slices, slice.end, next, this.revision, this.size + slice.size)
  }

  /**
   * The page of the changelog that begins with this list, or null if the list is too short, or has no version with the
   * label in `newerThan`, which may be a former one. The store knows these; `beyond` is the position that it found.
   */
  cut({ limit, after, since, newerThan }: Page, beyond?: Cursor): ChangelogBody | null {
    const endByLabel = newerThan === undefined || beyond ? this.count : this.indexOfLabel(newerThan)
    if (endByLabel === null) return null
    const last = beyond ?? (since === null ? null : { publishedAt: since, id: '' })
    const endByPosition = last ? this.first((found) => !isBefore(found, last)) : this.count
    const end = Math.min(endByLabel, endByPosition)
    const start = after ? this.first((found) => isBefore(after, found)) : 0
    const stop = limit === null ? end : Math.min(start + limit, end)
    if (stop === this.count && this.next) return null
    return { ...this.part(start, stop), next: stop < end ? this.positionAt(stop - 1) : null }
  }

  whole(): ChangelogBody {
    return this.part(0, this.count)
  }

  private part(start: number, stop: number): ChangelogBody {
    const body = () => {
      const parts = this.slices
        .filter(({ first, end }) => first < stop && start < end)
        .map((slice) => slice.part(start, stop))
      // No comma follows the last version.
      const last = parts.pop()?.subarray(0, -1) ?? Buffer.alloc(0)
      return Buffer.concat([this.opening, ...parts, last, Buffer.from(LIST_END)])
    }
    return { isLong: stop - start > MAX_SHORT, body, next: null, isLabelMissing: false }
  }

  /** The index of the first version from which on this holds. */
  private first(isTrue: (found: Cursor) => boolean): number {
    let [low, high] = [0, this.count]
    while (low < high) {
      const middle = Math.floor((low + high) / 2)
      if (isTrue(this.positionAt(middle))) high = middle
      else low = middle + 1
    }
    return low
  }

  private indexOfLabel(label: string): number | null {
    for (const slice of this.slices) {
      const index = slice.indexOfLabel(label)
      if (index !== null) return index
    }
    return null
  }

  private positionAt(index: number): Cursor {
    const slice = this.slices.findLast(({ first }) => first <= index) as ListPart
    return slice.positionAt(index)
  }
}

const isBefore = (one: Cursor, other: Cursor): boolean =>
  one.publishedAt > other.publishedAt || (one.publishedAt === other.publishedAt && one.id > other.id)

class ListPart {
  private foundEnds: Uint32Array | undefined

  private constructor(
    /** The index of its first version in the list. */
    readonly first: number,
    /** JSON with a comma after each version. */
    private readonly bytes: Buffer<ArrayBuffer>,
    private readonly publishedAt: Float64Array,
  ) {}

  static of(versions: readonly VersionSummary[], first: number): ListPart {
    // Without the brackets: the last comma replaces one.
    const bytes = Buffer.from(JSON.stringify(versions.map(versionEntry))).subarray(1)
    bytes.write(',', bytes.length - 1)
    return new ListPart(first, bytes, new Float64Array(versions.map(({ publishedAt }) => publishedAt)))
  }

  /** The index after the last version. */
  get end(): number {
    return this.first + this.publishedAt.length
  }

  /** In bytes. */
  get size(): number {
    const perVersion = Float64Array.BYTES_PER_ELEMENT + Uint32Array.BYTES_PER_ELEMENT
    return this.bytes.length + this.publishedAt.length * perVersion + SLICE_BYTES
  }

  /** The JSON of its versions from index `start` to `stop`, exclusive. */
  part(start: number, stop: number): Buffer<ArrayBuffer> {
    return this.bytes.subarray(this.offsetOf(start), this.offsetOf(stop))
  }

  positionAt(index: number): Cursor {
    const id = this.offsetOf(index) + ENTRY.length
    return {
      publishedAt: this.publishedAt[index - this.first] as number,
      id: this.bytes.toString('latin1', id, this.bytes.indexOf('"', id)),
    }
  }

  indexOfLabel(label: string): number | null {
    const offset = this.bytes.indexOf(`,"version":${JSON.stringify(label)},`)
    return offset < 0 ? null : this.first + this.ends.findIndex((end) => offset < end)
  }

  private offsetOf(index: number): number {
    if (index <= this.first) return 0
    return index >= this.end ? this.bytes.length : (this.ends[index - this.first - 1] as number)
  }

  /** Where the JSON of each version ends, after its comma. Computed when a page first begins or ends in it. */
  private get ends(): Uint32Array {
    if (this.foundEnds) return this.foundEnds
    const ends = new Uint32Array(this.publishedAt.length).fill(this.bytes.length)
    let end = 0
    for (let at = 0; at < ends.length - 1; at++) {
      end = this.bytes.indexOf(NEXT_ENTRY, end) + 1
      ends[at] = end
    }
    this.foundEnds = ends
    return ends
  }
}
