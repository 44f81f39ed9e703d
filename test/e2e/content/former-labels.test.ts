import { describe, expect, test } from 'bun:test'
import { type Sandbox, sandboxForEach } from '../../support/sandbox.ts'
import { ENGINES } from '../../support/servers/server.ts'

const PAGE = '/changelog/acme/app'
const API = '/api/v1/public/teams/acme/products/app/changelog'
const KEYED = '/api/v1/teams/acme/products/app/changelog'

/** A public version 1.0.0 that was called 0.9 before. */
async function prepare(box: Sandbox): Promise<void> {
  await box.json('team', 'create', 'acme', '--name', 'Acme', '--visibility', 'public', '--plan', 'paid')
  await box.json('product', 'create', 'acme/app', '--name', 'App', '--status', 'published')
  await box.json('version', 'create', 'acme/app', '0.9', '--status', 'published', '--date', '2026-01-02')
  await box.json('version', 'update', 'acme/app', '0.9', '--label', '1.0.0')
}

describe.each(ENGINES)('the old label of a public version on %s', (engine) => {
  const box = sandboxForEach(prepare, engine)

  const answer = async (path: string, token?: string) => {
    const { status, headers } = await box.response(path, token)
    return status === 302 ? headers.get('location') : status
  }
  /** Everything about an answer that a reader can compare. */
  const whole = async (path: string) => {
    const response = await box.response(path)
    const headers = [...response.headers].filter(([name]) => !/^(date|ratelimit|x-request-id)$/.test(name))
    return { status: response.status, headers, body: await response.text() }
  }
  const exported = async (): Promise<string> => (await box.words('export --all')).stdout
  const old = () => Promise.all([answer(`${PAGE}/0.9`), answer(`${API}/versions/0.9`)])

  const LEADS: [string, string] = [`${PAGE}/1.0.0`, `${API}/versions/1.0.0`]

  test('leads to its page and its address in the API, for everyone who may see it', async () => {
    expect(await old()).toEqual(LEADS)
    expect(await answer(`${PAGE}/0.9?page=2`)).toBe(`${PAGE}/1.0.0?page=2`)
    const { token } = await box.json<{ token: string }>('key', 'create', 'acme')
    expect(await answer(`${KEYED}/versions/0.9`, token)).toBe(`${KEYED}/versions/1.0.0`)
    const redirect = await box.response(`${KEYED}/versions/0.9`, token)
    expect(redirect.headers.get('cache-control')).toBe('private, no-cache')
    expect((await box.response(`${API}/versions/0.9`)).headers.get('access-control-allow-origin')).toBe('*')
    expect(await box.words('version show acme/app 0.9')).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('Version 0.9 is called 1.0.0 now.'),
    })
    expect(await box.json('version', 'show', 'acme/app', '1.0.0')).toMatchObject({ formerLabels: ['0.9'] })
  })

  test('selects what is newer than the version, as its label does', async () => {
    await box.json('version', 'create', 'acme/app', '2.0.0', '--status', 'published')
    const newer = async (label: string) => {
      const { data } = await box.seenByApi(`${API.slice('/api/v1'.length)}?after=${label}`)
      return data?.versions?.map(({ version }) => version)
    }
    expect(await newer('0.9')).toEqual(['2.0.0'])
    expect(await newer('1.0.0')).toEqual(['2.0.0'])
    expect(await newer('0.8')).toBeUndefined()
  })

  test('is as missing as any other while the version is hidden', async () => {
    for (const [hide, show] of [
      ['version draft acme/app 1.0.0', 'version publish acme/app 1.0.0'],
      ['product update acme/app --status draft', 'product update acme/app --status published'],
      ['changelog update acme/app --status locked', 'changelog update acme/app --status published'],
      ['team update acme --visibility private', 'team update acme --visibility public'],
    ] as const) {
      expect((await box.words(hide)).status).toBe(0)
      for (const path of [`${PAGE}/`, `${API}/versions/`])
        expect(await whole(`${path}0.9`)).toEqual(await whole(`${path}never`))
      expect(await whole(`${API}?after=0.9`)).toEqual(await whole(`${API}?after=never`))
      expect((await box.words(show)).status).toBe(0)
      expect(await old()).toEqual(LEADS)
    }
  })

  test('that was never public leads nowhere', async () => {
    await box.json('version', 'create', 'acme/app', 'secret')
    await box.json('version', 'update', 'acme/app', 'secret', '--label', '2.0.0')
    await box.json('version', 'publish', 'acme/app', '2.0.0')
    expect(await answer(`${PAGE}/secret`)).toBe(404)
    await box.json('team', 'update', 'acme', '--visibility', 'private')
    await box.json('version', 'update', 'acme/app', '2.0.0', '--label', '3.0.0')
    await box.json('team', 'update', 'acme', '--visibility', 'public')
    expect(await answer(`${PAGE}/2.0.0`)).toBe(404)
  })

  test('belongs to a new version with that label as soon as that is public, and leads on when it is gone', async () => {
    await box.json('version', 'create', 'acme/app', '0.9', '--title', 'New')
    expect(await old()).toEqual(LEADS)
    await box.json('version', 'publish', 'acme/app', '0.9')
    expect(await old()).toEqual([200, 200])
    await box.json('version', 'update', 'acme/app', '0.9', '--label', '0.9.1')
    expect(await old()).toEqual([`${PAGE}/0.9.1`, `${API}/versions/0.9.1`])
    await box.words('version delete acme/app 0.9.1 --yes')
    expect(await old()).toEqual([404, 404])
    await box.words('undo --last')
    expect(await old()).toEqual([`${PAGE}/0.9.1`, `${API}/versions/0.9.1`])
  })

  test('is the label again if the version gets it back, and the one between leads to it', async () => {
    await box.json('version', 'update', 'acme/app', '1.0.0', '--label', '0.9')
    expect(await old()).toEqual([200, 200])
    expect(await answer(`${PAGE}/1.0.0`)).toBe(`${PAGE}/0.9`)
    expect(await box.json('version', 'show', 'acme/app', '0.9')).toMatchObject({ formerLabels: ['1.0.0'] })
  })

  test('moves to another database, and comes back with what was deleted', async () => {
    const before = await exported()
    expect(before).toContain('"version":"1.0.0","formerLabels":["0.9"]')
    await Bun.write(box.at('all.jsonl'), before)
    for (const what of ['version delete acme/app 1.0.0', 'product delete acme/app', 'team delete acme']) {
      expect((await box.words(`${what} --yes`)).status).toBe(0)
      expect(await old()).toEqual([404, 404])
      expect((await box.words('undo --last')).status).toBe(0)
      expect(await exported()).toBe(before)
      expect(await old()).toEqual(LEADS)
    }
    const again = await box.json('import', '--all', box.at('all.jsonl'))
    expect(again).toMatchObject({ unchanged: 1, updated: 0 })
    await box.words('team delete acme --yes')
    await box.json('import', '--all', box.at('all.jsonl'))
    expect(await exported()).toBe(before)
    expect(await old()).toEqual(LEADS)
  })

  test('is kept when an import renames the version, and never lost by one', async () => {
    await Bun.write(box.at('all.jsonl'), await exported())
    await box.json('version', 'update', 'acme/app', '1.0.0', '--label', '1.0.1')
    expect(await box.json('import', '--all', box.at('all.jsonl'))).toMatchObject({ updated: 1 })
    expect(await old()).toEqual(LEADS)
    expect(await answer(`${PAGE}/1.0.1`)).toBe(`${PAGE}/1.0.0`)

    const file = (label: string) =>
      `# Changelog\n\n## ${label}\n\n### Added\n\n- One thing\n- Another thing\n`
    await Bun.write(box.at('CHANGELOG.md'), file('Unreleased'))
    await box.json('import', 'acme/app', box.at('CHANGELOG.md'))
    await box.json('version', 'publish', 'acme/app', 'Unreleased')
    expect(await answer(`${PAGE}/Unreleased`)).toBe(200)
    await Bun.write(box.at('CHANGELOG.md'), file('2.0.0 - 2026-02-03'))
    await box.json('import', 'acme/app', box.at('CHANGELOG.md'))
    expect(await answer(`${PAGE}/Unreleased`)).toBe(`${PAGE}/2.0.0`)
  })
})

