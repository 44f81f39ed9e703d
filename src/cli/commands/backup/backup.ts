import { createReadStream } from 'node:fs'
import { backUpElsewhere, listBackups } from '../../../backups/backups.ts'
import { readSetting } from '../../../config/config.ts'
import {
  addressOf,
  bucketAddressOf,
  isDirectory,
  isOf,
  isPlace,
  type Keep,
  parseKeep,
} from '../../../domain/backups.ts'
import { Refusal, toRun } from '../../../domain/refusal.ts'
import { plural } from '../../../domain/text/plural.ts'
import { size } from '../../../domain/text/size.ts'
import { formatInstant } from '../../../domain/time/time.ts'
import { temporaryFileBeside } from '../../../files/temporary.ts'
import type { BackupNotes } from '../../../store/bookkeeping/backups.ts'
import { openBookkeeping, openExistingBookkeeping } from '../../../store/bookkeeping/open.ts'
import { backUp } from '../../../store/sqlite/backup/backup.ts'
import { prepareRestore } from '../../../store/sqlite/backup/restore.ts'
import { argumentOf, parser } from '../../arguments/arguments.ts'
import { writingCommand } from '../../command.ts'
import type { Context } from '../../context.ts'
import { listCommand } from '../../record-commands.ts'
import { type Common, print, waitingFor } from '../../session.ts'
import { databaseFrom, sourcesFrom } from '../../settings.ts'
import { event } from '../../terminal/moments.ts'
import { table } from '../../terminal/table.ts'
import { contentsText } from '../../terminal/text.ts'
import { leftOutNotes, refuseLeftOut } from '../import/report.ts'
import { bucketOf, databaseFile, filePath, identityAt, noteBackups, withBackup } from './backup-files.ts'

const DETAILS =
  'Backups do not include hook secrets, deletions for undo,\nor worker state. After a restore, the worker reads all\nsources again.\n\n'

export function backupCommand(context: Context) {
  const backup = writingCommand(
    context,
    'backup',
    'back up the database to a file or a bucket, even while a server runs',
    [
      'changelogd backup monday.db',
      'changelogd backup s3://copies/changelogd/ --keep 7d,4w,12m',
      'changelogd backup - | ssh elsewhere "cat > changelogd.db"',
    ],
    DETAILS,
  )
    .helpCommand(false)
    .enablePositionalOptions()
    .usage('[options] [file]\n       changelogd backup [options] [command]')
    .argument(
      '[file]',
      'a new file, a bucket as s3://BUCKET/PATH/, or - for standard output (default: BACKUP_TO)',
    )
    .option('--force', 'overwrite the file if it exists')
    .option(
      '--keep <numbers>',
      'in a bucket, keep this many daily, weekly and monthly backups, such as 7d,4w,12m',
    )
    .action(async (given, options, command) => {
      const target = given ?? readSetting('backupTo', sourcesFrom(context, {}))
      if (target === '' && given === undefined)
        command.error("error: missing required argument 'file', and BACKUP_TO is not set")
      const keep = options.keep === undefined ? null : argumentOf(command, '--keep', options.keep, keepRule)
      if (keep && !isPlace(target)) command.error('error: --keep is only for backups in a bucket')
      if (isPlace(target)) return toBucket(context, options, target, keep)
      if (target === '-') return toOutput(context, options)
      return toFile(context, options, argumentOf(command, 'file', target, filePath))
    })

  const ofBucket = 'changelogd backup list s3://copies/changelogd/'
  listCommand(backup, 'list the backups in a bucket, newest first', ofBucket)
    .argument('[place]', 'a bucket as s3://BUCKET/PATH/ (default: BACKUP_TO)')
    .action(async (given, options) => {
      const place = bucketAddressOf(given ?? defaultPlace(context))
      const backups = await listBackups({ bucket: bucketOf(context, place), place })
      const { databaseId } = await identityAt(databaseFrom(context, options.db), waitingFor(context, options))
      const rows = backups.map((backup) => [
        event(backup.at, context.now()),
        `${backup.schema}`,
        size(backup.compressedBytes),
        backup.databaseId === null
          ? 'unknown'
          : backup.databaseId === databaseId
            ? 'this'
            : backup.databaseId,
        backup.name,
      ])
      await print(context, options, {
        json: backups.map((backup) => ({
          ...backup,
          at: formatInstant(backup.at),
          isOwn: isOf(databaseId, backup),
        })),
        text:
          backups.length === 0
            ? `There are no backups at ${addressOf({ ...place, name: null })}.`
            : table(context, ['Time', 'Schema', 'Size', 'Database', 'Name'], rows),
      })
    })

  writingCommand(
    backup,
    'verify',
    'check that a backup can be restored',
    [
      'changelogd backup verify s3://copies/changelogd/latest',
      'changelogd backup monday.db && changelogd backup verify monday.db',
    ],
    'Reads the whole backup, checks it as doctor does, and\nupgrades its schema, in a temporary file next to the\ndatabase. Your data does not change.\n\n',
  )
    .argument(
      '[file]',
      'the backup: a file, s3://BUCKET/PATH/NAME or …/latest, or - for standard input (default: the newest at BACKUP_TO)',
    )
    .action(async (given, options) => {
      const from = given ?? defaultPlace(context)
      const database = databaseFile(context, options, INSTEAD)
      const place = isPlace(from) ? bucketAddressOf(from) : null
      const note = async (write: (notes: BackupNotes, at: string) => Promise<void>) => {
        if (place?.name === null) await noteBackups(context, openExistingBookkeeping(database), place, write)
      }
      const waiting = waitingFor(context, options)
      const verified = withBackup(
        context,
        from,
        database,
        waiting,
        async ({ file, name, remarks, noted }) => {
          using restoration = await prepareRestore(file, database, waiting, name, noted)
          const {
            before: current,
            after: contents,
            steps: migrations,
            refused: picturesLeftOut,
          } = restoration
          const isGood = picturesLeftOut.length === 0
          await print(context, options, {
            json: { copy: name, database, isGood, migrations, contents, current, picturesLeftOut },
            text: `${name} ${isGood ? 'is good' : 'has damaged pictures'}. It has ${contentsText(contents)}.`,
            notes: [
              ...remarks,
              `${database} ${current ? `currently has ${contentsText(current)}` : 'does not exist'}.`,
              ...leftOutNotes(picturesLeftOut),
            ],
          })
          refuseLeftOut(name, picturesLeftOut.length)
        },
      )
      await verified.catch(async (error: unknown) => {
        if (error instanceof Refusal) await note((notes, at) => notes.faulty(at, error.message))
        throw error
      })
      await note((notes, at) => notes.verified(at, context.now()))
    })
  return backup
}

