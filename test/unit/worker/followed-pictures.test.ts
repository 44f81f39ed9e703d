import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { rmSync, writeFileSync } from 'node:fs'
import { DAY_MS } from '../../../src/domain/time/time.ts'
import { openBookkeeping } from '../../../src/store/bookkeeping/open.ts'
import { png } from '../../support/pictures.ts'
import { EVERY, START, Worked } from '../../support/worked.ts'

const text = (...lines: string[]) =>
  `## [1.0.0] - 2026-01-02\n\n${lines.map((line) => `- ${line}\n`).join('')}\n`
const OURS = /pictures\/[0-9a-f]{32}-\d+x\d+\.webp/g

describe('pictures of a followed text', () => {
  let worked: Worked
  beforeEach(async () => {
    worked = await Worked.start()
  })
  afterEach(() => worked.close())

  const write = (name: string, content: string | Uint8Array) => writeFileSync(worked.box.at(name), content)
  const follow = async (content: string) => {
    write('a.md', content)
    await worked.box.json('follow', 'acme/a', 'a.md', '--create', '--publish')
  }
  const titles = async (): Promise<string[]> => {
    const [version] = await worked.box.json<{ id: string }[]>('version', 'list', 'acme/a')
    expect(version).toBeDefined()
    const { stdout } = await worked.box.run(['export', 'acme/a', '--format', 'json'])
    return [...stdout.matchAll(/"title":"(!\[[^"]*)"/g)].map(([, title = '']) => title)
  }
  const ours = async () => (await titles()).flatMap((title) => title.match(OURS) ?? [])
  const notices = () => worked.notices.splice(0).filter((each) => each.startsWith('source_notice '))
  const revision = async () => (await worked.box.run(['export', 'acme/a', '--format', 'json'])).stdout

  test('that are missing hold up no release, are named once, and are shown once they can be had, with the same text', async () => {
    await follow(text('![A](a.png)', '![B](b.png)'))
    write('a.png', png(40, 30))
    expect((await worked.round()).checked).toEqual(['acme/a imported'])
    expect(await ours()).toHaveLength(1)
    expect((await titles())[1]).toBe('![B](b.png)')
    const [named, ...others] = notices()
    expect(named).toContain('The picture b.png does not exist.')
    expect(others).toEqual([])
    expect((await worked.box.words('follow list')).stdout).toContain(
      'acme/a: The picture b.png does not exist.',
    )
    const before = await revision()
    for (const times of [2, 4]) await worked.round(START + times * EVERY)
    expect(await revision()).toBe(before)
    expect(notices()).toEqual([])
    write('b.png', png(30, 20))
    await worked.round(START + 40 * EVERY)
    expect(await ours()).toHaveLength(2)
    expect((await worked.box.words('follow list')).stdout).not.toContain('b.png')
    const after = await revision()
    await worked.round(START + 50 * EVERY)
    expect(await revision()).toBe(after)
  })

  test('are tried again less and less often, for a week', async () => {
    await follow(text('![A](a.png)'))
    let tried = 0
    for (let at = START; at < START + 9 * DAY_MS; at += at < START + 3 * EVERY ? EVERY : DAY_MS)
      tried += (await worked.round(at)).checked.filter((each) => each.endsWith(' imported')).length
    expect(tried).toBeGreaterThan(6)
    expect(tried).toBeLessThan(12)
    write('a.png', png(40, 30))
    expect((await worked.round(START + 10 * DAY_MS)).checked).toEqual(['acme/a unchanged'])
    expect((await worked.box.words('follow list')).stdout).not.toContain('a.png')
    await worked.box.run(['sync', 'acme/a'])
    expect(await ours()).toHaveLength(1)
  })

  test('stay on a release whatever becomes of their files, its text and what the worker remembers', async () => {
    await follow(text('![A](a.png)'))
    write('a.png', png(40, 30))
    await worked.round()
    const [first = ''] = await ours()
    rmSync(worked.box.at('a.png'))
    write('a.md', text('![A, seen from above](a.png)', 'New'))
    await worked.round(START + 2 * EVERY)
    expect(await titles()).toEqual([`![A, seen from above](${first})`])
    // Not even its memory tells of the picture.
    using bookkeeping = await openBookkeeping(worked.box.database)
    await bookkeeping.sourceChecks.keepOnly([])
    write('a.md', text('Newer', '![A, seen from above](a.png)'))
    await worked.round(START + 4 * EVERY)
    expect(await titles()).toEqual([`![A, seen from above](${first})`])
    write('a.md', text('![A, seen from above](renamed.png)'))
    await worked.round(START + 6 * EVERY)
    expect(await titles()).toEqual([`![A, seen from above](${first})`])
    write('renamed.png', png(50, 30))
    await worked.round(START + 60 * EVERY)
    const [second = ''] = await ours()
    expect(second).toContain('50x30')
    write('a.md', text('None'))
    await worked.round(START + 70 * EVERY)
    expect(await ours()).toEqual([])
  })

  test('that do not fit are left out, and the release comes', async () => {
    worked.picturesMaxBytes = 1_000
    await worked.begin()
    await follow(text('![A](a.png)'))
    write('a.png', png(200, 200, { noise: 1 }))
    expect((await worked.round()).checked).toEqual(['acme/a imported'])
    expect(await titles()).toEqual(['![A](a.png)'])
    expect(notices()[0]).toContain('The picture a.png cannot be stored: The pictures of acme/a would take')
  })

  test('that do not answer keep no release waiting', async () => {
    let asked = 0
    const answer = Promise.withResolvers<Response>()
    const server = Bun.serve({
      ...{ port: 0, hostname: '127.0.0.1', development: false, idleTimeout: 0 },
      fetch: ({ url }) => {
        if (url.endsWith('.md')) return new Response(text('![A](a.png)'))
        asked++
        return answer.promise
      },
    })
    const address = `http://127.0.0.1:${server.port}/CHANGELOG.md`
    await worked.box.json(
      'follow',
      'acme/a',
      address,
      '--create',
      '--publish',
      '--follow-private',
      '--no-check',
    )
    const round = worked.round()
    while (asked === 0) await Bun.sleep(1)
    expect(await titles()).toEqual(['![A](a.png)'])
    answer.resolve(new Response(png(40, 30)))
    await round
    expect(await ours()).toHaveLength(1)
    server.stop(true)
  })

  test('of a product that is renamed while its source is read come with its release', async () => {
    let isRenamed = false
    const server = Bun.serve({
      ...{ port: 0, hostname: '127.0.0.1', development: false },
      fetch: async ({ url }) => {
        if (!isRenamed) await worked.box.json('product', 'update', 'acme/a', '--slug', 'b', '--yes')
        isRenamed = true
        return new Response(url.endsWith('.md') ? text('![A](a.png)') : png(40, 30))
      },
    })
    const address = `http://127.0.0.1:${server.port}/CHANGELOG.md`
    await worked.box.json('follow', 'acme/a', address, '--create', '--follow-private', '--no-check')
    expect((await worked.round()).checked).toEqual(['acme/a imported'])
    const { stdout } = await worked.box.run(['export', 'acme/b', '--format', 'json'])
    expect(stdout).toMatch(OURS)
    server.stop(true)
  })
})
