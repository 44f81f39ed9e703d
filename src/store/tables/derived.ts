import { COUNTING } from '../../domain/versions/derived.ts'

export const newEdition = (): number => Math.floor(Math.random() * 2 ** 48)

/** True without valid counts: those by other rules, or by an older program, are none. */
export const UNDERIVED = `kinds is null or derived_by is null or derived_by <> ${COUNTING}`
