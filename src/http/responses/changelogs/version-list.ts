import type { ChangelogRead, Cursor, Page, Revision, VersionSummary } from '../../../store/port.ts'
import { type ChangelogJson, changelogOpening, LIST_END, versionEntry } from '../serialize.ts'

/** Versions that were read together. */
interface Slice {
  /** How many versions of the list are before them. */
  first: number
  /** Their JSON, with a comma behind each. */
  bytes: Buffer<ArrayBuffer>
  /** Where the JSON of each ends, after its comma. */
  ends: Uint32Array
  publishedAt: Float64Array
}

/** How many versions are put together at once. */
const MAX_SHORT = 250

/** What a slice takes beside its contents. */
const SLICE_BYTES = 512

// Within a JSON string every quote has a backslash before it, so none of these is ever found in one.
const ENTRY = '{"id":"'
const NEXT_ENTRY = Buffer.from(`,${ENTRY}`)
const labelField = (label: string) => Buffer.from(`,"version":${JSON.stringify(label)},`)

/**
 * The versions of a changelog in JSON, the newest first, as far as they have been read. Any page that they reach is cut
 * from their bytes.
 */
export class VersionList {
  private constructor(
    private readonly opening: Buffer,
    private readonly slices: readonly Slice[],
    readonly count: number,
    /** The position after which the rest begins that has not been read, if there is one. */
    readonly next: Cursor | null,
    /** The revision that all of it was read at. */
    readonly revision: Revision,
    /** The memory that it takes, in bytes. */
    readonly size: number,
  ) {}

  /** A list that begins with what was read. */
  static begin(read: ChangelogRead, revision: Revision): VersionList {
    const opening = Buffer.from(changelogOpening(read))
    return new VersionList(opening, [], 0, null, revision, opening.length).with(read)
  }

  /** This list and what was read of the rest. */
  with({ versions, next }: ChangelogRead): VersionList {
    const slice = sliceOf(versions, this.count)
    return new VersionList(
      this.opening,
      [...this.slices, slice],
      this.count + versions.length,
      next,
      this.revision,
      this.size + slice.bytes.length + slice.ends.byteLength + slice.publishedAt.byteLength + SLICE_BYTES,
    )
  }

  /** The page of the changelog that this list begins, or null if the list does not reach its end. */
  cut({ limit, after, since, newerThan }: Page): ChangelogJson | null {
    const labelled = newerThan === undefined ? this.count : this.indexOfLabel(newerThan)
    if (labelled === null) return this.next ? null : { ...this.part(0, 0), lacksLabel: true }
    const oldest = since === null ? this.count : this.firstOlderThan({ publishedAt: since, id: '' })
    const start = after ? this.firstOlderThan(after) : 0
    const end = Math.min(labelled, oldest)
    const stop = limit === null ? end : Math.min(start + limit, end)
    if (stop === this.count && this.next) return null
    return { ...this.part(start, stop), next: stop < end ? this.positionAt(stop - 1) : null }
  }

  /** Everything in this list. */
  whole(): ChangelogJson {
    return this.part(0, this.count)
  }

  private part(start: number, stop: number): ChangelogJson {
    const body = () => {
      const parts = this.slices
        .filter(({ first, ends }) => first < stop && start < first + ends.length)
        .map((slice) => slice.bytes.subarray(startOf(slice, start), startOf(slice, stop)))
      // No comma follows the last version.
      const last = parts.pop()?.subarray(0, -1) ?? Buffer.alloc(0)
      return Buffer.concat([this.opening, ...parts, last, Buffer.from(LIST_END)])
    }
    return { isLong: stop - start > MAX_SHORT, body, next: null, lacksLabel: false }
  }

  /** The index of the first version that comes after this position. */
  private firstOlderThan({ publishedAt, id }: Cursor): number {
    let [low, high] = [0, this.count]
    while (low < high) {
      const middle = Math.floor((low + high) / 2)
      const found = this.positionAt(middle)
      const isOlder = found.publishedAt < publishedAt || (found.publishedAt === publishedAt && found.id < id)
      if (isOlder) high = middle
      else low = middle + 1
    }
    return low
  }

  private indexOfLabel(label: string): number | null {
    const field = labelField(label)
    for (const { first, bytes, ends } of this.slices) {
      const at = bytes.indexOf(field)
      if (at >= 0) return first + ends.findIndex((end) => at < end)
    }
    return null
  }

  private positionAt(index: number): Cursor {
    const slice = this.slices.findLast(({ first }) => first <= index) as Slice
    const begin = startOf(slice, index) + ENTRY.length
    return {
      publishedAt: slice.publishedAt[index - slice.first] as number,
      id: slice.bytes.toString('latin1', begin, slice.bytes.indexOf('"', begin)),
    }
  }
}

function sliceOf(versions: readonly VersionSummary[], first: number): Slice {
  const bytes = Buffer.from(`${JSON.stringify(versions.map(versionEntry)).slice(1, -1)},`)
  const ends = new Uint32Array(versions.length).fill(bytes.length)
  let end = 0
  for (let at = 0; at < versions.length - 1; at++) {
    end = bytes.indexOf(NEXT_ENTRY, end) + 1
    ends[at] = end
  }
  return { first, bytes, ends, publishedAt: Float64Array.from(versions, (each) => each.publishedAt) }
}

/** Where a version of the list begins in a slice: at its beginning for those before, at its end for those after. */
const startOf = ({ first, bytes, ends }: Slice, index: number): number =>
  index <= first ? 0 : (ends[index - first - 1] ?? bytes.length)
