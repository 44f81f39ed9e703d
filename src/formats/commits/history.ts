import type { Message } from './message.ts'

/** A commit with what its message says; children come before parents. */
export interface Commit {
  hash: string
  parents: readonly string[]
  /** The names of tags on it. */
  tags: readonly string[]
  message: Message | null
}

/** A commit that a version tells about. */
export type ToldCommit = Commit & { message: Message }

/** Commits from a tip along first parents: those of a branch. */
interface Chain {
  commits: Commit[]
  /** The merge that brought it, and the chain of that; null for that of the release itself. */
  merge: Commit | null
  within: Chain | null
  /** A branch says more than the title of its pull request if it has conventional commits or merged pull requests. */
  speaks: boolean
  /** The branch has commits of the wanted path. */
  isWanted: boolean
  /** The title of a pull request stands for it. */
  isReplaced: boolean
}

/**
 * Releases a history version by version, oldest first: each commit belongs to the first version that contains it, so the
 * work is linear.
 */
export class History {
  readonly #commits = new Map<string, Commit>()
  readonly #places = new Map<string, number>()
  readonly #released = new Set<Commit>()
  readonly #isWanted: (hash: string) => boolean

  /** `wanted` are the commits that versions tell about; all if it is undefined. */
  constructor(commits: Iterable<Commit>, wanted?: ReadonlySet<string>) {
    for (const commit of commits) {
      this.#places.set(commit.hash, this.#commits.size)
      this.#commits.set(commit.hash, commit)
    }
    this.#isWanted = (hash) => wanted?.has(hash) ?? true
  }

  /** How new a commit is: parents have higher numbers. */
  positionOf = (hash: string): number => this.#places.get(hash) ?? -1

  /**
   * The commits that a release at this one is the first to contain, oldest first. A merged pull request stands for its
   * commits if these say nothing themselves: none is conventional. Other merges are left out.
   */
  release(tip: string): ToldCommit[] {
    const chains = this.#chainsFrom(tip)
    const branchesOf = Map.groupBy(chains, ({ merge }) => merge)
    const isTold = (commit: Commit): commit is ToldCommit => {
      if (commit.message === null || (commit.message.isMerge && !isTitled(commit))) return false
      if (commit.parents.length < 2) return this.#isWanted(commit.hash)
      const branches = branchesOf.get(commit) ?? []
      return branches.some(({ isWanted }) => isWanted) && branches.every(({ isReplaced }) => isReplaced)
    }
    return chains
      .flatMap(({ isReplaced, commits }) => (isReplaced ? [] : commits.filter(isTold)))
      .sort((one, other) => this.positionOf(other.hash) - this.positionOf(one.hash))
  }

  #chainsFrom(tip: string): Chain[] {
    const chains: Chain[] = []
    const waiting = [{ tip, merge: null as Commit | null, within: null as Chain | null }]
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const { tip: start, ...origin } = next
      const commits = this.#unreleasedFrom(start)
      if (commits.length === 0) continue
      const chain = {
        commits,
        ...origin,
        speaks: commits.some(speaksItself),
        isWanted: commits.some(({ hash }) => this.#isWanted(hash)),
        isReplaced: false,
      }
      chains.push(chain)
      // The oldest merge is the next: what several have merged came with that.
      for (const merge of commits)
        for (const parent of merge.parents.slice(1)) waiting.push({ tip: parent, merge, within: chain })
    }
    for (const { within, speaks, isWanted } of chains.toReversed())
      if (within) {
        within.speaks ||= speaks
        within.isWanted ||= isWanted
      }
    for (const chain of chains) {
      const { merge, within, speaks } = chain
      chain.isReplaced = within?.isReplaced === true || (!speaks && merge !== null && isTitled(merge))
    }
    return chains
  }

  #unreleasedFrom(tip: string): Commit[] {
    const commits: Commit[] = []
    let commit = this.#commits.get(tip)
    while (commit !== undefined && !this.#released.has(commit)) {
      this.#released.add(commit)
      commits.push(commit)
      commit = this.#commits.get(commit.parents[0] ?? '')
    }
    return commits
  }
}

const isTitled = ({ message }: Commit): boolean =>
  message !== null && message.pullRequest !== null && message.subjects.length > 0

const speaksItself = (commit: Commit): boolean =>
  commit.parents.length < 2
    ? commit.message?.subjects.some(({ type }) => type !== null) === true
    : isTitled(commit)
