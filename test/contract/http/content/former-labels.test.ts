import { describe, expect, test } from 'bun:test'
import { Sandbox, sandboxForEach } from '../../../support/sandbox.ts'

const PAGE = '/changelog/acme/app'
const API = '/api/v1/public/teams/acme/products/app/changelog'
const KEYED = '/api/v1/teams/acme/products/app/changelog'
const LEADS: [string, string] = [`${PAGE}/1.0.0`, `${API}/versions/1.0.0`]

/** A public version 1.0.0 that was called 0.9 before. */
async function prepare(box: Sandbox): Promise<void> {
  await box.json('team', 'create', 'acme', '--name', 'Acme', '--visibility', 'public', '--plan', 'paid')
  await box.json('product', 'create', 'acme/app', '--name', 'App', '--status', 'published')
  await box.json('version', 'create', 'acme/app', '0.9', '--status', 'published', '--date', '2026-01-02')
  await box.json('version', 'update', 'acme/app', '0.9', '--label', '1.0.0')
}

describe('the old label of a public version', () => {
  const box = sandboxForEach(prepare)

  const answer = async (path: string, token?: string) => {
    const { status, headers } = await box.response(path, token)
    return status === 302 ? headers.get('location') : status
  }
  /** Everything about an answer that a reader can compare, but for the name of what is missing. */
  const whole = async (path: string, name: string) => {
    const response = await box.response(path + name)
    const headers = [...response.headers].filter(([name]) => !/^(date|ratelimit|x-request-id)$/.test(name))
    const body = (await response.text()).replaceAll(`no version ${name}`, 'no version')
    return { status: response.status, headers, body }
  }
  const must = async (line: string) => expect([line, (await box.words(line)).status]).toEqual([line, 0])
  const exported = async (): Promise<string> => (await box.words('export --all')).stdout
  const old = (name = '0.9') => Promise.all([answer(`${PAGE}/${name}`), answer(`${API}/versions/${name}`)])
  const newer = async (label: string) => {
    const { data } = await box.seenByApi(`${API.slice('/api/v1'.length)}?after=${label}`)
    return data?.versions?.map(({ version }) => version)
  }

  test('redirects to its page and its address in the API for everyone who may see it, and is as missing as any other while it is hidden', async () => {
    for (const name of ['0.9', 'v0.9', 'v1.0.0'])
      expect([name, ...(await old(name))]).toEqual([name, ...LEADS])
    expect(await answer(`${PAGE}/0.9?page=2`)).toBe(`${PAGE}/1.0.0?page=2`)
    const { token } = await box.json<{ token: string }>('key', 'create', 'acme')
    expect(await answer(`${KEYED}/versions/0.9`, token)).toBe(`${KEYED}/versions/1.0.0`)
    const redirect = await box.response(`${KEYED}/versions/0.9`, token)
    expect(redirect.headers.get('cache-control')).toBe('private, no-cache')
    expect((await box.response(`${API}/versions/0.9`)).headers.get('access-control-allow-origin')).toBe('*')
    expect((await box.words('version show acme/app 0.9')).stderr).toContain('Version 0.9 is now 1.0.0.')
    expect(await box.json('version', 'show', 'acme/app', '1.0.0')).toMatchObject({ formerLabels: ['0.9'] })
    for (const [hide, show] of [
      ['version draft acme/app 1.0.0', 'version publish acme/app 1.0.0'],
      ['product update acme/app --status draft', 'product update acme/app --status published'],
      ['changelog update acme/app --status locked', 'changelog update acme/app --status published'],
      ['team update acme --visibility private', 'team update acme --visibility public'],
    ] as const) {
      await must(hide)
      for (const path of [`${PAGE}/`, `${API}/versions/`, `${API}?after=`, `${PAGE}?from=x&to=`])
        for (const [hidden, never] of [
          ['0.9', '0.8'],
          ['v0.9', 'v0.8'],
          ['v1.0.0', 'v1.0.1'],
        ] as const)
          expect([hidden, await whole(path, hidden)]).toEqual([hidden, await whole(path, never)])
      await must(show)
      expect(await old()).toEqual(LEADS)
    }
    await box.json('version', 'create', 'acme/app', '2.0.0', '--status', 'published')
    expect([await newer('0.9'), await newer('1.0.0'), await newer('0.8')]).toEqual([
      ['2.0.0'],
      ['2.0.0'],
      undefined,
    ])
  })

  test('belongs to a new version with that label while that is public, to the same one if it gets it back, and one that was never public is a broken link', async () => {
    await must('version create acme/app 0.9 --title New')
    expect(await old()).toEqual(LEADS)
    await must('version publish acme/app 0.9')
    expect(await old()).toEqual([200, 200])
    await must('version update acme/app 0.9 --label 0.9.1')
    const leads = [`${PAGE}/0.9.1`, `${API}/versions/0.9.1`]
    expect(await old()).toEqual(leads as typeof LEADS)
    await must('version delete acme/app 0.9.1 --yes')
    expect(await old()).toEqual([404, 404])
    await must('undo --last')
    expect(await old()).toEqual(leads as typeof LEADS)
    await must('version update acme/app 0.9.1 --label 0.9')
    expect([...(await old()), await answer(`${PAGE}/0.9.1`)]).toEqual([200, 200, `${PAGE}/0.9`])

    await must('version create acme/app secret')
    await must('version update acme/app secret --label 2.0.0')
    await must('version publish acme/app 2.0.0')
    expect(await answer(`${PAGE}/secret`)).toBe(404)
    await must('team update acme --visibility private')
    await must('version update acme/app 2.0.0 --label 3.0.0')
    await must('team update acme --visibility public')
    expect(await answer(`${PAGE}/2.0.0`)).toBe(404)
  })

  test('comes back with what was deleted, moves to another database, and is kept by an import that renames the version', async () => {
    const before = await exported()
    expect(before).toContain('"version":"1.0.0","formerLabels":["0.9"]')
    const all = box.at('all.jsonl')
    await Bun.write(all, before)
    for (const what of ['version delete acme/app 1.0.0', 'product delete acme/app', 'team delete acme']) {
      await must(`${what} --yes`)
      expect(await old()).toEqual([404, 404])
      await must('undo --last')
      expect([await exported(), ...(await old())]).toEqual([before, ...LEADS])
    }
    expect(await box.json('import', '--all', all)).toMatchObject({ unchanged: 1, updated: 0 })
    await must('team delete acme --yes')
    await box.json('import', '--all', all)
    expect([await exported(), ...(await old())]).toEqual([before, ...LEADS])
    await must('version update acme/app 1.0.0 --label 1.0.1')
    expect(await box.json('import', '--all', all)).toMatchObject({ updated: 1 })
    expect([...(await old()), await answer(`${PAGE}/1.0.1`)]).toEqual([...LEADS, `${PAGE}/1.0.0`])

    await must('version delete acme/app 1.0.0 --yes')
    await must('version create acme/app 0.9 --status published')
    await must('version update acme/app 0.9 --label 3.0.0')
    await must('undo --last')
    // It leads to one version only: the last that took it.
    expect(await old()).toEqual([`${PAGE}/3.0.0`, `${API}/versions/3.0.0`])

    const file = box.at('CHANGELOG.md')
    const text = (label: string) =>
      `# Changelog\n\n## ${label}\n\n### Added\n\n- One thing\n- Another thing\n`
    await Bun.write(file, text('Unreleased'))
    await box.json('import', 'acme/app', file)
    await must('version publish acme/app Unreleased')
    expect(await answer(`${PAGE}/Unreleased`)).toBe(200)
    await Bun.write(file, text('2.0.0 - 2026-02-03'))
    await box.json('import', 'acme/app', file)
    expect(await answer(`${PAGE}/Unreleased`)).toBe(`${PAGE}/2.0.0`)
  })
})

test('a label that differs by its v is refused with the reason, whichever command would give it, unless the version keeps its number', async () => {
  await using box = new Sandbox()
  await prepare(box)
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
      stderr: `changelogd: There is already a version ${is} of acme/app, and an import would take ${wanted} for the same version. To see it: changelogd version show acme/app ${is}\n`,
    })
  await box.json('version', 'update', 'acme/app', '1.0.0', '--label', 'v1.0.0')
  for (const label of ['vnext', 'next']) await box.json('version', 'create', 'acme/app', label)
})

test('a label that differs by its v moves to another database with its twin, if there are both', async () => {
  await using box = new Sandbox()
  await prepare(box)
  await box.json('version', 'create', 'acme/app', '1.0.1')
  box.write("update version set label = 'v1.0.0' where label = '1.0.1'")
  const before = (await box.words('export --all')).stdout
  await Bun.write(box.at('all.jsonl'), before)
  await box.json('version', 'update', 'acme/app', 'v1.0.0', '--title', 'The other one')
  await box.words('team delete acme --yes')
  expect(await box.json('import', '--all', box.at('all.jsonl'))).toMatchObject({ added: 2 })
  expect((await box.words('export --all')).stdout).toBe(before)
})
