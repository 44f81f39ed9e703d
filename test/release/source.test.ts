import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { readSource } from '../../release/source.ts'
import { scratch } from '../support/scratch.ts'

const directory = scratch()
afterAll(() => directory[Symbol.dispose]())

function git(...args: string[]): void {
  const name = ['-c', 'user.name=Vera', '-c', 'user.email=vera@example.com']
  const env = { ...process.env, GIT_COMMITTER_DATE: '2026-01-02T03:04:05Z' }
  const { success, stderr } = Bun.spawnSync(['git', ...name, ...args], { cwd: directory.path, env })
  if (!success) throw new Error(String(stderr))
}

const write = (name: string, text: string) => Bun.write(join(directory.path, name), text)

beforeAll(async () => {
  git('init', '--quiet')
  await write(
    'package.json',
    JSON.stringify({ version: '1.2.3', description: 'Changelogs.', license: 'MIT' }),
  )
  git('add', '.')
  git('commit', '--quiet', '--message', 'Start')
})

test('a commit without the tag of its version is refused, unless that is asked for', async () => {
  git('tag', 'v1.2.2')
  await expect(readSource(directory.path, false)).rejects.toThrow('The tag v1.2.3')
  expect(await readSource(directory.path, true)).toMatchObject({ version: '1.2.3' })
})

test('a clean checkout of the tag gives version, commit and time', async () => {
  git('tag', 'v1.2.3')
  expect(await readSource(directory.path, false)).toEqual({
    version: '1.2.3',
    description: 'Changelogs.',
    license: 'MIT',
    commit: expect.stringMatching(/^[0-9a-f]{40}$/),
    time: Date.parse('2026-01-02T03:04:05Z') / 1000,
  })
})

for (const untagged of [false, true])
  test(`a checkout with changes is refused${untagged ? ', also without a tag' : ''}`, async () => {
    await write('new.txt', 'new')
    await expect(readSource(directory.path, untagged)).rejects.toThrow('has changes that are not committed')
  })

test('what is no git checkout is refused', async () => {
  using other = scratch()
  await expect(readSource(other.path, true)).rejects.toThrow('needs a git checkout')
})
