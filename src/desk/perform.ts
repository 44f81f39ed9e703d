import type { Act, Acting } from '../acts/acting.ts'
import type { Product, Version } from '../domain/records.ts'
import { readStamp } from '../transfer/stamp.ts'
import { noteAct, type Visit } from './visit.ts'

/** What an act was done to. */
interface Done {
  product: Product
  version?: Version
  picture?: string
  /** False if that is how it was. */
  isChanged?: boolean
}

/** Does what a form asks for. */
export const perform = <Given extends unknown[], D extends Done>(
  visit: Visit,
  act: Act<Given, D>,
  ...given: Given
): Promise<D> => performing(visit, act, (run) => run(...given))

/** The same, where the transaction first has to find out what is to be done, if anything. Logs it, and notes who wrote a version last. */
export async function performing<Given extends unknown[], D extends Done, Result>(
  visit: Visit,
  act: Act<Given, D>,
  work: (run: (...given: Given) => Promise<D>, by: Acting) => Promise<Result>,
): Promise<Result> {
  const { desk, writer } = visit
  const { result, done, stamp } = await desk.write(async (records, now) => {
    const by = { records, now, who: writer.name, rights: writer.rights }
    const runs: D[] = []
    const result = await work(async (...given) => {
      const done = await act.run(by, ...given)
      runs.push(done)
      return done
    }, by)
    const [done] = runs
    const stamp = act.undo === 'history' && done?.version && (await readStamp(records, done.version))
    return { result, done, stamp }
  })
  if (!done || done.isChanged === false) return result
  const { product, version, picture } = done
  const about = { ...(version && { version: version.label }), ...(picture && { picture }) }
  noteAct(visit, act.event, { team: product.team.slug, product: product.slug }, about)
  // What was written stays, whether the note succeeds or not.
  if (writer.name && version && stamp)
    await desk.bookkeeping.writers
      .put(version.id, { name: writer.name, at: desk.now(), state: stamp })
      .catch(desk.report)
  return result
}
