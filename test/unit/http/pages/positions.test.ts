import { afterAll, describe, expect, test } from 'bun:test'
import { writeCursor } from '../../../../src/http/reading/addresses.ts'
import { noting, openHandler } from '../../../support/servers/handler.ts'

const PAGE = '/changelog/acme/app'
const VERSIONS = 45
const DAY = 86_400_000

describe('a cursor that is not from a link', () => {
  /** The ids, newest first; two versions have the same time. */
  const ids: string[] = []
  const timeOf = (at: number) => (VERSIONS - Math.floor(at / 2)) * DAY
  const after = (publishedAt: number, id: string) => writeCursor({ publishedAt, id })
  const cursorOf = (at: number) => after(timeOf(at), ids[at] as string)
  /** How often the content of releases was read. */
  let reads = 0

  const server = openHandler(
    {},
    noting(['readChangelog'], () => reads++),
  )
  const { changelogId } = server.seed.product(server.seed.team('acme'), 'app')
  for (let at = 0; at < VERSIONS; at++)
    ids.push(server.seed.version(changelogId, `1.${at}`, { publishedAt: timeOf(at) }))
  for (let at = 0; at + 1 < VERSIONS; at += 2)
    if ((ids[at] as string) < (ids[at + 1] as string))
      ids.splice(at, 2, ids[at + 1] as string, ids[at] as string)
  server.seed.version(changelogId, 'hidden', { publishedAt: timeOf(4) + 1, status: 'draft' })
  afterAll(() => server[Symbol.dispose]())

  const follow = async (path: string, query: string) => {
    reads = 0
    const response = await server.get(`${path}?${query}`)
    return { status: response.status, location: response.headers.get('location'), reads }
  }

  describe.each([PAGE, `${PAGE}/CHANGELOG.md`])('of %s', (path) => {
    // The file reads one for the names of the changelog.
    const reads = path === PAGE ? 0 : 1
    const leads = (location: string) => ({ status: 302, location: path + location, reads })

    test('leads to the version above it or to the whole of it, without reading a list', async () => {
      for (const id of ['ver_z1', 'ver_0']) {
        expect(await follow(path, `cursor=${after(timeOf(0) + DAY, id)}`)).toEqual(leads(''))
        expect(await follow(path, `cursor=${after(timeOf(4) + 1, id)}`)).toEqual(
          leads(`?cursor=${cursorOf(3)}`),
        )
      }
      for (const [at, id] of [`${ids[4]}0`, ids[4]?.slice(0, -1)].entries())
        expect(await follow(path, `cursor=${after(timeOf(4), id as string)}`)).toEqual(
          leads(`?cursor=${cursorOf(3 + at)}`),
        )
    })

    test('is refused in another spelling, and those of versions are not redirected', async () => {
      const [time, id] = [timeOf(4), ids[4]]
      for (const text of [`0${time} ${id}`, `-0 ${id}`, `9999999999999999 ${id}`])
        expect((await follow(path, `cursor=${Buffer.from(text).toString('base64url')}`)).status).toBe(400)
      for (const at of [0, 1, 20, VERSIONS - 2])
        expect(await follow(path, `cursor=${cursorOf(at)}`)).toMatchObject({ status: 200, location: null })
    })
  })

  test('leads from below the last release to the beginning', async () => {
    expect(await follow(PAGE, `cursor=${cursorOf(VERSIONS - 1)}`)).toMatchObject({
      status: 302,
      location: PAGE,
    })
  })

  test.each(['q=', 'q=%20', 'type=', 'q=&type=%01'])('%s asks for the page without it', async (query) => {
    expect(await follow(PAGE, query)).toEqual({ status: 302, location: PAGE, reads: 0 })
    expect(await follow(PAGE, `${query}&cursor=${cursorOf(3)}`)).toEqual({
      status: 302,
      location: `${PAGE}?cursor=${cursorOf(3)}`,
      reads: 0,
    })
  })
})
