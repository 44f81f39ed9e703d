import type { Database } from 'bun:sqlite'
import { createReadStream, rmdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { orNull } from '../../../domain/errors.ts'
import type { Instant } from '../../../domain/records.ts'
import { Refusal, Unavailable } from '../../../domain/refusal.ts'
import { shellWord } from '../../../domain/text/shell.ts'
import { decodedPictureId } from '../../../domain/webp.ts'
import { createDirectory } from '../../../files/access.ts'
import { fileError } from '../../../files/errors.ts'
import { APPLICATION_ID } from '../../../files/leftovers.ts'
import { auxiliaryFiles, fileAt, fileInstead, isSame, notAFile, resolvedPath } from '../../../files/lookup.ts'
import {
  fill,
  missingDirectory,
  moveIntoPlace,
  type TemporaryFile,
  temporaryFileBeside,
} from '../../../files/temporary.ts'
import { unpacked } from '../../../files/unpacked.ts'
import type { Waiting } from '../../engines/wait.ts'
import { contentFaults, type Fault, strangePictures } from '../../upkeep/repair.ts'
import { ClosingDatabase } from '../database.ts'
import { engineError, isDamage } from '../errors.ts'
import {
  applicationId,
  asking,
  checkOwnership,
  deriveMissing,
  migrate,
  schemaVersion,
} from '../migrations.ts'
import { connect, databaseExists } from '../open.ts'
import { CONTENT_RULES, verify } from '../verify.ts'
import { type Contents, contentsOf } from './copy.ts'
import { type Replaced, replaceContent } from './replace.ts'

/** The note of a backup. */
export interface Noted {
  schema: number
  contents: Readonly<Record<string, number>>
}

/**
 * Verifies a backup and the database it is to replace, and changes neither: a copy of the backup is verified and
 * migrated to this program's schema. `name` is what the user calls it. Refuses a backup that is not changelogd's, damaged,
 * from a newer program or other than `noted`; and a database whose content cannot be replaced in place.
 */
export async function prepareRestore(
  file: string,
  database: string,
  waiting: Waiting,
  name = file,
  noted: Noted | null = null,
) {
  const undo = new DisposableStack()
  try {
    const source = sourceFile(file, database)
    const target = databaseExists(database) ? resolvedPath(database) : null
    const before = target
      ? await waiting.untilFree(() => replaceableContents(target, database, waiting))
      : null
    undo.defer(createUndoable(dirname(target ?? database)))
    const temporary = undo.use(temporaryFileBeside(target ?? database))
    await copyFiles(source, name, temporary.path)
    const { steps, after, refused } = await verifyBackup(temporary.path, name, noted)
    return {
      /** Null if there is no database. */
      before,
      after,
      steps,
      /** Pictures that are not restored, because their bytes are not what their ids say. */
      refused,
      /**
       * Restores the backup wholly or not at all: an existing database keeps its file, and its content changes in one
       * transaction, after it was copied to a file next to it. Without one, the backup becomes the database.
       */
      apply: async (now: Instant): Promise<Replaced | null> =>
        target ? replaceContent(target, temporary.path, now, waiting) : becomeDatabase(temporary, database),
      [Symbol.dispose]: () => undo.dispose(),
    }
  } catch (error) {
    undo.dispose()
    throw fileError(
      engineError(error, database, `Cannot restore ${name}`),
      database,
      `Cannot restore ${name}`,
    )
  }
}

/** The backup's real path, next to which its auxiliary files are. */
function sourceFile(file: string, database: string): string {
  const found = fileAt(file)
  const hint = 'Give a file that changelogd backup has written.'
  if (!found) throw new Refusal(`There is no file ${file} to restore.`, { hint })
  const fault = notAFile(found)
  if (fault) throw new Refusal(`${file} ${fault}, so it is not a backup.`, { hint })
  if (isSame(found, fileAt(database)))
    throw new Refusal(`${file} is the database itself.`, { hint: 'Give a backup of it.' })
  return resolvedPath(file)
}

/** The content of the database. Refuses one that is damaged or not this program's. */
function replaceableContents(path: string, name: string, waiting: Waiting): Contents {
  try {
    using client = connect(path, waiting)
    const fault = verify(client).find(({ mend, remedy }) => !mend && !remedy)
    if (fault) throw new Refusal(`${name} is damaged: ${fault.message}.`)
    return contentsOf(client)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    if (error instanceof Unavailable && !isDamage(error.cause)) throw error
    const parts = [path, ...auxiliaryFiles(path)].filter(fileAt)
    const away = shellWord(`${path}.unreadable`)
    throw new Refusal(`${error.message} Its content cannot be replaced.`, {
      hint: `Stop the server, and restore again after: mkdir ${away} && mv ${parts.map(shellWord).join(' ')} ${away}`,
      cause: error,
    })
  }
}

/** Copies a backup, decompressed, with its log if it has one. Refuses one that changes during the copy. */
async function copyFiles(source: string, name: string, copy: string): Promise<void> {
  const parts = ['', '-wal', '-journal'].map((suffix) => ({ from: source + suffix, to: copy + suffix }))
  const state = () =>
    parts.map(({ from }) => {
      const found = fileAt(from)
      return found ? `${found.ino} ${found.size} ${found.mtimeMs}` : 'none'
    })
  const before = state()
  for (const { from, to } of parts)
    if (fileAt(from)?.size) {
      writeFileSync(to, '', { mode: 0o600 })
      const bytes = createReadStream(from)
      await fill(to, to === copy ? unpacked(bytes, name) : bytes)
    }
  if (state().join() !== before.join())
    throw new Refusal(`${name} is being written to.`, {
      hint: `Restore a backup of it instead: changelogd backup --db ${shellWord(name)} ${shellWord(`${name}.backup`)}`,
    })
}

/** Verifies and migrates a copy of a backup, called `name` in refusals. */
async function verifyBackup(copy: string, name: string, noted: Noted | null) {
  using client = ClosingDatabase.existing(copy, 0)
  const refuse = ([fault]: readonly Fault[]) => {
    if (fault) throw damagedBackup(name, fault.message, fault.remedy ?? (fault.mend && MEND))
  }
  try {
    checkOwnership(client, name)
    if (applicationId(client) !== APPLICATION_ID)
      throw new Refusal(`${name} is empty, so it is not a backup.`)
    refuse(verify(client))
    if (noted) refuseOther(client, name, noted)
    const steps = migrate(client)
    if (steps > 0) refuse(verify(client))
    const refused = await removeStrangePictures(client)
    deriveMissing(client)
    refuse(await contentFaults(CONTENT_RULES, asking(client)))
    // Everything in one file, which will be attached or renamed.
    client.run('PRAGMA journal_mode = DELETE')
    return { steps, after: contentsOf(client), refused }
  } catch (error) {
    if (!isDamage(error)) throw error
    throw damagedBackup(name, error.message)
  }
}

/** A backup may come from a stranger, as an export may. */
async function removeStrangePictures(client: Database): Promise<string[]> {
  const strange = await strangePictures(asking(client), decodedPictureId)
  const removal = client.query('DELETE FROM picture WHERE changelog_id = ? AND id = ?')
  for (const row of strange) removal.run(...row)
  // What is derived from pictures is made again, not believed.
  client.run('DELETE FROM derived_picture')
  return strange.map(([, id]) => id)
}

function refuseOther(client: Database, name: string, noted: Noted): void {
  const found: Readonly<Record<string, number>> = { schema: schemaVersion(client), ...contentsOf(client) }
  for (const [noun, said] of Object.entries({ ...noted.contents, schema: noted.schema }))
    if (found[noun] !== undefined && found[noun] !== said)
      throw damagedBackup(name, `it should have ${noun} ${said}, and has ${noun} ${found[noun]}`)
}

const MEND = 'Restore another backup, or repair this file: changelogd migrate --repair --db FILE'
const damagedBackup = (name: string, fault: string, hint = 'Restore another backup.'): Refusal =>
  new Refusal(`${name} is damaged: ${fault}.`, { hint })

/** Creates the directory as for a new database; returns how to remove it while it is empty. */
export function createUndoable(path: string): () => void {
  if (fileInstead(path)) throw missingDirectory(path)
  const first = createDirectory(path)
  return () => {
    if (first === undefined) return
    // A directory in use by now stays, as it should.
    orNull(() => {
      for (let each = path; each.length >= first.length; each = dirname(each)) rmdirSync(each)
    })
  }
}

function becomeDatabase(temporary: TemporaryFile, database: string): null {
  try {
    moveIntoPlace(temporary.path, database, false)
    return null
  } catch (error) {
    throw fileError(error, database, `Cannot create the database ${database}`)
  }
}
