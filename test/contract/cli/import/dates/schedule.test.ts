import { describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { ENGINES } from '../../../../support/servers/server.ts'
import { counts, prepared } from '../prepared.ts'

const OLD = '## [1.0.0] - 2026-01-02\n\n- Everything\n'
const AHEAD = `## [2.0.0] - 2099-12-01\n\n- Login\n\n${OLD}`
const AT = '2099-12-01T00:00:00.000Z'
const DAY = 86_400_000

/** The day that begins in so many hours, or the next one. */
const dayAfter = (hours: number) =>
  new Date(Math.ceil((Date.now() + hours * 3_600_000) / DAY) * DAY).toISOString().slice(0, 10)

describe.each(ENGINES)('an import on %s', (engine) => {
  test('schedules what the file dates ahead, and says so', async () => {
    await using at = await prepared(engine)
    writeFileSync(at.box.at('ahead.md'), AHEAD)
    const dry = await at.box.words('import acme/app ahead.md --dry-run')
    expect(dry.stderr).toMatch(/^2\.0\.0: would schedule it, public at 2099-12-01 00:00 UTC, in \d+ years$/m)
    const { stderr } = await at.box.words('import acme/app ahead.md')
    expect(stderr).toMatch(/^2\.0\.0: scheduled it, public at 2099-12-01 00:00 UTC, in \d+ years$/m)
    expect(await at.show('2.0.0')).toMatchObject({ status: 'draft', scheduled: true, publishedAt: AT })
    expect(await at.show('1.0.0')).toMatchObject({ status: 'published', scheduled: false })
    const again = await at.bring(AHEAD)
    expect(counts(again)).toMatchObject({ added: 0, updated: 0, unchanged: 2 })
    expect(again).toMatchObject({ scheduled: [] })
    expect(await at.bring(`## [3.0.0] - 2099-12-01\n\n- Search\n\n${AHEAD}`)).toMatchObject({
      scheduled: [{ version: '3.0.0', publishedAt: AT }],
    })
  })

  test('publishes what is dated a day that has begun somewhere, and schedules a day that has not', async () => {
    await using at = await prepared(engine)
    // Two days ahead has begun nowhere; the day that UTC has now has begun everywhere or is beginning.
    const today = new Date().toISOString().slice(0, 10)
    await at.bring(`## [3.0.0] - ${dayAfter(38)}\n\n- Later\n\n## [2.0.0] - ${today}\n\n- Now\n\n${OLD}`)
    expect(await at.show('3.0.0')).toMatchObject({ status: 'draft', scheduled: true })
    expect(await at.show('2.0.0')).toMatchObject({ status: 'published', scheduled: false })
  })

  test('moves a schedule with the date of the file, and publishes it with a date that has come', async () => {
    await using at = await prepared(engine)
    await at.bring(AHEAD)
    const { id } = await at.show('2.0.0')
    await at.bring(AHEAD.replace('2099-12-01', '2099-12-24'))
    expect(await at.show('2.0.0')).toMatchObject({
      id,
      scheduled: true,
      publishedAt: '2099-12-24T00:00:00.000Z',
    })
    await at.bring(AHEAD.replace('2099-12-01', '2026-02-03'))
    expect(await at.show('2.0.0')).toMatchObject({
      ...{ id, status: 'published', scheduled: false, publishedAt: '2026-02-03T00:00:00.000Z' },
    })
  })

  test('neither hides a published version by a date ahead nor gives it that date, and names the line', async () => {
    await using at = await prepared(engine)
    await at.bring(AHEAD.replace('2099-12-01', '2026-02-03'))
    expect(at.bring(AHEAD)).rejects.toThrow(
      'line 1: version 2.0.0: Version 2.0.0 of acme/app would be public',
    )
    expect(await at.show('2.0.0')).toMatchObject({
      ...{ status: 'published', scheduled: false, publishedAt: '2026-02-03T00:00:00.000Z' },
    })
  })

  test('schedules the unreleased section that becomes a version dated ahead', async () => {
    await using at = await prepared(engine)
    await at.bring(`## [Unreleased]\n\n- Login\n\n${OLD}`)
    const { id } = await at.show('Unreleased')
    await at.bring(AHEAD)
    expect(await at.show('2.0.0')).toMatchObject({ id, status: 'draft', scheduled: true, publishedAt: AT })
  })

  test('keeps a moment that was chosen by hand, whatever date the file has', async () => {
    await using at = await prepared(engine)
    const byHand = '2098-01-02T09:00:00.000Z'
    await at.bring(AHEAD)
    await at.box.json('version', 'schedule', 'acme/app', '2.0.0', '--at', byHand)
    for (const date of ['2099-12-01', '2099-12-24', '2026-02-03']) {
      await at.bring(AHEAD.replace('2099-12-01', date))
      expect(await at.show('2.0.0')).toMatchObject({ status: 'draft', scheduled: true, publishedAt: byHand })
    }
  })

  test('names a moment that was chosen by hand, and --overwrite replaces it', async () => {
    await using at = await prepared(engine)
    await at.bring(AHEAD)
    await at.box.json('version', 'schedule', 'acme/app', '2.0.0', '--at', '2098-01-02T09:00:00.000Z')
    expect(await at.bring(AHEAD)).toMatchObject({ corrections: [{ version: '2.0.0', what: 'date' }] })
    await at.bring(AHEAD, '--overwrite')
    expect(await at.show('2.0.0')).toMatchObject({ status: 'draft', scheduled: true, publishedAt: AT })
    expect(await at.bring(AHEAD)).toMatchObject({ corrections: [] })
  })

  test('keeps the schedule of a draft that was scheduled by hand, also when the file releases it', async () => {
    await using at = await prepared(engine)
    const draft = `## [2.0.0] - 2099-12-01 <!-- draft -->\n\n- Login\n\n${OLD}`
    await at.bring(draft)
    expect(await at.show('2.0.0')).toMatchObject({ status: 'draft', scheduled: false, publishedAt: AT })
    await at.box.json('version', 'schedule', 'acme/app', '2.0.0', '--at', AT)
    await at.bring(AHEAD.replace('2099-12-01', '2026-02-03'))
    expect(await at.show('2.0.0')).toMatchObject({ status: 'draft', scheduled: true, publishedAt: AT })
  })

  test('keeps a version a draft that was unscheduled by hand', async () => {
    await using at = await prepared(engine)
    await at.bring(AHEAD)
    await at.box.json('version', 'unschedule', 'acme/app', '2.0.0')
    await at.bring(AHEAD)
    expect(await at.show('2.0.0')).toMatchObject({ status: 'draft', scheduled: false })
  })

  test('of an export has every schedule again, in each format', async () => {
    await using at = await prepared(engine)
    const moment = '2099-12-01T09:00:00.000Z'
    await at.bring(AHEAD)
    await at.box.json('version', 'schedule', 'acme/app', '2.0.0', '--at', moment)
    const before = await at.show('2.0.0')
    await at.box.json('export', 'acme/app', '--format', 'json', '--output', at.box.at('app.json'))
    await at.box.json('export', '--all', '--output', at.box.at('all.jsonl'))
    for (const [args, same] of [
      [['acme/app', 'app.json', '--create'], before],
      [['--all', 'all.jsonl'], before],
    ] as const) {
      await at.box.json('team', 'delete', 'acme', '--yes')
      await at.box.json('import', ...args)
      expect(await at.show('2.0.0')).toEqual(same)
      const { records: _, ...again } = await at.box.json('import', ...args)
      expect(again).toMatchObject({ added: 0, updated: 0, unchanged: 2 })
    }
  })

  test('of an export whose moment has come meanwhile publishes the version', async () => {
    await using at = await prepared(engine)
    await at.bring(AHEAD)
    await at.box.json('export', 'acme/app', '--format', 'json', '--output', at.box.at('app.json'))
    const text = await Bun.file(at.box.at('app.json')).text()
    expect(text).toContain('"status":"draft","scheduled":true')
    writeFileSync(at.box.at('app.json'), text.replace(AT, '2026-03-04T05:06:07.000Z'))
    for (const updated of [1, 0]) {
      expect(await at.box.json('import', 'acme/app', 'app.json')).toMatchObject({ updated })
      expect(await at.show('2.0.0')).toMatchObject({
        ...{ status: 'published', scheduled: false, publishedAt: '2026-03-04T05:06:07.000Z' },
      })
    }
  })
})
