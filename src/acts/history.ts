import { keepText, textOf } from '../transfer/undo/history.ts'
import type { Doing } from './acting.ts'
import { type Found, needToChange } from './seen.ts'

/** Changes a version, and keeps its text as it was, unless it is still the same. */
export async function withHistory<Done>(
  by: Doing,
  { product, version }: Found,
  change: () => Promise<Done>,
): Promise<Done> {
  needToChange(by, version)
  const { records } = by
  const before = await textOf(records, version)
  const done = await change()
  const after = await records.versions.find(product, version.id)
  if (!after || !Bun.deepEquals(before, await textOf(records, after)))
    await keepText(records, by, product, before)
  return done
}
