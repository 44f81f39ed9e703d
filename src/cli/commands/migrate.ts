import { readDatabase } from '../../config.ts'
import { verb } from '../command.ts'
import type { Context } from '../context.ts'
import { print, withStore } from '../session.ts'
import { counted } from '../terminal/terminal.ts'

export const migrateCommand = (context: Context) =>
  verb(context, 'migrate', 'create the database or upgrade its schema', [
    'changelogd migrate',
    'changelogd migrate --db data/changelogd.db --json',
  ]).action((options) =>
    withStore(context, options, async ({ migration }) => {
      const database = readDatabase(options.db, context.env)
      print(context, options, {
        json: { database, ...migration },
        text:
          migration.steps === 0
            ? `${database} already has schema ${migration.schema}: nothing to do.`
            : `Applied ${counted(migration.steps, 'migration')}: ${database} has schema ${migration.schema} now.`,
      })
    }),
  )