const INSTEAD = toRun('Use pg_dump, or', 'export', [], { all: true, output: 'everything.jsonl' })

async function toFile(context: Context, options: Common & { force?: true }, file: string): Promise<void> {
  const database = databaseFile(context, options, INSTEAD)
  const start = context.now()
  const waiting = waitingFor(context, options)
  const { contents, ...backup } = await backUp(database, file, options.force === true, waiting)
  const milliseconds = context.now() - start
  await print(context, options, {
    json: { database, ...backup, ...contents, milliseconds },
    text: `Backed up ${contentsText(contents)} to ${backup.file}: ${size(backup.bytes)} in ${milliseconds} ms.`,
  })
}

async function toBucket(context: Context, options: Common, target: string, keep: Keep | null): Promise<void> {
  const place = bucketAddressOf(target)
  if (!isDirectory(target))
    throw new Refusal(`${target} must end with a slash, because each backup gets its own name.`, {
      hint: `Use ${target}/ instead.`,
    })
  const database = databaseFile(context, options, INSTEAD)
  const bucket = bucketOf(context, place)
  const waiting = waitingFor(context, options)
  const { backup, removed } = await backUpElsewhere({
    database,
    bucket,
    place,
    keep,
    waiting,
    now: context.now,
  })
  const { at, address, compressedBytes, contents } = backup
  await noteBackups(context, openBookkeeping(database), place, (notes, at) => notes.found(at, backup.at))
  await print(context, options, {
    json: { database, ...backup, at: formatInstant(at), removed: removed.map(({ address }) => address) },
    text: `Backed up ${contentsText(contents)} to ${address}: ${size(compressedBytes)}, verified.`,
    notes: removed.length === 0 ? [] : [`Deleted ${plural(removed.length, 'older backup')}.`],
  })
}

/** Everything but the backup itself goes to standard error. */
async function toOutput(context: Context, options: Common): Promise<void> {
  if (context.terminal.output)
    throw new Refusal('A backup is binary and cannot go to a terminal.', {
      hint: { text: 'To write it to a file', command: 'changelogd backup - > copy.db' },
    })
  const database = databaseFile(context, options, INSTEAD)
  using scratch = temporaryFileBeside(database)
  const { contents, bytes } = await backUp(database, scratch.path, true, waitingFor(context, options))
  for await (const chunk of createReadStream(scratch.path)) await context.stdout(chunk)
  await context.stderr(`Backed up ${contentsText(contents)}: ${size(bytes)}.\n`)
}

/** The place where the worker makes backups. */
function defaultPlace(context: Context): string {
  const place = readSetting('backupTo', sourcesFrom(context, {}))
  if (place !== '') return place
  throw new Refusal('No backup is given, and BACKUP_TO is not set.', {
    hint: 'Give one, such as s3://copies/changelogd/latest.',
  })
}

const keepRule = parser(parseKeep, 'numbers of days, weeks and months, such as 7d,4w,12m')
