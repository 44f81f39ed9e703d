import { expect, test } from 'bun:test'
import { Sandbox } from '../../support/sandbox.ts'
import { ENGINES } from '../../support/servers/server.ts'

/** What `apply` prints is in `transcripts/applying.txt`. */
test.each(ENGINES)(
  'apply creates a database and keys that open, and a dry run neither, on %s',
  async (engine) => {
    await using box = await Sandbox.on(engine, { isBare: true })
    const team = '{ name: Acme, plan: paid, products: { app: { name: App } }, keys: { ci: { kind: FULL } } }'
    await Bun.write(box.at('file.yml'), `teams: { acme: ${team} }`)
    interface Applied {
      steps: { name: string; token?: string }[]
    }
    const planned = await box.json<Applied>('apply', box.at('file.yml'), '--dry-run')
    expect(planned.steps.every(({ token }) => token === undefined)).toBe(true)
    expect(await box.isMissing()).toBe(true)
    const { steps } = await box.json<Applied>('apply', box.at('file.yml'))
    const CHANGELOGD_KEY = steps.find(({ name }) => name === 'acme/ci')?.token ?? ''
    const got = await box.run(['get', '/api/v1/teams/acme/products/app/changelog'], { CHANGELOGD_KEY })
    expect(got.status).toBe(0)
  },
)
