import { afterAll, afterEach, beforeAll, beforeEach } from 'bun:test'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Source } from '../../../src/domain/records.ts'
import { type Checked, check } from '../../../src/sources/check.ts'
import type { CheckContext } from '../../../src/sources/check-context.ts'
import { scratch } from '../scratch.ts'
import { givenOf, sourceOf } from '../source.ts'
import { type Far, far } from './far.ts'
import { GitServer, type Repository } from './git-server.ts'

export interface GitRemote {
  place: ReturnType<typeof scratch>
  net: Far
  server: GitServer
  repository: Repository
  origin: string
  /** Variables for a git that trusts its authority, and runs a line of a shell first. */
  gitThat(first?: string): Record<string, string>
}

export const hasGitRemote = Bun.which('openssl') !== null && Bun.which('git') !== null

/** For each test a git remote with a repository; `begun` gets it. */
export function gitRemoteForEach(begun: (remote: GitRemote) => void) {
  let net: Far
  let remote: GitRemote
  let env: Record<string, string>
  beforeAll(async () => {
    net = await far()
  })
  afterAll(() => net[Symbol.asyncDispose]())
  beforeEach(() => {
    const place = scratch()
    const server = new GitServer(place.path)
    const ca = join(place.path, 'ca.pem')
    writeFileSync(ca, net.network.ca ?? '')
    const gitThat = (first = '') => {
      const bin = mkdtempSync(join(place.path, 'bin-'))
      // Otherwise each git would read all authorities of this machine, which takes longer than all else that it does.
      const script = `#!/bin/sh\nexport GIT_SSL_CAPATH='${bin}'\n${first}\nexec '${Bun.which('git')}' "$@"\n`
      writeFileSync(join(bin, 'git'), script, { mode: 0o755 })
      return { PATH: `${bin}:${process.env.PATH}`, GIT_SSL_CAINFO: ca }
    }
    const origin = net.https('git.test', server.handler)
    remote = { place, net, server, repository: server.create('app'), origin, gitThat }
    env = gitThat()
    begun(remote)
  })
  afterEach(() => remote.place[Symbol.dispose]())

  const mirrors = () => join(remote.place.path, 'mirrors')
  return {
    mirrors,
    source: (fields: Partial<Source> = {}) =>
      sourceOf(`${remote.origin}/acme/app.git`, { id: 'src_app', ...fields }),
    ask: (what: Source, memory: Checked['memory'] = {}, given: Partial<CheckContext> = {}) =>
      check(what, memory, givenOf({ network: remote.net.network, gitDirectory: mirrors(), env, ...given })),
  }
}
