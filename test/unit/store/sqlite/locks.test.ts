import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Team } from '../../../../src/domain/records.ts'
import { createWaiting } from '../../../../src/store/engines/wait.ts'
import { checkDatabase, open } from '../../../../src/store/open.ts'
import { backUp, identityOf } from '../../../../src/store/sqlite/backup/backup.ts'
import { prepareRestore } from '../../../../src/store/sqlite/backup/restore.ts'
import { Sandbox } from '../../../support/sandbox.ts'

const waiting = createWaiting()

/** Ways to use the database a second time in a process that has it open already. */
const SECOND: Record<string, (box: Sandbox) => Promise<unknown>> = {
  'a command that reads': async ({ database }) => (await open(database, 'read', waiting)).close(),
  'a command that writes': async ({ database }) => (await open(database, 'write', waiting)).close(),
  'a dry run': async ({ database }) => (await open(database, 'dry run', waiting)).close(),
  backup: (box) => backUp(box.database, box.at('second.db'), false, waiting),
  restore: async (box) => (await prepareRestore(box.at('first.db'), box.database, waiting))[Symbol.dispose](),
  'a copy to a bucket': ({ database }) => identityOf(database, waiting),
  doctor: ({ database }) => checkDatabase(database),
}

const box = new Sandbox('SQLite', { way: 'the binary' })
beforeAll(async () => {
  await box.json('demo')
  await box.json('backup', box.at('first.db'))
})
afterAll(() => box.close())

/** Closing any handle of a file ends all locks that the process has on it: the next command would remove the log. */
test.each(Object.keys(SECOND))(
  'a process keeps its database while %s uses it too, and others commit and end',
  async (name) => {
    using first = await open(box.database, 'write', waiting)
    const rename = (name: string) =>
      first.transaction(async ({ teams }) => teams.update((await teams.find('acme')) as Team, { name }))
    await rename('before')
    await SECOND[name]?.(box)
    await box.json('team', 'update', 'acme', '--name', 'another process')
    const seen = await first.snapshot(async (records) => (await records.teams.find('acme'))?.name)
    expect(seen).toBe('another process')
    await rename('after')
    expect(await box.json('team', 'show', 'acme')).toMatchObject({ name: 'after' })
  },
)
