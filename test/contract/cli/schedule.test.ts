import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { run } from '../../../src/cli/program.ts'
import { contextWith } from '../../support/commands/context.ts'
import { Sandbox } from '../../support/sandbox.ts'
import { ENGINES } from '../../support/servers/server.ts'

const PUBLIC = '/public/teams/acme/products/app/changelog'
const AT = '2099-12-01T09:00:00.000Z'

describe.each(ENGINES)('scheduling on %s', (engine) => {
  const box = new Sandbox(engine)
  let token: string
  const labels = async () => (await box.seenByApi(PUBLIC)).data?.versions?.map(({ version }) => version)
  const shown = () => box.json('version', 'show', 'acme/app', '2.0.0')
  const schedule = (at = AT) => box.run(['version', 'schedule', 'acme/app', '2.0.0', '--at', at])
  /** As if the clock had passed the moment. */
  const pass = () => box.write("UPDATE version SET published_at = 1000000 WHERE label = '2.0.0'")

  beforeAll(async () => {
    await box.renew()
    await box.json('team', 'create', 'acme', '--name', 'Acme', '--visibility', 'public', '--plan', 'paid')
    await box.json('product', 'create', 'acme/app', '--name', 'App', '--status', 'published')
    await box.json('version', 'create', 'acme/app', '1.0.0', '--title', 'One', '--status', 'published')
    token = String((await box.json('key', 'create', 'acme')).token)
    await box.seenByApi(PUBLIC)
  })
  afterAll(() => box.close())
  beforeEach(() => box.json('version', 'create', 'acme/app', '2.0.0', '--title', 'Two'))
  afterEach(async () => {
    await box.run(['product', 'update', 'acme/app', '--status', 'published'])
    await box.run(['version', 'delete', 'acme/app', '2.0.0', '--yes'])
  })

  test('a scheduled version is a draft with its moment, for commands and for keys, and hidden from the public', async () => {
    const { status, stdout, stderr } = await schedule()
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    expect(stdout).toMatch(
      /^Scheduled version 2\.0\.0 of acme\/app: it goes public at 2099-12-01 09:00 UTC, in \d+ years\.\n$/,
    )
    expect(await shown()).toMatchObject({ status: 'draft', scheduled: true, publishedAt: AT })
    expect(await labels()).toEqual(['1.0.0'])
    const { data } = await box.seenByApi('/teams/acme/products/app/changelog', token)
    expect(data?.versions?.[0]).toEqual({
      id: expect.any(String),
      ...{ object: 'changelog.version', version: '2.0.0', title: 'Two' },
      ...{ status: 'draft', publishedAt: AT, changeCount: 0 },
    })
  })

  test('list and status say that it is scheduled, and when it goes public', async () => {
    await schedule()
    const list = (await box.words('version list acme/app')).stdout
    expect(list).toMatch(/2\.0\.0 +Two +scheduled +2099-12-01 \(in \d+ years\)/)
    const overview = (await box.words('status')).stdout
    expect(overview).toMatch(/1 version, newest 1\.0\.0 +1 draft, 2\.0\.0 goes public in \d+ years/)
    const one = (await box.words('status acme/app')).stdout
    expect(one).toMatch(
      /Scheduled, .*:\n {2}2\.0\.0 {2}Two {2}goes public in \d+ years {2}2099-12-01 09:00 UTC {2}0 changes/,
    )
    expect(one).not.toContain('Drafts')
    const { versions } = await box.json<{ versions: object[] }>('status', 'acme/app')
    expect(versions[0]).toMatchObject({
      ...{ scheduled: true, public: false },
      hidden: [{ code: 'scheduled_version', message: `version 2.0.0 is scheduled for ${AT}` }],
    })
  })

  test('once its moment has come it is published everywhere, without a command', async () => {
    await schedule()
    pass()
    expect(await labels()).toEqual(['1.0.0', '2.0.0'])
    expect(await shown()).toMatchObject({ status: 'published', scheduled: false })
    expect((await box.words('version list acme/app')).stdout).toMatch(/2\.0\.0 +Two +published/)
    const [product] = await box.json<object[]>('product', 'list', 'acme')
    expect(product).toMatchObject({ publishedCount: 2, draftCount: 0 })
  })

  test('a moment in the past is refused, and changes nothing', async () => {
    const { status, stderr } = await schedule('2020-01-01T09:00Z')
    expect([status, stderr]).toEqual([
      1,
      'changelogd: 2020-01-01 09:00 UTC is in the past. Give a later time. To publish it now: changelogd version publish acme/app 2.0.0\n',
    ])
    expect(await shown()).toMatchObject({ status: 'draft', scheduled: false })
  })

  test('a moment in words is read if it is clear, and wrong usage otherwise', async () => {
    const start = Date.now()
    expect((await schedule('+2h')).status).toBe(0)
    const { publishedAt } = await shown()
    const ahead = Date.parse(String(publishedAt)) - 7_200_000
    expect(ahead).toBeGreaterThanOrEqual(start)
    expect(ahead).toBeLessThanOrEqual(Date.now())
    const { status, stderr } = await schedule('soon')
    expect([status, stderr]).toEqual([2, expect.stringContaining('words such as "+2h", "friday 9am"')])
    expect(await shown()).toMatchObject({ publishedAt })
    const next = await schedule('next friday 9am')
    expect([next.status, next.stderr]).toEqual([
      1,
      expect.stringMatching(
        /"next friday 9am" is ambiguous: it may be \S+ 09:00 UTC or \S+ 09:00 UTC\. Give the date/,
      ),
    ])
    expect(await shown()).toMatchObject({ publishedAt })
  })

  test('what is published is not scheduled', async () => {
    const published = await box.run(['version', 'schedule', 'acme/app', '1.0.0', '--at', AT])
    expect([published.status, published.stderr]).toEqual([
      1,
      expect.stringContaining('version draft acme/app 1.0.0'),
    ])
    await schedule()
    pass()
    for (const args of [['schedule', '--at', AT], ['unschedule']]) {
      const [word = '', ...rest] = args
      const { status, stderr } = await box.run(['version', word, 'acme/app', '2.0.0', ...rest])
      expect([status, stderr]).toEqual([1, expect.stringContaining('is already published')])
    }
    expect(await labels()).toEqual(['1.0.0', '2.0.0'])
  })

  test('it is rescheduled by scheduling it again, or by its date, but not into the past', async () => {
    await schedule()
    await schedule('2098-01-02T03:04:05.678Z')
    expect(await shown()).toMatchObject({ scheduled: true, publishedAt: '2098-01-02T03:04:05.678Z' })
    const { stdout } = await box.words('version update acme/app 2.0.0 --date 2097-01-01 --title Later')
    expect(stdout).toContain('It goes public at 2097-01-01 00:00 UTC')
    expect(await shown()).toMatchObject({
      ...{ scheduled: true, title: 'Later', publishedAt: '2097-01-01T00:00:00.000Z' },
    })
    expect((await box.words('version update acme/app 2.0.0 --date 2020-01-01')).status).toBe(1)
    expect(await shown()).toMatchObject({ scheduled: true, publishedAt: '2097-01-01T00:00:00.000Z' })
  })

  test('updating something else leaves the schedule as it is', async () => {
    await schedule()
    await box.json('version', 'update', 'acme/app', '2.0.0', '--title', 'Other')
    await box.json('change', 'add', 'acme/app', '2.0.0', 'A change', '--type', 'added')
    expect(await shown()).toMatchObject({ scheduled: true, publishedAt: AT, title: 'Other', changeCount: 1 })
  })

  test.each(['unschedule', 'draft'])('%s keeps it as a draft without a date', async (word) => {
    await schedule()
    const { stdout } = await box.words(`version ${word} acme/app 2.0.0`)
    expect(stdout).toBe('Version 2.0.0 of acme/app is no longer scheduled: it stays a draft.\n')
    expect(await shown()).toMatchObject({ status: 'draft', scheduled: false })
    expect((await box.words('version list acme/app')).stdout).toMatch(/2\.0\.0 +Two +draft +- /)
    await box.json('version', 'publish', 'acme/app', '2.0.0')
    expect(await labels()).toEqual(['2.0.0', '1.0.0'])
  })

  test('publishing it earlier dates it now', async () => {
    await schedule()
    const start = Date.now()
    await box.json('version', 'publish', 'acme/app', '2.0.0')
    const { publishedAt, ...version } = await shown()
    expect(version).toMatchObject({ status: 'published', scheduled: false })
    expect(Date.parse(String(publishedAt))).toBeGreaterThanOrEqual(start)
    expect(Date.parse(String(publishedAt))).toBeLessThanOrEqual(Date.now())
    expect(await labels()).toEqual(['2.0.0', '1.0.0'])
  })

  test('making one that has gone public a draft hides it', async () => {
    await schedule()
    pass()
    expect(await labels()).toContain('2.0.0')
    const { stdout } = await box.words('version draft acme/app 2.0.0')
    expect(stdout).toBe('Version 2.0.0 of acme/app is a draft again and no longer public.\n')
    expect(await labels()).toEqual(['1.0.0'])
    expect(await shown()).toMatchObject({ status: 'draft', scheduled: false })
  })

  test('a locked product refuses a schedule, and hides what goes public by one', async () => {
    await schedule()
    await box.json('product', 'update', 'acme/app', '--status', 'locked')
    for (const line of [`schedule acme/app 2.0.0 --at ${AT}`, 'unschedule acme/app 2.0.0']) {
      const { status, stderr } = await box.words(`version ${line}`)
      expect([status, stderr]).toEqual([1, expect.stringContaining('is locked')])
    }
    pass()
    expect(await box.seenByApi(PUBLIC)).toEqual({ status: 404 })
  })

  test('it stays scheduled when its product is renamed', async () => {
    await schedule()
    await box.json('product', 'update', 'acme/app', '--slug', 'tool', '--yes')
    expect(await box.json('version', 'show', 'acme/tool', '2.0.0')).toMatchObject({
      scheduled: true,
      publishedAt: AT,
    })
    await box.json('product', 'update', 'acme/tool', '--slug', 'app', '--yes')
    expect(await shown()).toMatchObject({ scheduled: true, publishedAt: AT })
  })

  // PostgreSQL has backups of its own.
  if (engine === 'SQLite')
    test('it stays scheduled in a backup', async () => {
      await schedule()
      await box.json('backup', box.at('copy.db'))
      const { stdout } = await box.words(`version show acme/app 2.0.0 --json --db ${box.at('copy.db')}`)
      expect(JSON.parse(stdout)).toEqual(await shown())
    })

  test('a hidden product is named when one of its versions is scheduled', async () => {
    await box.json('product', 'update', 'acme/app', '--status', 'draft')
    const { stdout, stderr } = await schedule()
    expect(stdout).toContain('Scheduled version 2.0.0')
    expect(stderr).toBe('Still hidden: the product is a draft. To change that: changelogd publish acme/app\n')
  })

  test('a product whose only version is scheduled says until when nothing is to be seen', async () => {
    await box.json('product', 'create', 'acme/only', '--name', 'Only')
    await box.json('version', 'create', 'acme/only', '1.0.0')
    await box.json('version', 'create', 'acme/only', '0.9.0')
    await box.json('version', 'schedule', 'acme/only', '1.0.0', '--at', AT)
    expect((await box.words('publish acme/only')).stderr).toBe(
      'Still hidden: no version is published until 1.0.0 goes public. To change that: changelogd version publish acme/only 1.0.0\n',
    )
    await box.json('product', 'delete', 'acme/only', '--yes')
  })

  test('what is public gets no date ahead, by update, edit, import or release', async () => {
    const file = box.at('CHANGELOG.md')
    await Bun.write(file, '## [1.0.0] - 2099-12-01\n\n- A change\n')
    const before = await box.json('version', 'show', 'acme/app', '1.0.0')
    await Bun.write(box.at('editor'), '#!/bin/sh\nsed -i \'s/- 20[0-9-]*/- 2099-12-01/\' "$1"\n')
    for (const [env, ...line] of [
      [{}, 'version', 'update', 'acme/app', '1.0.0', '--date', AT],
      [{ EDITOR: `sh ${box.at('editor')}` }, 'edit', 'acme/app', '1.0.0'],
      [{}, 'import', 'acme/app', file],
    ] as const) {
      const { status, stdout, stderr } = await box.run(line, env)
      expect([status, stdout]).toEqual([1, ''])
      expect(stderr).toContain(
        'Version 1.0.0 of acme/app would be public now, with a date ahead: 2099-12-01 ',
      )
      expect(stderr).toContain('To hide it until then: changelogd version draft acme/app 1.0.0, and: ')
      expect(await box.json('version', 'show', 'acme/app', '1.0.0')).toEqual(before)
    }
    await box.json('version', 'update', 'acme/app', '2.0.0', '--label', 'Unreleased')
    await box.json('change', 'add', 'acme/app', 'Unreleased', 'A change', '--type', 'added')
    const { status, stderr } = await box.words('release acme/app 2.0.0 --date 2099-12-01')
    expect([status, stderr]).toEqual([1, expect.stringContaining('release acme/app 2.0.0 --at 2099-12-01T')])
    await box.json('version', 'update', 'acme/app', 'Unreleased', '--label', '2.0.0')
  })

  describe('of a version that is dated ahead', () => {
    beforeEach(() => box.json('version', 'update', 'acme/app', '2.0.0', '--date', AT))

    /** Publishes it at a terminal, where the question gets this answer. */
    async function publishAt(answer: boolean) {
      let [stdout, stderr] = ['', '']
      const asked: string[] = []
      const context = contextWith({
        env: box.env,
        now: Date.now,
        terminal: { input: true, output: true, width: 200 },
        stdout: async (text) => {
          stdout += text
        },
        stderr: async (text) => {
          stderr += text
        },
        confirm: async (question) => {
          asked.push(question)
          return answer
        },
      })
      return {
        status: await run(context, ['version', 'publish', 'acme/app', '2.0.0']),
        stdout,
        stderr,
        asked,
      }
    }

    test('publishing is refused without a terminal, and both commands are named', async () => {
      for (const line of ['publish acme/app 2.0.0', 'update acme/app 2.0.0 --status published']) {
        const { status, stdout, stderr } = await box.words(`version ${line}`)
        expect([status, stdout]).toEqual([1, ''])
        expect(stderr).toStartWith(
          'changelogd: Version 2.0.0 of acme/app would be public now, with a date ahead: 2099-12-01 09:00 UTC. ',
        )
        expect(stderr).toContain(`: changelogd version schedule acme/app 2.0.0 --at ${AT}\n`)
        expect(stderr).toContain(': changelogd version publish acme/app 2.0.0 --now\n')
      }
      expect(await labels()).toEqual(['1.0.0'])
      const create = `version create acme/app 3.0.0 --title Three --status published --date ${AT}`
      expect((await box.words(create)).stderr).toContain(`version schedule acme/app 3.0.0 --at ${AT}`)
      expect((await box.words('version show acme/app 3.0.0')).status).toBe(1)
    })

    test('publishing asks at a terminal, and yes schedules it', async () => {
      const { status, stdout, stderr, asked } = await publishAt(true)
      expect([status, asked]).toEqual([0, ['Schedule it for then?']])
      expect(stderr).toContain('is dated 2099-12-01 09:00 UTC')
      expect(stdout).toContain('Scheduled version 2.0.0')
      expect(await shown()).toMatchObject({ status: 'draft', scheduled: true, publishedAt: AT })
    })

    test('publishing asks at a terminal, and no changes nothing', async () => {
      const { status, stderr } = await publishAt(false)
      expect([status, stderr]).toEqual([1, expect.stringContaining('version publish acme/app 2.0.0 --now')])
      expect(await shown()).toMatchObject({ status: 'draft', scheduled: false })
    })

    test('publish --now publishes it with the date of now', async () => {
      await box.json('version', 'publish', 'acme/app', '2.0.0', '--now')
      expect(await labels()).toEqual(['2.0.0', '1.0.0'])
      expect(Date.parse(String((await shown()).publishedAt))).toBeLessThanOrEqual(Date.now())
    })
  })
})
