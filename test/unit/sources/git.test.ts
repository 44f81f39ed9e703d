import { expect, test } from 'bun:test'
import { chmodSync, existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describeNeeding } from '../../support/needs.ts'
import { type GitRemote, gitRemoteForEach, hasGitRemote } from '../../support/servers/git-remote.ts'
import { labels, sourceOf } from '../../support/source.ts'

const FIRST = '# Changelog\n\n## 1.0.0\n\n- First\n'
const SECOND = '# Changelog\n\n## 1.1.0\n\n- Second\n\n## 1.0.0\n\n- First\n'
const MB = 1024 * 1024

describeNeeding('git or openssl', hasGitRemote, 'a git remote', () => {
  let { place, net, server, repository, origin, gitThat } = {} as GitRemote
  const { mirrors, source, ask } = gitRemoteForEach((remote) => {
    ;({ place, net, server, repository, origin, gitThat } = remote)
  })

  test('gives its CHANGELOG.md, with the dates of its tags', async () => {
    repository.commit({ 'CHANGELOG.md': SECOND }, '2026-01-02T00:00:00Z')
    repository.tag('v1.0.0')
    repository.tag('v1.1.0', '2026-02-03T00:00:00Z', 'Version 1.1.0')
    const checked = await ask(source({ kind: 'file', tagDates: true }))
    expect(checked).toMatchObject({
      state: 'fetched',
      isWhole: true,
      input: {
        format: 'keepachangelog',
        parsed: {
          versions: [
            { label: '1.1.0', date: Date.parse('2026-02-03T00:00:00Z') },
            { label: '1.0.0', date: Date.parse('2026-01-02T00:00:00Z') },
          ],
        },
      },
    })
  })

  test('is asked only for its refs as long as they stay, and unchanged if a branch moves and the file stays', async () => {
    repository.commit({ 'CHANGELOG.md': FIRST })
    const first = await ask(source())
    expect(labels(first)).toEqual(['1.0.0'])
    server.taken()
    const second = await ask(source(), first.memory)
    expect(second.state).toBe('unchanged')
    expect(server.taken()).toHaveLength(3)
    repository.commit({ 'CHANGELOG.md': SECOND })
    const third = await ask(source(), second.memory)
    expect(labels(third)).toEqual(['1.1.0', '1.0.0'])
    repository.commit({ 'other.txt': 'other' })
    expect((await ask(source(), third.memory)).state).toBe('unchanged')
  })

  test('gives the messages of its tags if it has no CHANGELOG.md, and those of one product of several', async () => {
    repository.commit({ 'a.txt': 'a' })
    repository.tag('app@1.0.0', '2026-01-02T00:00:00Z', 'app@1.0.0\n\n- First of app\n')
    repository.tag('lib@3.0.0', '2026-01-03T00:00:00Z', 'Third\n\n- Third of lib\n')
    repository.tag('app@1.1.0', '2026-02-03T00:00:00Z', 'Second\n\n- Second of app\n')
    expect(labels(await ask(source({ id: 'src_all' })))).toEqual(['app@1.1.0', 'lib@3.0.0', 'app@1.0.0'])
    const checked = await ask(source({ kind: 'tags', tagPrefix: 'app@' }))
    expect(checked).toMatchObject({
      input: {
        format: 'git',
        parsed: {
          versions: [
            { label: '1.1.0', title: 'Second', changes: [{ title: 'Second of app' }] },
            { label: '1.0.0', title: '1.0.0', changes: [{ title: 'First of app' }] },
          ],
        },
      },
    })
    expect(labels(await ask(source({ kind: 'tags', tagPrefix: 'cli@', id: 'src_2' })))).toBe(
      `failed: The repository at ${origin}/acme/app.git has no tag that starts with cli@.`,
    )
  })

  test('gives a file at a branch, a tag or a commit', async () => {
    repository.commit({ 'docs/CHANGES.md': FIRST })
    repository.tag('v1.0.0')
    const commit = repository.git('rev-parse', 'HEAD').trim()
    repository.git('switch', '--quiet', '--create', 'next/2')
    repository.commit({ 'docs/CHANGES.md': SECOND })
    for (const [ref, expected] of [
      ['next/2', ['1.1.0', '1.0.0']],
      ['v1.0.0', ['1.0.0']],
      [commit, ['1.0.0']],
    ] as const) {
      const file = source({ kind: 'file', file: 'docs/CHANGES.md', ref, id: `src_${ref.replace(/\W/g, '')}` })
      expect(labels(await ask(file))).toEqual([...expected])
    }
    expect(labels(await ask(source({ kind: 'file', ref: 'missing' })))).toBe(
      `failed: The repository at ${origin}/acme/app.git has no branch or tag missing.`,
    )
  })

  test('may be rewritten: what counts is what it has now', async () => {
    repository.commit({ 'CHANGELOG.md': SECOND })
    repository.tag('v1.0.0', '2026-01-02T00:00:00Z')
    repository.tag('v0.9.0', '2026-01-01T00:00:00Z')
    const what = source({ kind: 'file', tagDates: true })
    const first = await ask(what)
    repository.git('checkout', '--quiet', '--orphan', 'anew')
    repository.commit({ 'CHANGELOG.md': FIRST })
    repository.git('push', '--quiet', '--force', 'origin', 'HEAD:main')
    repository.tag('v1.0.0', '2026-03-04T00:00:00Z')
    const second = await ask(what, first.memory)
    expect(second).toMatchObject({
      input: { parsed: { versions: [{ label: '1.0.0', date: Date.parse('2026-01-02T03:04:05Z') }] } },
    })
    repository.git('push', '--quiet', '--delete', 'origin', 'refs/tags/v1.0.0')
    const third = await ask(what, second.memory)
    expect(third).toMatchObject({ input: { parsed: { versions: [{ label: '1.0.0', date: null }] } } })
  })

  test('is followed to another default branch', async () => {
    repository.commit({ 'CHANGELOG.md': FIRST })
    const { memory } = await ask(source({ kind: 'file' }))
    repository.git('switch', '--quiet', '--create', 'trunk')
    repository.commit({ 'CHANGELOG.md': SECOND })
    repository.git('--git-dir', repository.bare, 'symbolic-ref', 'HEAD', 'refs/heads/trunk')
    expect(labels(await ask(source({ kind: 'file' }), memory))).toHaveLength(2)
  })

  test('is found out at an address that does not say what it is, and behind a redirect to its other name', async () => {
    repository.commit({ 'CHANGELOG.md': FIRST })
    server.fault = ({ url }) => {
      const { pathname, search } = new URL(url)
      return pathname.startsWith('/acme/app/')
        ? Response.redirect(`${origin}${pathname.replace('/acme/app/', '/acme/app.git/')}${search}`, 301)
        : null
    }
    const checked = await ask(sourceOf(`${origin}/acme/app`))
    expect(labels(checked)).toEqual(['1.0.0'])
    expect(checked.memory).toMatchObject({ kind: 'git', moved: null })
  })

  test('is found again where it was moved to, and that is noted until it is back', async () => {
    repository.commit({ 'CHANGELOG.md': FIRST })
    const first = await ask(source())
    const moved = server.create('moved')
    moved.commit({ 'CHANGELOG.md': SECOND })
    server.fault = ({ url }) =>
      url.includes('/acme/app.git/') ? Response.redirect(url.replace('/app.git/', '/moved.git/'), 301) : null
    const second = await ask(source(), first.memory)
    expect(labels(second)).toEqual(['1.1.0', '1.0.0'])
    expect(second.memory).toMatchObject({ moved: `${origin}/acme/moved.git` })
    server.fault = null
    expect((await ask(source(), second.memory)).memory).toMatchObject({ moved: null })
  })

  test('is left at once when the signal says so, with everything that git has started', async () => {
    repository.commit({ 'CHANGELOG.md': FIRST })
    const { memory } = await ask(source())
    const controller = new AbortController()
    const left = Promise.withResolvers<void>()
    server.fault = (request) => {
      request.signal.addEventListener('abort', () => left.resolve())
      controller.abort('stopping')
      // Fast enough for git to wait for its end.
      const pull = async (stream: ReadableStreamDefaultController) => {
        await Bun.sleep(5)
        stream.enqueue(new Uint8Array(4096))
      }
      return new Response(new ReadableStream({ pull }))
    }
    const given = { signal: controller.signal }
    await expect(ask(source(), memory, given)).rejects.toBe('stopping')
    await left.promise
  })

  test('follows links from one file to another, but not out of the repository', async () => {
    repository.commit({ 'packages/app/CHANGELOG.md': FIRST })
    symlinkSync('packages/app/CHANGELOG.md', join(repository.work, 'CHANGELOG.md'))
    symlinkSync('../../etc/passwd', join(repository.work, 'OUT.md'))
    symlinkSync('/etc/passwd', join(repository.work, 'ROOT.md'))
    symlinkSync('LOOP.md', join(repository.work, 'LOOP.md'))
    repository.commit({})
    expect(labels(await ask(source({ kind: 'file' })))).toEqual(['1.0.0'])
    for (const file of ['OUT.md', 'ROOT.md', 'LOOP.md'])
      expect(labels(await ask(source({ kind: 'file', file })))).toBe(
        `failed: The repository at ${origin}/acme/app.git has no file ${file}.`,
      )
    expect(labels(await ask(source({ kind: 'file', file: 'packages' })))).toContain('is a directory')
  })

  test('may have any names: none of them is a command, an option or a pattern', async () => {
    const names = ['--upload-pack=touch pwned', '$(touch "pwned")', ':(glob)**']
    for (const name of names) writeFileSync(join(repository.work, name), FIRST)
    repository.commit({ 'x.md': SECOND })
    for (const tag of ['v1.0.0;touch', '$(touch)1.0.0', 'ü-1.0.0`id`|cat'])
      repository.tag(tag, '2026-01-02T00:00:00Z', 'words\n\n- A\n')
    for (const [at, file] of names.entries())
      expect(labels(await ask(source({ kind: 'file', file, id: `src_n${at}` })))).toEqual(['1.0.0'])
    expect((await ask(source({ kind: 'tags', id: 'src_tags' }))).state).toBe('fetched')
    for (const odd of ['--upload-pack=x', 'a b', 'x:refs/heads/y', '*', 'a..b', 'x^{tree}', 'x@{1}', 'a\nb'])
      for (const fields of [
        { ref: odd, kind: 'file' },
        { tagPrefix: odd, kind: 'tags' },
      ] as const)
        expect(labels(await ask(source(fields)))).toContain('is not a valid name in git')
  })

  test('runs no hook, reads no configuration of this machine and no submodule', async () => {
    const home = join(place.path, 'home')
    const touched = join(place.path, 'touched')
    mkdirSync(join(home, 'hooks'), { recursive: true })
    for (const hook of ['reference-transaction', 'post-checkout', 'pre-auto-gc', 'post-merge']) {
      writeFileSync(join(home, 'hooks', hook), `#!/bin/sh\ntouch '${touched}'\n`)
      chmodSync(join(home, 'hooks', hook), 0o755)
    }
    writeFileSync(
      join(home, '.gitconfig'),
      `[core]\n\thooksPath = ${home}/hooks\n[init]\n\ttemplateDir = ${home}\n[url "https://evil.test/"]\n\tinsteadOf = ${origin}/\n`,
    )
    repository.commit({
      'CHANGELOG.md': FIRST,
      '.gitmodules': '[submodule "x"]\n\tpath = x\n\turl = https://evil.test/x\n\tupdate = !touch pwned\n',
      '.lfsconfig': '[lfs]\n\turl = https://evil.test/\n',
    })
    const config = { HOME: home, XDG_CONFIG_HOME: home, GIT_CONFIG_GLOBAL: join(home, '.gitconfig') }
    const env = { ...gitThat(), ...config }
    expect(labels(await ask(source(), {}, { env }))).toEqual(['1.0.0'])
    expect(existsSync(touched)).toBe(false)
    expect(net.asked.has('evil.test')).toBe(false)
  })

  test('fails for a file in Git LFS, and for an empty repository', async () => {
    expect(labels(await ask(source({ kind: 'file' })))).toBe(
      `failed: The repository at ${origin}/acme/app.git is empty.`,
    )
    repository.commit({ 'lfs.md': 'version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n' })
    expect(labels(await ask(source({ kind: 'file', file: 'lfs.md' })))).toContain('Git LFS')
  })

  test('needs not send what is not read: only the tree and the file', async () => {
    repository.commit({ 'CHANGELOG.md': FIRST, 'large.bin': crypto.getRandomValues(new Uint8Array(60_000)) })
    await ask(source({ kind: 'file' }))
    expect(Math.max(...server.requests.map(({ bytes }) => bytes))).toBeLessThan(10_000)
  })

  test('fails if it sends more than 20 MB, and leaves nothing behind', async () => {
    const large = new Uint8Array(25 * MB)
    for (let at = 0; at < large.length; at += 65_536) crypto.getRandomValues(large.subarray(at, at + 65_536))
    repository.configure('uploadpack.allowFilter', 'false')
    // Random bytes do not become fewer, and it takes seconds to see that.
    repository.configure('core.compression', '0')
    repository.git('config', 'core.compression', '0')
    repository.commit({ 'CHANGELOG.md': FIRST, 'large.bin': large })
    const checked = await ask(source())
    expect(labels(checked)).toBe(`failed: ${origin}/acme/app.git sent more than 20 MB.`)
    expect(readdirSync(mirrors())).toEqual([])
  })

  test('is connected to at the address that was checked, and not at a private one', async () => {
    repository.commit({ 'CHANGELOG.md': FIRST })
    expect(await ask(source(), {}, { allowPrivate: false })).toMatchObject({
      state: 'failed',
      remedy: expect.stringContaining('FOLLOW_PRIVATE'),
    })
    expect(server.taken()).toEqual([])
    // Only the resolver of the test knows the name: git would not find it by itself.
    expect(labels(await ask(source()))).toEqual(['1.0.0'])
  })

  test('gets the token of its source, and no other host does', async () => {
    repository.commit({ 'CHANGELOG.md': FIRST })
    const tokenFile = join(place.path, 'token')
    writeFileSync(tokenFile, 's3cret')
    const expected = `Basic ${btoa('x-access-token:s3cret')}`
    server.fault = ({ headers }) =>
      headers.get('authorization') === expected
        ? null
        : new Response('no', { status: 401, headers: { 'www-authenticate': 'Basic realm="git"' } })
    expect(labels(await ask(source({ tokenFile })))).toEqual(['1.0.0'])
    const refused = await ask(source({ id: 'src_other' }))
    expect(refused).toMatchObject({ state: 'failed', remedy: 'Give a token with --token-file.' })
    const mirror = join(mirrors(), 'src_app.git')
    expect(await Bun.file(join(mirror, 'config')).text()).not.toContain('s3cret')
    expect(JSON.stringify(refused)).not.toContain('s3cret')
  })

  test('fails with a sentence if it is gone, broken or another thing', async () => {
    repository.commit({ 'CHANGELOG.md': FIRST })
    const { memory } = await ask(source())
    for (const fault of [
      () => new Response('gone', { status: 404 }),
      () => new Response('down', { status: 500 }),
      () => new Response('<html>Sign in</html>', { headers: { 'content-type': 'text/html' } }),
      () =>
        new Response('0000', { headers: { 'content-type': 'application/x-git-upload-pack-advertisement' } }),
      () => Response.redirect('https://127.0.0.1/', 302),
    ]) {
      server.fault = fault
      const checked = await ask(source(), memory)
      expect(labels(checked)).toMatch(/^failed: [^\n]{10,300}\.$/)
      expect(checked.memory).toEqual(memory)
    }
  })

  test('is read again from nothing if a killed process left its mirror half done', async () => {
    repository.commit({ 'CHANGELOG.md': FIRST })
    const { memory } = await ask(source())
    const mirror = join(mirrors(), 'src_app.git')
    writeFileSync(join(mirror, 'shallow.lock'), '')
    writeFileSync(join(mirror, 'HEAD'), 'broken')
    repository.commit({ 'CHANGELOG.md': SECOND })
    expect(labels(await ask(source(), memory))).toEqual(['1.1.0', '1.0.0'])
  })

  test('is refused by name without git, and with one that is too old', async () => {
    expect(labels(await ask(source(), {}, { env: { PATH: '/nonexistent' } }))).toBe(
      'failed: This source needs git, but git is not in the PATH.',
    )
    const bin = join(place.path, 'bin')
    mkdirSync(bin)
    writeFileSync(join(bin, 'git'), '#!/bin/sh\necho git version 2.30.2\n', { mode: 0o755 })
    expect(labels(await ask(source(), {}, { env: { PATH: `${bin}:${process.env.PATH}` } }))).toBe(
      'failed: git 2.30 is too old. Sources need 2.37 or newer.',
    )
  })

  test('may be a repository on this machine', async () => {
    repository.commit({ 'CHANGELOG.md': FIRST })
    repository.tag('v1.0.0', '2026-01-02T00:00:00Z')
    expect(labels(await ask(sourceOf(repository.bare)))).toEqual(['1.0.0'])
    expect(labels(await ask(sourceOf(repository.work)))).toEqual(['1.0.0'])
    expect(labels(await ask(sourceOf(place.path)))).toStartWith('failed: git cannot read')
  })
})
