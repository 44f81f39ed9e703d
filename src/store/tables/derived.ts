import { DERIVING } from '../../domain/versions/derived.ts'

export const newEdition = (): number => Math.floor(Math.random() * 2 ** 48)

/** True without derived values by these rules: a program of older ones leaves those of newer ones alone. */
export const UNDERIVED = `kinds is null or derived_by is null or derived_by < ${DERIVING}`
