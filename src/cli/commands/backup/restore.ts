import { toRun } from '../../../domain/refusal.ts'
import { forgetSourceChecks, openExistingBookkeeping } from '../../../store/bookkeeping/open.ts'
import { prepareRestore } from '../../../store/sqlite/backup/restore.ts'
import { upgradeNotice } from '../../../store/upkeep/migration.ts'
import { writingCommand, yesOption } from '../../command.ts'
import type { Context } from '../../context.ts'
import { type Common, confirmed, print, snapshotOf, waitingFor, withStore } from '../../session.ts'
import type { KnownHook } from '../../terminal/json.ts'
import { contentsText } from '../../terminal/text.ts'
import { lackNote, withStates } from '../hook/states.ts'
import { LEFT_OUT, leftOutNotes, limited, refuseLeftOut } from '../import/report.ts'
import { databaseFile, withBackup } from './backup-files.ts'

export const restoreCommand = (context: Context) =>
  writingCommand(
    context,
    'restore',
    'replace the contents of the database with a backup',
    [
      'changelogd backup monday.db && changelogd restore monday.db --yes',
      'changelogd restore s3://copies/changelogd/latest --db elsewhere/changelogd.db',
    ],
    LEFT_OUT,
  )
    .argument('<file>', 'the backup: a file, s3://BUCKET/PATH/NAME or …/latest, or - for standard input')
    .addOption(yesOption())
    .action(async (from, options) => {
      const database = databaseFile(
        context,
        options,
        toRun('Use pg_restore with a dump of pg_dump, or', 'import --all', ['everything.jsonl']),
      )
      // Refused before anything changes if its schema is newer: after an upgrade, the file is still there.
      ;(await openExistingBookkeeping(database))?.close()
      const waiting = waitingFor(context, options)
      await withBackup(context, from, database, waiting, async ({ file, name, remarks, noted }) => {
        using restoration = await prepareRestore(file, database, waiting, name, noted)
        const { before, after, steps, refused } = restoration
        if (before)
          await confirmed(
            context,
            options,
            `This replaces the content of ${database} (${contentsText(before)}) with ${name} (${contentsText(after)}). A backup of the old content is kept next to it.`,
          )
        const replaced = await restoration.apply(context.now())
        await forgetSourceChecks(database)
        const lacking = await hooksWithoutSecret(context, options)
        const kept = replaced?.kept.file ?? null
        const notice = replaced && upgradeNotice(database, replaced.migration)
        await print(context, options, {
          json: {
            database,
            file: name,
            migrations: steps,
            restored: after,
            replaced: before,
            kept,
            hooksWithoutSecret: lacking.map(({ id }) => id),
            picturesLeftOut: refused,
          },
          text: `Restored ${contentsText(after)} from ${name}.`,
          notes: [
            ...remarks,
            ...leftOutNotes(refused),
            ...(notice ? [notice] : []),
            kept === null
              ? `${database} is a new file. A server that is running with this path serves it within a second.`
              : toRun('To go back to the old content', 'restore', [kept]),
            ...limited(lacking, lackNote),
          ],
        })
        await withStore(context, { ...options, derives: true }, async () => {})
        refuseLeftOut(name, refused.length)
      })
    })

/** Backups have no secrets, so restored hooks need new ones. */
const hooksWithoutSecret = (context: Context, options: Common): Promise<KnownHook[]> =>
  snapshotOf(context, options, async (records) => {
    const hooks = await withStates(context, options, await records.hooks.list())
    return hooks.filter(({ needsSecret }) => needsSecret)
  })
