import { readCopying } from '../../../config/config.ts'
import { isPostgres } from '../../../domain/addresses/database.ts'
import { withoutPeriod } from '../../../domain/errors.ts'
import { type Check, ok, type Result, type Results, warn, wrong } from '../../../domain/finding.ts'
import type { Context } from '../../context.ts'
import { relative } from '../../terminal/moments.ts'
import { type KnownCopies, knownCopies } from '../backup/known-copies.ts'

/** Says how old the newest copy in a bucket is, and what keeps the worker from making another. */
export const COPY_CHECK: Check<{ context: Context; database: string }> = {
  name: 'copies',
  run: async ({ context, database }) => {
    if (isPostgres(database) && readCopying(context.env, context.configFile()).to !== '')
      return wrong('BACKUP_TO is set, but copies are made of SQLite only', 'Use pg_dump or a base backup.')
    const known = await knownCopies(context, database)
    return known ? copyResults(known, context.now()) : []
  },
}

function copyResults(
  { place, newestAt, isOld, failure, verifiedAt, fault }: KnownCopies,
  now: number,
): Results {
  const age = newestAt === null ? null : relative(newestAt, now)
  const none = failure ? `no copy at ${place} is known` : `there is no copy at ${place}`
  const newest = age === null ? none : `the newest copy at ${place} was made ${age}`
  const why = failure ? `: ${withoutPeriod(failure.reason)}` : ''
  const remedy = failure
    ? (failure.remedy ?? 'See the log of the worker.')
    : `Run a worker, or: changelogd backup ${place}`
  const again = `To try it again: changelogd backup verify ${place}latest`
  const faults: Result[] = []
  if (isOld) faults.push(wrong(newest + why, remedy))
  else if (failure)
    faults.push(warn(`${newest}, and copying fails, first ${relative(failure.since, now)}${why}`, remedy))
  if (fault !== null) faults.push(wrong(`verifying the newest copy failed: ${withoutPeriod(fault)}`, again))
  const tried = verifiedAt === null ? 'no verification is noted' : `verified ${relative(verifiedAt, now)}`
  return faults.length > 0 ? faults : ok(`${newest}, ${tried}`)
}
