import { MAIL_SERVER_REMEDY, NO_MAIL_SERVER } from '../../../announce/send.ts'
import { readSetting } from '../../../config/config.ts'
import { isPostgres } from '../../../domain/addresses/database.ts'
import { withoutPeriod } from '../../../domain/errors.ts'
import { type Check, ok, type Result, type Results, warn, wrong } from '../../../domain/finding.ts'
import { address } from '../../../domain/records.ts'
import { toRun } from '../../../domain/refusal.ts'
import { plural } from '../../../domain/text/plural.ts'
import { size } from '../../../domain/text/size.ts'
import { DAY_MS } from '../../../domain/time/time.ts'
import { noticesOf } from '../../../worker/following/sync-source.ts'
import type { Context } from '../../context.ts'
import { snapshotOf } from '../../session.ts'
import { configFrom, picturesMaxFrom, sourcesFrom } from '../../settings.ts'
import { moment, relative } from '../../terminal/moments.ts'
import { type KnownBackups, knownBackups } from '../backup/backup-files.ts'
import { MISDATED_REMEDY, misdatedText, withChecks } from '../follow/report.ts'
import { faultsOf, withStates } from '../hook/states.ts'

interface Examined {
  context: Context
  database: string
  /** The database as it was named. */
  db: string | undefined
  homePage: string
}

export const DATABASE_CHECKS: readonly Check<Examined>[] = [
  { name: 'copies', run: backupResults },
  // The database has checks of its own, which say if it cannot be read.
  { name: 'sources', run: (examined) => sourceResults(examined).catch(() => []) },
  { name: 'hooks', run: (examined) => hookResults(examined).catch(() => []) },
  { name: 'pictures', run: (examined) => pictureResults(examined).catch(() => []) },
  { name: 'pages', run: (examined) => homeResults(examined).catch(() => []) },
]

/** Says how old the newest backup in a bucket is, and what keeps the worker from making another. */
async function backupResults({ context, database }: Examined): Promise<Results> {
  if (isPostgres(database) && readSetting('backupTo', sourcesFrom(context, {})) !== '')
    return wrong('BACKUP_TO is set, but works with SQLite only', 'Use pg_dump or a base backup.')
  const known = await knownBackups(context, database)
  return known ? ageResults(known, context.now()) : []
}

function ageResults({ place, newestAt, isOld, failure, verifiedAt, fault }: KnownBackups, now: number) {
  const age = newestAt === null ? null : relative(newestAt, now)
  const none = failure ? `no backup at ${place} is known` : `there is no backup at ${place}`
  const newest = age === null ? none : `the newest backup at ${place} was made ${age}`
  const why = failure ? `: ${withoutPeriod(failure.reason)}` : ''
  const remedy = failure
    ? (failure.remedy ?? 'Check the log of the worker.')
    : toRun('Run a worker, or make one', 'backup', [place])
  const again = toRun('To try it again', 'backup verify', [`${place}latest`])
  const faults: Result[] = []
  if (isOld) faults.push(wrong(newest + why, remedy))
  else if (failure)
    faults.push(
      warn(`${newest}; backups have been failing since ${moment(failure.since, now)}${why}`, remedy),
    )
  if (fault !== null) faults.push(wrong(`verifying the newest backup failed: ${withoutPeriod(fault)}`, again))
  const tried = verifiedAt === null ? 'not verified yet' : `verified ${relative(verifiedAt, now)}`
  return faults.length > 0 ? faults : ok(`${newest}, ${tried}`)
}

