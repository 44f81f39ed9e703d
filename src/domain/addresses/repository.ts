import { Refusal } from '../refusal.ts'

export const REPOSITORY_RULE = 'the https address of a repository, such as https://github.com/acme/app'

/** For "no repository", in commands and files. */
export const NONE = 'none'

/** The address without `.git` and a slash at its end; null if it is not one of a repository. */
export function repositoryOf(text: string): string | null {
  const url = URL.parse(text.trim())
  if (url?.protocol !== 'https:' || url.username || url.password || url.search || url.hash) return null
  const path = url.pathname.replace(/\/+$/, '').replace(/\.git$/, '')
  return /^(?:\/[\w.~%+-]+){2,}$/.test(path) && url.href.length <= MOST ? url.origin + path : null
}

const MOST = 1_000

export function checkRepository(repository: string | null | undefined): void {
  if (repository && repositoryOf(repository) !== repository)
    throw new Refusal(`${JSON.stringify(repository.slice(0, 80))} is not ${REPOSITORY_RULE}.`)
}

/** The repository that the page of one of its releases belongs to: GitHub, Forgejo and Gitea, or GitLab. */
export const repositoryOfRelease = (page: string): string | null =>
  repositoryOf(/^(https:\/\/[^?#]+?)(?:\/-)?\/releases(?:\/|$)/.exec(page)?.[1] ?? '')

/** The repository that most links of a text to issues, changes and comparisons belong to; null if they are few, or of many. */
export function repositoryIn(text: string): string | null {
  const links = [...text.matchAll(LINKS)].map(([, repository = '']) => repository)
  const [most] = [...Map.groupBy(links, String).values()].sort((one, other) => other.length - one.length)
  return most?.[0] && most.length >= LEAST_LINKS && most.length * 2 > links.length
    ? repositoryOf(most[0])
    : null
}

const LEAST_LINKS = 3
const LINKS =
  /(https:\/\/[\w.:-]{1,100}(?:\/[\w.~-]{1,100}){2,5}?)(?:\/-)?\/(?:issues|pulls?|merge_requests|commits?|compare)\/\w/g
