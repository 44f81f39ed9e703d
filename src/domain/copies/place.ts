import { Refusal } from '../refusal.ts'

/** A directory of a bucket, and the copy in it that is meant. */
export interface Place {
  bucket: string
  /** Empty, or with a slash at its end. */
  directory: string
  /** Null for the newest good one. */
  name: string | null
}

const SCHEME = 's3://'
const LATEST = 'latest'

export const isPlace = (text: string): boolean => text.startsWith(SCHEME)

/** The place at `s3://BUCKET/PATH/`, with the name of a copy or `latest`; null if it is none. */
export function parsePlace(text: string): Place | null {
  const [, bucket, directory = '', name = ''] =
    /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/((?:[^/]+\/)*)([^/]*))?$/.exec(text) ?? []
  if (bucket === undefined || /[\s?#\\]|^\.{1,2}\/|\/\.{1,2}\//.test(text)) return null
  return { bucket, directory, name: name === '' || name === LATEST ? null : name }
}

/** Whether copies can be made there: they get names of their own. */
export const isDirectory = (text: string): boolean => text.endsWith('/') && parsePlace(text) !== null

export function placeOf(text: string): Place {
  const place = parsePlace(text)
  if (place) return place
  throw new Refusal(`${text} is no address of copies.`, {
    hint: 'It must be s3://BUCKET/PATH/, with the name of a copy at its end, or latest.',
  })
}

export const addressOf = ({ bucket, directory, name }: Place): string =>
  `${SCHEME}${bucket}/${directory}${name ?? ''}`
