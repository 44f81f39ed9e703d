import type { NamedCopy } from '../domain/copies/copy-name.ts'

/** What a note says. */
export interface Note {
  /** Of the file, as are `bytes`. */
  sha256: string
  bytes: number
  schema: number
  /** Numbers of records by noun. */
  contents: Readonly<Record<string, number>>
}

export interface Copy extends NamedCopy {
  address: string
  compressedBytes: number
}
