import { Database } from 'bun:sqlite'
import { expect, spyOn, test } from 'bun:test'
import { join } from 'node:path'
import { emptyContext } from '../../../../../release/manual/context.ts'
import { ALL_RIGHTS } from '../../../../../src/acts/acting.ts'
import { readApplyFile } from '../../../../../src/cli/commands/apply/file.ts'
import { HookChanges } from '../../../../../src/cli/commands/apply/step.ts'
import { applyTeams } from '../../../../../src/cli/commands/apply/teams.ts'
import { openNow } from '../../../../../src/store/sqlite/commands.ts'
import { deleteRecords } from '../../../../../src/transfer/undo/keep.ts'
import { scratch } from '../../../../support/scratch.ts'

/** A file with so many teams, each with two products, two keys and a hook. */
const fileOf = (teams: number, plan: string, second: string) =>
  Array.from(
    { length: teams },
    (_, at) => `
  team-${at}:
    name: Team ${at}
    plan: ${plan}
    products:
      app: { name: App, status: published, changelog: { name: ${plan} } }
      ${second}: { name: Other }
    keys:
      ci: { kind: FULL }
      docs: { products: [app${plan === 'free' ? `, ${second}` : ''}], expires: 2099-01-01 }
    hooks: [{ url: 'https://example.org/${second}' }]`,
  ).join('')

/** How many statements are prepared, from no team at all until all of them are deleted. */
async function statementsPrepared(teams: number): Promise<number> {
  using directory = scratch()
  const store = openNow(join(directory.path, 'x.db'), 'create')
  const apply = (text: string) =>
    store.transaction((records) =>
      applyTeams({ records, now: 0, who: null, rights: ALL_RIGHTS }, readApplyFile(`teams:${text}`, '-'), {
        prune: true,
        hooks,
        followPrivate: () => false,
        drop: (lost) => deleteRecords(records, null, lost),
      }),
    )
  const hooks = new HookChanges({ ...emptyContext(''), env: { PUBLIC_URL: 'https://news.acme.test' } }, {})
  const prepare = spyOn(Database.prototype, 'prepare')
  try {
    expect(await apply(fileOf(teams, 'paid', 'old'))).toHaveLength(6 * teams)
    expect(await apply(fileOf(teams, 'paid', 'old'))).toHaveLength(0)
    // The team, the changelog and a key are updated, a product and a hook created and others deleted.
    expect(await apply(fileOf(teams, 'free', 'new'))).toHaveLength(7 * teams)
    // The key loses the product that is deleted.
    expect(await apply(fileOf(teams, 'paid', 'old'))).toHaveLength(7 * teams)
    expect(await apply(' {}')).toHaveLength(teams)
    return prepare.mock.calls.length
  } finally {
    prepare.mockRestore()
    store.close()
  }
}

test('apply prepares as many statements for twenty teams as for two', async () => {
  const few = await statementsPrepared(2)
  expect(few).toBeGreaterThan(0)
  expect(await statementsPrepared(20)).toBe(few)
})
