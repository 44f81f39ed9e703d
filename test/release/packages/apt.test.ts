import { expect, test } from 'bun:test'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { homebrewFormula } from '../../../release/homebrew.ts'
import { buildAptRepository } from '../../../release/packages/apt.ts'
import { buildDeb } from '../../../release/packages/deb.ts'
import { sha256 } from '../../../release/sums.ts'
import { describeNeeding } from '../../support/needs.ts'
import { scratch } from '../../support/scratch.ts'
import { smallRelease } from '../small-release.ts'

const hasAll = ['apt-get', 'dpkg-deb', 'gpg'].every((program) => Bun.which(program) !== null)

describeNeeding('apt-get, dpkg-deb and gpg', hasAll, 'the apt repository', () => {
  test('gives apt-get the signed package of its architecture, and nothing once a byte of it changes', async () => {
    using directory = scratch()
    const at = (...names: string[]) => join(directory.path, ...names)
    for (const name of ['repository', 'work', 'keys', 'lists/partial', 'archives/partial', 'got'])
      mkdirSync(at(name), { recursive: true, mode: 0o700 })
    const gpg = [
      'gpg',
      '--batch',
      '--passphrase',
      '',
      '--quick-generate-key',
      'releases@localhost',
      'ed25519',
    ]
    const agent = { ...process.env, GNUPGHOME: at('keys') }
    expect(Bun.spawnSync(gpg, { env: agent, stderr: 'ignore' }).exitCode).toBe(0)
    process.env.GNUPGHOME = at('keys')
    const names = ['linux-x64', 'linux-arm64'].map((name) =>
      buildDeb(at('repository'), at('work'), smallRelease(name)),
    )
    try {
      await buildAptRepository(at('repository'), smallRelease().source, 'releases@localhost')
    } finally {
      delete process.env.GNUPGHOME
      Bun.spawnSync(['gpgconf', '--kill', 'gpg-agent'], { env: agent })
    }

    await using server = Bun.serve({
      ...{ hostname: '127.0.0.1', port: 0 },
      fetch: async ({ url }) => {
        const file = Bun.file(at('repository', new URL(url).pathname))
        return (await file.exists()) ? new Response(file) : new Response(null, { status: 404 })
      },
    })
    await Bun.write(at('sources'), `deb [signed-by=${at('repository/changelogd.asc')}] ${server.url} ./\n`)
    const options = [
      ...['Dir::Etc::SourceList', at('sources'), 'Dir::Etc::SourceParts', '-', 'Dir::Etc::Parts', '-'],
      ...[
        'Dir::State::Lists',
        at('lists'),
        'Dir::Cache',
        directory.path,
        'Dir::Cache::Archives',
        at('archives'),
      ],
      ...['APT::Architecture', 'arm64', 'APT::Sandbox::User', '', 'Acquire::Languages', 'none'],
      ...['Acquire::http::Proxy', 'false'],
    ]
    const flags = Array.from({ length: options.length / 2 }, (_, at) => [
      '-o',
      `${options[2 * at]}=${options[2 * at + 1]}`,
    ]).flat()
    const apt = async (...args: string[]) => {
      const child = Bun.spawn(['apt-get', ...flags, ...args], {
        cwd: at('got'),
        stdout: 'pipe',
        stderr: 'pipe',
      })
      const [out, error] = await Promise.all([child.stdout.text(), child.stderr.text()])
      return { status: await child.exited, said: out + error }
    }
    expect(await apt('--error-on=any', 'update')).toMatchObject({ status: 0 })
    expect(await apt('download', 'changelogd')).toMatchObject({ status: 0 })
    const [, arm64 = ''] = names
    expect(await sha256(at('got', arm64))).toBe(await sha256(at('repository', arm64)))

    const index = await Bun.file(at('repository/Packages')).text()
    await Bun.write(at('repository/Packages'), index.replace('Size:', 'size:'))
    await Bun.$`rm -rf ${at('lists')} && mkdir -p ${at('lists/partial')}`
    expect((await apt('--error-on=any', 'update')).status).not.toBe(0)
  })
})

test('the formula of Homebrew has the address and the sum of each archive that Homebrew can use', async () => {
  using directory = scratch()
  const platforms = ['darwin-arm64', 'darwin-x64', 'linux-arm64', 'linux-x64']
  for (const name of platforms) await Bun.write(join(directory.path, `changelogd-1.2.3-${name}.tar.gz`), name)
  const address = 'https://host.example/acme/app/releases/download/v1.2.3'
  const formula = await homebrewFormula(smallRelease().source, address, directory.path)
  const found = [...formula.matchAll(/url "(.*)"\n\s+sha256 "([0-9a-f]{64})"/g)].map(([, ...pair]) => pair)
  const expected = platforms.map(async (name) => [
    `${address}/changelogd-1.2.3-${name}.tar.gz`,
    await sha256(join(directory.path, `changelogd-1.2.3-${name}.tar.gz`)),
  ])
  expect(found.toSorted()).toEqual((await Promise.all(expected)).toSorted())
  expect(formula).toContain('  homepage "https://host.example/acme/app"\n')
})