/** Names sources that fail or wait for a day, have moved, hold deletions back or are put off too far, and says if no worker runs. */
async function sourceResults({ context, db }: Examined): Promise<Results> {
  const options = { db, wait: 2 }
  const now = context.now()
  const followed = await snapshotOf(context, options, ({ sources }) => sources.list())
  const active = followed.filter(({ source }) => !source.paused)
  const sources = await withChecks(context, options, active)
  if (sources.length === 0) return []
  const last = Math.max(...sources.map(({ check }) => check?.nextAt ?? 0))
  const faults = sources.flatMap((each) => {
    const { product, check, isMisdated } = each
    if (check && isMisdated) return [warn(`${address(product)} ${misdatedText(check, now)}`, MISDATED_REMEDY)]
    const notices = noticesOf(each, check?.memory ?? {}).map(({ reason, hint }) =>
      warn(`${address(product)}: ${withoutPeriod(reason)}`, hint),
    )
    const why = check?.failure ?? check?.waiting
    if (!why || now - why.since < DAY_MS) return notices
    const does = check?.failure ? 'failing' : 'waiting'
    const since = moment(why.since, now)
    const message = `${address(product)} has been ${does} since ${since}: ${withoutPeriod(why.reason)}`
    return [warn(message, why.remedy ?? toRun('To retry now', 'sync', [address(product)])), ...notices]
  })
  // None of them was checked although it was due: the next check of each lies in the past.
  if (now - last >= DAY_MS)
    faults.push(
      warn(
        last === 0 ? 'no source has been checked yet' : 'no source has been checked for a day',
        toRun('Run a worker', 'serve', [], { worker: true }),
      ),
    )
  return faults.length > 0 ? faults : ok(`${plural(sources.length, 'source')} followed`)
}

/** Says how much pictures take, and names products that are near their limit. */
async function pictureResults({ context, db }: Examined): Promise<Results> {
  const { usage, products } = await snapshotOf(context, { db, wait: 2 }, async ({ pictures, products }) => ({
    usage: await pictures.usage(),
    products: await products.list(),
  }))
  const most = picturesMaxFrom(context)
  const full = products.filter(({ changelog }) => (usage.get(changelog.id)?.bytes ?? 0) > NEARLY * most)
  const sum = (of: 'count' | 'bytes') => [...usage.values()].reduce((all, each) => all + each[of], 0)
  if (usage.size === 0) return []
  const remedy = 'Raise PICTURES_MAX_BYTES.'
  return full.length > 0
    ? full.map((product) => warn(`the pictures of ${address(product)} take nearly ${size(most)}`, remedy))
    : ok(`${plural(sum('count'), 'picture')}, ${size(sum('bytes'))}`)
}

/** Names a HOME_PAGE that shows nothing, or that was renamed. */
async function homeResults({ context, db, homePage }: Examined): Promise<Results> {
  if (homePage === '') return []
  const [team = '', product = ''] = homePage.split('/')
  const { found, now } = await snapshotOf(
    context,
    { db, wait: 2 },
    async ({ products, formerAddresses }) => ({
      found: await products.find(team, product),
      now: await formerAddresses.present({ team, product }),
    }),
  )
  if (!found && now)
    return warn(`HOME_PAGE is ${homePage}, which was renamed`, `Set HOME_PAGE=${now.team}/${now.product}.`)
  if (!found)
    return wrong(
      `HOME_PAGE is ${homePage}, but there is no such changelog`,
      toRun('To see all', 'product list'),
    )
  const { status, changelog } = found
  const isPublic = [status, changelog.status].every((each) => each === 'published')
  return isPublic && found.team.visibility === 'public'
    ? []
    : warn(`HOME_PAGE is ${homePage}, which is not public, so / shows nothing`, 'Publish it, or set another.')
}

/** Of what pictures may take. */
const NEARLY = 0.9

/** Names hooks that fail, were disabled because of that, or have no secret. */
async function hookResults({ context, db }: Examined): Promise<Results> {
  const options = { db, wait: 2 }
  const all = await snapshotOf(context, options, ({ hooks }) => hooks.list())
  const now = context.now()
  const faults = (await withStates(context, options, all)).flatMap((hook) => faultsOf(hook, now))
  const active = all.filter(({ status }) => status === 'active').length
  const { publicUrl, smtpUrl } = configFrom(context, { db })
  if (smtpUrl === '' && all.some(({ kind, status }) => kind === 'mail' && status === 'active'))
    faults.push(wrong(NO_MAIL_SERVER, MAIL_SERVER_REMEDY))
  if (active > 0 && publicUrl === '')
    faults.push(wrong('PUBLIC_URL is not set, so hooks send nothing', 'Set it for the worker.'))
  if (faults.length > 0) return faults
  return active > 0 ? ok(`${plural(active, 'hook')} active`) : []
}
