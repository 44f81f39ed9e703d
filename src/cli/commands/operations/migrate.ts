import { databaseName, isPostgres } from '../../../domain/addresses/database.ts'
import { Refusal } from '../../../domain/refusal.ts'
import { isLink, resolvedPath } from '../../../files/lookup.ts'
import { writingCommand } from '../../command.ts'
import type { Context } from '../../context.ts'
import { print, withStore } from '../../session.ts'
import { databaseFrom } from '../../settings.ts'
import { plural } from '../../terminal/text.ts'

export const migrateCommand = (context: Context) =>
  writingCommand(context, 'migrate', 'create the database or upgrade its schema', [
    'changelogd migrate',
    'changelogd migrate --db data/changelogd.db --repair',
  ])
    .option('--repair', 'also repair indexes and triggers, and rebuild stored counts and lists')
    .action((options) =>
      withStore(context, { ...options, creates: 'behind links' }, async ({ migration, repair }) => {
        const database = databaseName(databaseFrom(context, options.db))
        const target = isPostgres(database) || !isLink(database) ? database : resolvedPath(database)
        const repaired = options.repair ? await repair() : null
        await print(context, options, {
          json: {
            database,
            ...migration,
            ...(repaired && { repaired: repaired.mended, left: repaired.left }),
          },
          text:
            migration.steps === 0
              ? `${database} is up to date (schema ${migration.schema}).`
              : `Applied ${plural(migration.steps, 'migration')} to ${target}, which now has schema ${migration.schema}.`,
          notes: repaired
            ? [
                repaired.mended.length + repaired.left.length === 0
                  ? 'Nothing to repair.'
                  : `Repaired: ${repaired.mended.join('; ') || 'nothing'}.`,
              ]
            : [],
        })
        if (repaired && repaired.left.length > 0)
          throw new Refusal(`This cannot be repaired: ${repaired.left.join('; ')}.`, {
            hint: 'Restore a backup.',
          })
      }),
    )
