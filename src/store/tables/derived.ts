import { DERIVING } from '../../domain/versions/derived.ts'

export const newEdition = (): number => Math.floor(Math.random() * 2 ** 48)

/** The edition of a version that no hook is told of when it is first seen. Zero is that of rows that nobody gave any. */
export const NO_NEWS = -1

/** True without derived values by these rules: a program of older ones leaves those of newer ones alone. */
export const UNDERIVED = `kinds is null or derived_by is null or derived_by < ${DERIVING}`
