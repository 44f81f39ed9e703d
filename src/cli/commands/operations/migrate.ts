import { rmSync } from 'node:fs'
import { databaseName, isPostgres } from '../../../domain/addresses/database.ts'
import { Refusal } from '../../../domain/refusal.ts'
import { plural } from '../../../domain/text/plural.ts'
import { isLink, resolvedPath } from '../../../files/lookup.ts'
import { openExistingBookkeeping } from '../../../store/bookkeeping/open.ts'
import { oldFiles, takeInOldFiles } from '../../../transfer/undo/older-trash.ts'
import { writingCommand } from '../../command.ts'
import type { Context } from '../../context.ts'
import { print, withStore } from '../../session.ts'
import { databaseFrom, trashDirectoryFrom } from '../../settings.ts'

export const migrateCommand = (context: Context) =>
  writingCommand(context, 'migrate', 'create the database or upgrade its schema', [
    'changelogd migrate',
    'changelogd migrate --db data/changelogd.db --repair',
  ])
    .option('--repair', 'also repair indexes and triggers, and rebuild stored counts and lists')
    .action((options) =>
      withStore(context, { ...options, creates: 'behind links', derives: true }, async (store) => {
        const { migration, repair } = store
        const address = databaseFrom(context, options.db)
        const database = databaseName(address)
        const target = isPostgres(database) || !isLink(database) ? database : resolvedPath(database)
        const repaired = options.repair ? await repair() : null
        const files = oldFiles(address, trashDirectoryFrom(context, address))
        const taken =
          files.length === 0
            ? []
            : await store.transaction((records) => takeInOldFiles(records, address, files))
        for (const path of taken) rmSync(path, { force: true })
        await print(context, options, {
          json: {
            database,
            ...migration,
            ...(repaired && { repaired: repaired.mended, left: repaired.left }),
            ...(taken.length > 0 && { takenIn: taken }),
          },
          text:
            migration.steps === 0
              ? `${database} is up to date (schema ${migration.schema}).`
              : `Applied ${plural(migration.steps, 'migration')} to ${target}, which now has schema ${migration.schema}.`,
          notes: [
            ...(repaired
              ? [
                  repaired.mended.length + repaired.left.length === 0
                    ? 'Nothing to repair.'
                    : `Repaired: ${repaired.mended.join('; ') || 'nothing'}.`,
                ]
              : []),
            ...(taken.length > 0
              ? [
                  `Moved ${plural(taken.length, 'deletion')} from the directory trash into the database, for undo.`,
                ]
              : []),
          ],
        })
        // Upgraded with the database, so that the copies of both are of one time.
        ;(await openExistingBookkeeping(address))?.close()
        if (repaired && repaired.left.length > 0)
          throw new Refusal(`This cannot be repaired: ${repaired.left.join('; ')}.`, {
            hint: 'Restore a backup.',
          })
      }),
    )
