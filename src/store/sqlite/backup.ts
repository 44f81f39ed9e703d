import { Database, SQLiteError } from 'bun:sqlite'
import { realpathSync, type Stats, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { Refusal } from '../../domain/refusal.ts'
import { shellWord } from '../../domain/shell.ts'
import { COMPANIONS, fileAt, isLink, partialBeside, refusalOf, settle } from './files.ts'
import { type Contents, contentsOf, foreignKeyFaults, integrityFaults } from './inspect.ts'
import { APPLICATION_ID, applicationId, schemaVersion } from './migrations.ts'
import { connect, WRITER_PATIENCE_MS } from './open.ts'

/** A copy of a database: where it is, and what is in it. */
export interface Copy {
  file: string
  bytes: number
  schema: number
  contents: Contents
}

/**
 * Copies the database to the file `target`, whatever other processes do to it meanwhile: the copy is one state
 * of the data, checked, on the disk, and readable by its owner only. Changes nothing in the database, not even
 * its schema. Refuses to replace a file that is there, unless told to `overwrite`; and always a file that
 * belongs to a database in use. Whatever goes wrong, no part of a copy stays behind.
 */
export function backUp(database: string, target: string, overwrite: boolean): Copy {
  if (!fileAt(database))
    throw new Refusal(`There is no database ${database}, so there is nothing to back up.`)
  const place = placeFor(target, database, overwrite)
  const client = connect(database, WRITER_PATIENCE_MS)
  try {
    if (applicationId(client) !== APPLICATION_ID)
      throw new Refusal(`${database} is empty, so there is nothing to back up.`)
    return copyTo(client, place, overwrite)
  } finally {
    client.close()
  }
}

/** Copies what `client` sees to a file, with the promises of `backUp`. The client must not be in a transaction. */
export function copyTo(client: Database, target: string, overwrite: boolean): Copy {
  try {
    using partial = partialBeside(target)
    client.query('VACUUM INTO ?').run(partial.path)
    const found = checked(partial.path, client.filename)
    const bytes = statSync(partial.path).size
    settle(partial.path, target, overwrite)
    return { file: target, bytes, ...found }
  } catch (error) {
    if (isDamage(error)) throw damaged(client.filename, error.message)
    throw refusalOf(error, `Cannot write ${target}`)
  }
}

/** Whether the engine says that the file is not a whole database. */
export const isDamage = (error: unknown): error is SQLiteError =>
  error instanceof SQLiteError && /^SQLITE_(CORRUPT|NOTADB)/.test(error.code ?? '')

function checked(copy: string, database: string): { schema: number; contents: Contents } {
  const client = new Database(copy, { readonly: true, strict: true })
  try {
    const fault = integrityFaults(client)[0] ?? foreignKeyFaults(client)[0]
    if (fault !== undefined) throw damaged(database, fault)
    return { schema: schemaVersion(client), contents: contentsOf(client) }
  } finally {
    client.close()
  }
}

const damaged = (database: string, fault: string): Refusal =>
  new Refusal(
    `${database} is damaged (${fault}), so no copy of it was kept. To see what to do: changelogd doctor`,
  )

/** Where a file for `target` really goes, links followed. Refuses the places where it must not go. */
export function placeFor(target: string, database: string, overwrite: boolean): string {
  const real = realPlace(target)
  const live = realpathSync(database)
  for (const suffix of ['', ...COMPANIONS]) {
    const part = live + suffix
    if (real === part || isSame(fileAt(real), fileAt(part)))
      throw new Refusal(`${target} belongs to the database itself: name another file.`)
  }
  for (const suffix of COMPANIONS)
    if (fileAt(real + suffix))
      throw new Refusal(
        `${real}${suffix} is there, so ${target} looks like a database in use: name another file, or stop what uses it and remove ${real}${suffix}.`,
      )
  const found = fileAt(real)
  if (found && !found.isFile())
    throw new Refusal(`${target} is not a file${found.isDirectory() ? ': name one in it' : ''}.`)
  if (found && !overwrite)
    throw new Refusal(`${target} is there already: name another file, or replace it with --force.`)
  return real
}

function realPlace(target: string): string {
  const directory = dirname(target)
  if (!fileAt(directory)?.isDirectory())
    throw new Refusal(`There is no directory ${directory}. To make it: mkdir -p ${shellWord(directory)}`)
  if (fileAt(target)) return realpathSync(target)
  if (isLink(target))
    throw new Refusal(`${target} is a link that leads nowhere: name another file, or remove it.`)
  return join(realpathSync(directory), basename(target))
}

/** Whether two names are one file. */
export const isSame = (one: Stats | undefined, other: Stats | undefined): boolean =>
  one !== undefined && other !== undefined && one.dev === other.dev && one.ino === other.ino
