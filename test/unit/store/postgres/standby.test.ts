import { expect, test } from 'bun:test'
import { Unavailable } from '../../../../src/domain/refusal.ts'
import { createWaiting } from '../../../../src/store/engines/wait.ts'
import { open, openForServing } from '../../../../src/store/open.ts'
import { Engine } from '../../../support/postgres/engine.ts'
import { until } from '../../../support/until.ts'

const team = (slug: string) => ({ slug, name: slug, visibility: 'public', plan: 'free' }) as const

test('a standby is served, follows the primary, refuses to be written to, and is one when it is promoted', async () => {
  await using primary = await Engine.start()
  const waiting = createWaiting()
  const create = async (address: string, slug: string): Promise<void> => {
    const store = await open(address, 'create', waiting)
    try {
      await store.transaction(async (records) => void (await records.teams.create(team(slug), 0)))
    } finally {
      store.close()
    }
  }
  await create(primary.address(), 'first')
  await using standby = await primary.standby()
  const reported: unknown[] = []
  const store = await openForServing(standby.address(), {
    waiting,
    report: (event) => reported.push(event),
  })
  const before = store.revision()
  await create(primary.address(), 'second')
  await until(() => store.revision() !== before)
  await store.ping()
  const refusal = await create(standby.address(), 'third').catch((error) => error)
  expect(refusal).not.toBeInstanceOf(Unavailable)
  expect(refusal).toMatchObject({ hint: 'Use the primary server, not a standby.' })

  await primary.kill()
  await standby.promote()
  const promoted = store.revision()
  await create(standby.address(), 'third')
  await until(() => store.revision() !== promoted)
  await store.ping()
  expect(reported).toEqual([])
  store.close()
})
