import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { Sandbox } from '../../support/sandbox.ts'

describe('a moment', () => {
  const box = new Sandbox()
  beforeAll(async () => {
    await box.renew()
    await box.json('team', 'create', 'acme', '--name', 'Acme', '--plan', 'paid')
    await box.json('product', 'create', 'acme/app', '--name', 'App')
  })
  afterAll(() => box.close())

  const created = async (label: string, date: string, zone: string) => {
    const args = ['version', 'create', 'acme/app', label, '--title', 'T', '--date', date]
    const { status, stdout, stderr } = await box.run(args, { TZ: zone })
    if (status !== 0) return { status, stderr }
    const { publishedAt } = await box.json('version', 'show', 'acme/app', label)
    return { publishedAt, said: / Its date is (.*)\.\n$/.exec(stdout)?.[1] }
  }

  test.each([
    ['2026-12-01T09:00', 'Europe/Berlin', '2026-12-01T08:00', '2026-12-01 09:00 +01:00 (08:00 UTC)'],
    [
      '2026-07-01T00:30',
      'Europe/Berlin',
      '2026-06-30T22:30',
      '2026-07-01 00:30 +02:00 (2026-06-30 22:30 UTC)',
    ],
    ['2026-12-01T09:00', 'America/New_York', '2026-12-01T14:00', '2026-12-01 09:00 -05:00 (14:00 UTC)'],
    ['2026-12-01T09:00', 'Asia/Kolkata', '2026-12-01T03:30', '2026-12-01 09:00 +05:30 (03:30 UTC)'],
    ['2026-12-01T09:00', 'UTC', '2026-12-01T09:00', '2026-12-01 09:00 UTC'],
    ['2026-12-01T09:00Z', 'Europe/Berlin', '2026-12-01T09:00', '2026-12-01 10:00 +01:00 (09:00 UTC)'],
    ['2026-12-01T09:00-05:00', 'Europe/Berlin', '2026-12-01T14:00', '2026-12-01 15:00 +01:00 (14:00 UTC)'],
    ['2026-12-01', 'Europe/Berlin', '2026-12-01T00:00', '2026-12-01 01:00 +01:00 (00:00 UTC)'],
    ['2026-12-01', 'America/New_York', '2026-12-01T00:00', '2026-11-30 19:00 -05:00 (2026-12-01 00:00 UTC)'],
    // The first of two, when clocks are set back.
    ['2026-10-25T02:30', 'Europe/Berlin', '2026-10-25T00:30', '2026-10-25 02:30 +02:00 (00:30 UTC)'],
  ])('written as %s in %s is %s, and is printed back as %s', async (date, zone, publishedAt, said) => {
    expect(await created(`${date} ${zone}`, date, zone)).toEqual({
      publishedAt: `${publishedAt}:00.000Z`,
      said,
    })
  })

  test('that clocks are set forward past is refused', async () => {
    expect(await created('skipped', '2026-03-29T02:30', 'Europe/Berlin')).toEqual({
      status: 2,
      stderr: expect.stringContaining('there is no such time here: clocks are set forward past it'),
    })
    expect(await created('skipped', '2026-03-29T02:30', 'UTC')).toMatchObject({
      said: '2026-03-29 02:30 UTC',
    })
  })

  test('that is refused because it has passed is printed back too', async () => {
    await box.json('version', 'create', 'acme/app', 'late')
    const zone = { TZ: 'Europe/Berlin' }
    const scheduled = await box.run(
      ['version', 'schedule', 'acme/app', 'late', '--at', '2020-12-01T09:00'],
      zone,
    )
    expect(scheduled.stderr).toContain('2020-12-01 09:00 +01:00 (08:00 UTC) is in the past.')
    const key = await box.run(['key', 'create', 'acme', '--expires', '2020-12-01T09:00'], zone)
    expect(key.stderr).toContain('The key would expire in the past: 2020-12-01 09:00 +01:00 (08:00 UTC).')
  })

  test('that no export could write is refused, whichever command it would be stored by', async () => {
    await box.json('key', 'create', 'acme', '--label', 'bounded')
    await box.json('version', 'create', 'acme/app', 'bounded')
    await box.json('version', 'create', 'acme/app', 'Unreleased', '--description', 'New')
    await Bun.write(box.at('late.md'), '# Changelog\n\n## 1.0.0 - 9999-12-31T23:00:00-14:00\n\n- Late\n')
    for (const [line, message] of [
      ['key rotate acme/bounded --overlap 999999w', 'The old token would work until after the year 9999.'],
      ['key create acme --expires 999999w', 'The key would expire after the year 9999.'],
      ['version schedule acme/app bounded --at +99999999h', 'published after the year 9999.'],
      ['version create acme/app early --date 0001-02-03', 'published before the year 1000.'],
      ['version update acme/app bounded --date 0999-12-31', 'published before the year 1000.'],
      ['release acme/app 9.0.0 --at +99999999h', 'published after the year 9999.'],
      [
        `import acme/app ${box.at('late.md')}`,
        'version 1.0.0: The version would be published after the year 9999.',
      ],
    ] as const) {
      const { status, stderr } = await box.run(line.split(' '))
      expect({ line, status, stderr }).toEqual({ line, status: 1, stderr: expect.stringContaining(message) })
    }
    await box.json('key', 'rotate', 'acme/bounded', '--overlap', '9999w')
    // as 0.2.0 stored it
    box.write('update api_key_token set expires_at = 606621528000000 where expires_at is not null')
    await box.words(`export --all --output ${box.at('everything.jsonl')}`)
    const copy = box.at('copy.db')
    expect((await box.run(['import', '--all', box.at('everything.jsonl'), '--db', copy])).status).toBe(0)
  })

  test('at which a key expires is local too, and printed back', async () => {
    const args = ['key', 'create', 'acme', '--expires', '2099-12-01T09:00']
    const { stderr } = await box.run(args, { TZ: 'Europe/Berlin' })
    expect(stderr).toContain('which expires 2099-12-01 09:00 +01:00 (08:00 UTC).\n')
  })
})
