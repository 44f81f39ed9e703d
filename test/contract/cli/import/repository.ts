import { expect } from 'bun:test'
import { appendFile } from 'node:fs/promises'
import { join } from 'node:path'
import { prepared } from './prepared.ts'

/** A product, and a repository with one commit. */
export async function withRepository() {
  const at = await prepared()
  const path = join(at.box.directory, 'repository')
  const git = async (args: string[], { day = '2026-01-02', input = '' } = {}) => {
    const time = `${day}T03:04:05+01:00`
    const child = Bun.spawn(['git', '-C', path, ...args], {
      env: {
        ...{ PATH: process.env.PATH, HOME: at.box.directory, GIT_CONFIG_NOSYSTEM: '1' },
        ...{ GIT_AUTHOR_NAME: 'Jane', GIT_AUTHOR_EMAIL: 'j@example.com', GIT_AUTHOR_DATE: time },
        ...{ GIT_COMMITTER_NAME: 'Jane', GIT_COMMITTER_EMAIL: 'j@example.com', GIT_COMMITTER_DATE: time },
      },
      stdin: Buffer.from(input, 'latin1'),
      stdout: 'pipe',
    })
    const output = await new Response(child.stdout).text()
    expect(await child.exited).toBe(0)
    return output.trim()
  }
  await Bun.write(join(path, 'src/file'), 'x')
  await git(['init', '--quiet'])
  await git(['add', '.'])
  await git(['commit', '--quiet', '--message', 'Begin'])
  const tag = (name: string, message: string, day: string) =>
    git(['tag', '--annotate', name, '--file', '-'], { day, input: message })
  /** A commit that changes the named file; `message` may have a body. */
  const commit = async (message: string, { day = '2026-01-02', file = 'src/file' } = {}) => {
    await appendFile(join(path, file), 'x')
    await git(['add', '.'])
    await git(['commit', '--quiet', '--file', '-'], { day, input: message })
    return git(['rev-parse', 'HEAD'])
  }
  return { ...at, path, git, tag, commit }
}