describe.each(ENGINES)('a label that differs by its v on %s', (engine) => {
  const box = sandboxForEach(prepare, engine)

  test('is refused with the reason, whichever command would give it, unless the version keeps its number', async () => {
    await box.json('version', 'create', 'acme/app', 'Unreleased', '--description', 'New')
    await box.json('version', 'create', 'acme/app', 'v2')
    for (const [line, is, wanted] of [
      ['version create acme/app v1.0.0', '1.0.0', 'v1.0.0'],
      ['version create acme/app V1.0.0', '1.0.0', 'V1.0.0'],
      ['version create acme/app 2', 'v2', '2'],
      ['version update acme/app v2 --label v1.0.0', '1.0.0', 'v1.0.0'],
      ['release acme/app v1.0.0', '1.0.0', 'v1.0.0'],
      ['edit acme/app v1.0.0', '1.0.0', 'v1.0.0'],
    ] as const)
      expect(await box.run(line.split(' '), { EDITOR: 'true' })).toEqual({
        status: 1,
        stdout: '',
        stderr: `changelogd: There is a version ${is} of acme/app already, and an import would take ${wanted} for the same version. To see it: changelogd version show acme/app ${is}\n`,
      })
    await box.json('version', 'update', 'acme/app', '1.0.0', '--label', 'v1.0.0')
    await box.json('version', 'create', 'acme/app', 'vnext')
    await box.json('version', 'create', 'acme/app', 'next')
  })

  test('moves to another database with its twin, if there are both', async () => {
    await box.json('version', 'create', 'acme/app', '1.0.1')
    box.write("update version set label = 'v1.0.0' where label = '1.0.1'")
    const before = (await box.words('export --all')).stdout
    await Bun.write(box.at('all.jsonl'), before)
    await box.json('version', 'update', 'acme/app', 'v1.0.0', '--title', 'The other one')
    await box.words('team delete acme --yes')
    expect(await box.json('import', '--all', box.at('all.jsonl'))).toMatchObject({ added: 2 })
    expect((await box.words('export --all')).stdout).toBe(before)
  })
})
