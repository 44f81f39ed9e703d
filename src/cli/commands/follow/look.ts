import { rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Config } from '../../../config/config.ts'
import { newId } from '../../../domain/id.ts'
import { Refusal } from '../../../domain/refusal.ts'
import { check } from '../../../sources/check.ts'
import type { CheckContext } from '../../../sources/check-context.ts'
import type { SourceDraft } from '../../../store/records/types.ts'
import { checkContextFor } from '../../../worker/contexts.ts'
import type { Context } from '../../context.ts'

/** Somebody waits for it. */
const MOST_MS = 30_000

/** Reads a source. Refuses what is not there, or not for this token; gives the reason if it cannot be told. */
export async function lookAt(context: Context, config: Config, draft: SourceDraft): Promise<string | null> {
  const source = { ...draft, id: newId('src'), createdAt: context.now() }
  // The other mirrors are the worker's.
  const gitDirectory = join(tmpdir(), `changelogd-${source.id}`)
  try {
    const given: CheckContext = {
      ...checkContextFor({ config, env: context.env, file: context.configFile() }),
      ...{ isLook: true, mostMs: MOST_MS, gitDirectory, now: source.createdAt },
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
