import { rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Config } from '../../../config/config.ts'
import { orNull } from '../../../domain/errors.ts'
import { newId } from '../../../domain/id.ts'
import type { SourceKind } from '../../../domain/records.ts'
import { Refusal } from '../../../domain/refusal.ts'
import { EVERY_MS, isLocalPath, SOURCE_RULE, sourceAddress } from '../../../domain/sources.ts'
import { fileAt } from '../../../files/lookup.ts'
import { check } from '../../../sources/check.ts'
import type { CheckContext } from '../../../sources/check-context.ts'
import type { SourceDraft } from '../../../store/records/types.ts'
import { checkContextFor } from '../../../worker/contexts.ts'
import type { Context } from '../../context.ts'

/** A source as options or a file of `apply` describe it. */
type SourceOptions = { releases?: boolean | undefined; tags?: boolean | undefined } & {
  [Field in Exclude<keyof SourceDraft, 'url' | 'kind' | 'tagDates'>]?:
    | NonNullable<SourceDraft[Field]>
    | undefined
}

/** Refuses an address that cannot be followed, and a path where nothing is. */
export function sourceDraft(text: string, options: SourceOptions): SourceDraft {
  const [, repository, branch, path] = GITHUB_PAGE.exec(text) ?? []
  const file = options.file ?? (path && (orNull(() => decodeURIComponent(path)) ?? path))
  const ref = options.ref ?? (branch === 'HEAD' ? undefined : branch)
  const isReleases = repository !== undefined && file === undefined && !options.tags
  return {
    url: sourceUrl(repository ?? text),
    kind: sourceKind({ ...options, file, releases: options.releases ?? isReleases }),
    hostKind: options.hostKind ?? null,
    file: file ?? null,
    ref: ref ?? null,
    tagDates: file !== undefined && options.tags === true,
    tagPrefix: options.tagPrefix ?? null,
    stable: options.stable === true,
    pictures: options.pictures !== false,
    every: options.every ?? EVERY_MS,
    prune: options.prune === true,
    paused: options.paused === true,
    tokenFile: options.tokenFile === undefined ? null : resolve(options.tokenFile),
  }
}

/** The address of a repository's releases or of a file at a branch, copied from a browser. */
const GITHUB_PAGE =
  /^(https:\/\/(?:www\.)?github\.com\/[^/]+\/[^/]+)\/(?:releases\b|blob\/([^/?#]+)\/([^?#]+))/

/** `acme/app` at GitHub, but not a file that is missing here. */
const GITHUB_NAME = /^(?!.*\.(?:md|markdown|rst|txt|json)$)[a-z\d-]+\/[\w-][\w.-]*$/i

function sourceKind({ file, releases, tags }: SourceOptions): SourceKind {
  if (releases && (file !== undefined || tags)) throw new Refusal(`Use --releases without --file and --tags.`)
  if (file !== undefined) return 'file'
  return releases ? 'releases' : tags ? 'tags' : 'auto'
}

/** An address, or the absolute path of something that exists. */
function sourceUrl(text: string): string {
  const [, scheme] = /^([a-z][a-z0-9+.-]*):\/\//i.exec(text) ?? []
  if (scheme !== undefined && !/^(https?|ssh)$/i.test(scheme))
    throw new Refusal(`${scheme}:// addresses are not supported.`, {
      hint: 'Use https://, ssh://, git@host:path, or a path on this machine.',
    })
  if (GITHUB_NAME.test(text) && !fileAt(resolve(text))) return `https://github.com/${text}`
  const isPath = scheme === undefined && !/^[^/]+@[^/]+:/.test(text)
  const found = isPath ? resolve(text) : sourceAddress(text)
  if (found === null)
    // Not repeated: it may have a password.
    throw /^\w+:\/\/[^/]*@/.test(text)
      ? new Refusal('The address must not contain a token or password.', { hint: 'Use --token-file.' })
      : new Refusal('This is not the address of a source.', { hint: `Use ${SOURCE_RULE}.` })
  if (isLocalPath(found) && !fileAt(found))
    throw new Refusal(`There is no file ${found}.`, {
      kind: 'not_found',
      hint: 'Use a file or repository on this machine, or an https:// address.',
    })
  return found
}

/** A user is waiting. */
const MOST_MS = 30_000

/** Reads a source. Refuses a missing one, or a rejected token. Returns the reason of any other failure, or null. */
export async function lookAt(context: Context, config: Config, draft: SourceDraft): Promise<string | null> {
  const source = { ...draft, id: newId('src'), createdAt: context.now() }
  // The other mirrors are the worker's.
  const gitDirectory = join(tmpdir(), `changelogd-${source.id}`)
  try {
    const given: CheckContext = {
      ...checkContextFor({ config, env: context.env, file: context.configFile() }),
      isLook: true,
      mostMs: MOST_MS,
      gitDirectory,
      now: source.createdAt,
      signal: new AbortController().signal,
    }
    const checked = await check(source, {}, given)
    if (!('reason' in checked)) return null
    const { reason, remedy } = checked
    const kind = checked.state === 'failed' ? checked.kind : 'refused'
    if (kind === 'not_found' || kind === 'unauthorized')
      throw new Refusal(reason, { kind, hint: remedy ?? '' })
    return [reason, remedy].join(' ').trim()
  } finally {
    rmSync(gitDirectory, { recursive: true, force: true })
  }
}
