import { expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describeNeeding } from '../../support/needs.ts'
import { type GitRemote, gitRemoteForEach, hasGitRemote } from '../../support/servers/git-remote.ts'
import { GitServer } from '../../support/servers/git-server.ts'
import { labels } from '../../support/source.ts'

const FIRST = '# Changelog\n\n## 1.0.0\n\n- First\n'
const SECOND = '# Changelog\n\n## 1.1.0\n\n- Second\n\n## 1.0.0\n\n- First\n'
const OTHER = '# Changelog\n\n## 6.6.6\n\n- Of another repository\n'

describeNeeding('git or openssl', hasGitRemote, 'a git remote that means harm', () => {
  let { place, net, server, repository, gitThat } = {} as GitRemote
  let tokenFile: string
  const { source, ask } = gitRemoteForEach((remote) => {
    ;({ place, net, server, repository, gitThat } = remote)
    tokenFile = join(place.path, 'token')
    writeFileSync(tokenFile, 's3cret')
  })
  /** Another host, which the remote redirects to from now on. */
  const redirects = (): GitServer => {
    const other = new GitServer(join(place.path, 'other'))
    other.create('app').commit({ 'CHANGELOG.md': OTHER })
    const elsewhere = net.https('elsewhere.test', other.handler)
    server.fault = ({ url }) => Response.redirect(url.replace(/^https:\/\/[^/]+/, elsewhere), 302)
    return other
  }

  test('gets no token for the host that it redirects to', async () => {
    const other = redirects()
    expect(labels(await ask(source({ tokenFile })))).toEqual(['6.6.6'])
    const sent = other.requests.map(({ headers }) => headers.get('authorization'))
    expect(sent.length).toBeGreaterThan(1)
    expect(new Set(sent)).toEqual(new Set([null]))
  })

  test('cannot put the token, control characters or other directions of text into a message', async () => {
    const encoded = btoa('x-access-token:s3cret')
    for (const said of ['s3cret', encoded, btoa('s3cret'), `${'x'.repeat(195)}${encoded}`]) {
      const status = ({ method }: Request) => (method === 'GET' ? 403 : 500)
      const headers = { 'content-type': 'text/plain; charset=utf-8' }
      const text = `${said}\u202e\u001b[31m\u009b2J\u2066!\nsecond line`
      server.fault = (request) => new Response(text, { status: status(request), headers })
      const checked = await ask(source({ tokenFile }))
      expect(labels(checked)).toMatch(/^failed: git cannot read [ -~…]+\.$/)
      const form = said.replace(/^x{195}/, '')
      for (const part of [form, form.slice(0, 5)]) expect(JSON.stringify(checked)).not.toContain(part)
    }
  })

  test('is not asked for the content of a file that is too large', async () => {
    repository.commit({ 'CHANGELOG.md': new Uint8Array(21 * 1024 * 1024) })
    const commands = join(place.path, 'commands')
    const env = gitThat(`echo "$@" >> '${commands}'`)
    expect(labels(await ask(source({ kind: 'file' }), {}, { env }))).toBe(
      'failed: CHANGELOG.md is larger than 20 MB.',
    )
    expect(await Bun.file(commands).text()).not.toContain('cat-file blob')
  })

  test('cannot make git print without end', async () => {
    const checked = await ask(source(), {}, { env: gitThat('exec yes') })
    expect(labels(checked)).toMatch(/^failed: The output of git for .* is too large\.$/)
  })

  test('loses a tag that is too long, also one that git has no memory for, and no other', async () => {
    repository.commit({ 'a.txt': 'a' })
    for (const [at, bytes] of [20, 2_000_000, 24_000_000, 30].entries()) {
      writeFileSync(join(place.path, 'message'), 'a'.repeat(bytes))
      repository.git('tag', '--cleanup=verbatim', '--file', join(place.path, 'message'), `v1.${at}.0`)
    }
    repository.git('push', '--quiet', '--tags', 'origin')
    // Less memory than git gets, so that less is too much for it.
    const env = gitThat('ulimit -S -d 16384')
    const checked = await ask(source({ kind: 'tags' }), {}, { env })
    expect([...labels(checked)].toSorted()).toEqual(['v1.0.0', 'v1.3.0'])
    const message = 'is larger than 1 MB, skipped'
    const warnings = ['v1.2.0', 'v1.1.0'].map((tag) => ({ text: expect.stringContaining(tag), message }))
    // What is missing may still be there.
    expect(checked).toMatchObject({ isWhole: false, input: { parsed: { warnings } } })
  })

  test('is asked at its own address again after a redirect', async () => {
    repository.commit({ 'CHANGELOG.md': FIRST })
    const other = redirects()
    const first = await ask(source())
    expect(labels(first)).toEqual(['6.6.6'])
    server.fault = null
    other.taken()
    const second = await ask(source(), first.memory)
    expect(labels(second)).toEqual(['1.0.0'])
    repository.commit({ 'CHANGELOG.md': SECOND })
    expect(labels(await ask(source(), second.memory))).toEqual(['1.1.0', '1.0.0'])
    expect(other.taken()).toEqual([])
  })
})
