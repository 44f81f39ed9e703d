import { Refusal } from '../src/domain/refusal.ts'

/** What a release is made from: one commit, and the version that its package.json names. */
export interface Source {
  readonly version: string
  readonly description: string
  readonly license: string
  readonly commit: string
  /** When it was committed, in seconds: the time of every file in a release. */
  readonly time: number
}

/** The commit in `directory`. Refuses a checkout with changes and, unless `untagged`, one that is not at the tag of its version. */
export async function readSource(directory: string, untagged: boolean): Promise<Source> {
  const changes = git(directory, 'status', '--porcelain')
  if (changes !== '')
    throw new Refusal(
      'The checkout has changes that are not committed; a release is built from a commit alone.',
      {
        hint: 'To see them: git status',
      },
    )
  const { version, description, license } = await Bun.file(`${directory}/package.json`).json()
  const tag = `v${version}`
  if (!untagged && !git(directory, 'tag', '--points-at', 'HEAD').split('\n').includes(tag))
    throw new Refusal(`The tag ${tag}, of the version in package.json, is not at this commit.`, {
      hint: `To create it: git tag ${tag}, or to only try it out: bun run release --untagged`,
    })
  const [commit = '', time] = git(directory, 'log', '-1', '--format=%H %ct').split(' ')
  return { version, description, license, commit, time: Number(time) }
}

function git(directory: string, ...args: string[]): string {
  const { success, stdout, stderr } = Bun.spawnSync(['git', '-C', directory, ...args])
  if (!success) throw new Refusal(`A release needs a git checkout. ${stderr.toString().trim()}`)
  return stdout.toString().trim()
}
