import { readDatabase } from '../../config.ts'
import { writingCommand } from '../command.ts'
import type { Context } from '../context.ts'
import { print, withStore } from '../session.ts'
import { counted } from '../terminal/text.ts'

export const migrateCommand = (context: Context) =>
  writingCommand(context, 'migrate', 'create the database or upgrade its schema', [
    'changelogd migrate',
    'changelogd migrate --db data/changelogd.db --json',
  ]).action((options) =>
    withStore(context, options, async ({ migration }) => {
      const database = readDatabase(options.db, context.env)
      await print(context, options, {
        json: { database, ...migration },
        text:
          migration.steps === 0
            ? `${database} has schema ${migration.schema}, as it should: nothing to do.`
            : `Applied ${counted(migration.steps, 'migration')}: ${database} has schema ${migration.schema} now.`,
      })
    }),
  )
