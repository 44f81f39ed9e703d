import { resolve } from 'node:path'
import { InvalidArgumentError } from '@commander-js/extra-typings'
import { databaseName, isPostgres } from '../../../domain/addresses/database.ts'
import { Refusal } from '../../../domain/refusal.ts'
import { shellWord } from '../../../domain/text/shell.ts'
import { size } from '../../../domain/text/size.ts'
import { forgetSourceChecks } from '../../../store/bookkeeping/open.ts'
import { upgradeNotice } from '../../../store/migration.ts'
import { backUp } from '../../../store/sqlite/backup/backup.ts'
import { prepareRestore } from '../../../store/sqlite/backup/restore.ts'
import { writingCommand, yesOption } from '../../command.ts'
import type { Context } from '../../context.ts'
import { type Common, confirmed, print, waitingFor } from '../../session.ts'
import { databaseFrom } from '../../settings.ts'
import { contentsText } from '../../terminal/text.ts'

export const backupCommand = (context: Context) =>
  writingCommand(
    context,
    'backup',
    'copy the database to a file; works while a server runs',
    ['changelogd backup monday.db', 'changelogd backup latest.db --force --json'],
    'Not in the copy: what was deleted, which undo brings back\nfrom the directory trash beside the database; and what a worker\nremembers: after a restore it checks every source again.\n\n',
  )
    .argument('<file>', 'the file to create', filePath)
    .option('--force', 'overwrite the file if it exists')
    .action(async (file, options) => {
      const database = databaseFile(
        context,
        options,
        'pg_dump does that, or: changelogd export --all --output everything.jsonl',
      )
      const start = context.now()
      const { contents, ...copy } = await backUp(
        database,
        file,
        options.force === true,
        waitingFor(context, options),
      )
      const milliseconds = context.now() - start
      await print(context, options, {
        json: { database, ...copy, ...contents, milliseconds },
        text: `Backed up ${contentsText(contents)} to ${copy.file}: ${size(copy.bytes)} in ${milliseconds} ms.`,
      })
    })

export const restoreCommand = (context: Context) =>
  writingCommand(context, 'restore', 'replace the content of the database with a backup', [
    'changelogd backup monday.db && changelogd restore monday.db --yes',
    'changelogd backup monday.db && changelogd restore monday.db --db elsewhere/changelogd.db',
  ])
    .argument('<file>', 'the backup; it is not changed', filePath)
    .addOption(yesOption())
    .action(async (file, options) => {
      const database = databaseFile(
        context,
        options,
        'pg_restore does that with what pg_dump wrote, or: changelogd import --all everything.jsonl',
      )
      using restoration = await prepareRestore(file, database, waitingFor(context, options))
      const { before, after, steps } = restoration
      if (before)
        await confirmed(
          context,
          options,
          `This replaces the content of ${database} (${contentsText(before)}) with ${file} (${contentsText(after)}). A copy of the old content is kept beside it.`,
        )
      const replaced = await restoration.apply(context.now())
      await forgetSourceChecks(database)
      const kept = replaced?.kept.file ?? null
      const notice = replaced && upgradeNotice(database, replaced.migration)
      await print(context, options, {
        json: { database, file, migrations: steps, restored: after, replaced: before, kept },
        text: `Restored ${contentsText(after)} from ${file}.`,
        notes: [
          ...(notice ? [notice] : []),
          kept === null
            ? `${database} is a new file: a server that is running with this path serves it within a second.`
            : `The old content is kept. To bring it back: changelogd restore ${shellWord(kept)}${options.db ? ` --db ${shellWord(options.db)}` : ''}`,
        ],
      })
    })

/** Refuses a PostgreSQL server, which has its own programs for backups. */
function databaseFile(context: Context, { db }: Common, instead: string): string {
  const database = databaseFrom(context, db)
  if (!isPostgres(database)) return database
  throw new Refusal(`${databaseName(database)} is not a file: this command is for SQLite only.`, {
    hint: instead,
  })
}

function filePath(text: string): string {
  if (text === '' || text === '-' || text.endsWith('/'))
    throw new InvalidArgumentError('it must be a file name.')
  return resolve(text)
}
