import { addressOfHook, hookUrlOf, isChat } from '../../../domain/hooks.ts'
import type { Hook, Team } from '../../../domain/records.ts'
import { Refusal } from '../../../domain/refusal.ts'
import { findProduct } from '../../../transfer/find.ts'
import type { HookEntry } from './file.ts'
import { type ApplyRun, differences } from './step.ts'

/** What identifies a hook of a team. The address of a chat is a secret, so a chat has one for each product. */
const keyOf = (kind: string, url: string | null, product: string | null): string =>
  JSON.stringify([kind, url, product])

const keyOfHook = ({ kind, url, product }: Hook): string => keyOf(kind, url, product?.slug ?? null)

/** Creates a hook or changes its status. Returns what identifies it; `named` are those that the file had before. */
export async function applyHook(
  { records, steps, now, hooks }: ApplyRun,
  team: Team,
  known: readonly Hook[],
  entry: HookEntry,
  named: ReadonlySet<string>,
): Promise<string> {
  const { kind = 'webhook', product: slug = null, status } = entry
  if (isChat(kind) && entry.url !== undefined)
    throw new Refusal(
      `The address of ${kind} is a secret: it must be in a file of its own, named by urlFile.`,
    )
  if (!isChat(kind) && (entry.url === undefined || entry.urlFile !== undefined))
    throw new Refusal(`A ${kind} must have its address as url.`)
  const url = entry.url === undefined ? null : hookUrlOf(entry.url)
  const key = keyOf(kind, url, slug)
  const name = addressOfHook({ kind, url, team })
  if (named.has(key)) throw new Refusal(`The hook ${name} is in the file twice.`)
  const [found, ...others] = known.filter((hook) => keyOfHook(hook) === key)
  if (others.length > 0)
    throw new Refusal(`Team ${team.slug} has several hooks ${name} that cannot be told apart.`, {
      hint: `Remove all but one. To list them: changelogd hook list ${team.slug}`,
    })
  if (found) {
    if (status === undefined || status === found.status) return key
    const changes = differences(found, { status })
    await records.hooks.update(found, { status })
    if (status === 'active') hooks.resumed.push(found)
    steps.push({ action: 'update', record: 'hook', name, id: found.id, changes })
    return key
  }
  const product = slug === null ? null : await findProduct(records, { team: team.slug, product: slug })
  const secret = await hooks.secretFor(kind, url, entry.urlFile)
  const created = await records.hooks.create(team, { product, kind, url }, now)
  if (status === 'disabled') await records.hooks.update(created, { status })
  if (kind !== 'websub') hooks.secrets.set(created.id, secret)
  steps.push({
    ...{ action: 'create', record: 'hook', name, id: created.id },
    changes: differences({}, { kind, url, product: slug, status: status ?? 'active' }),
    ...(kind === 'webhook' && { secret }),
  })
  return key
}

/** Deletes those that the file does not name. */
export async function pruneHooks(
  { records, steps }: ApplyRun,
  known: readonly Hook[],
  named: ReadonlySet<string>,
): Promise<void> {
  for (const hook of known)
    if (!named.has(keyOfHook(hook))) {
      await records.hooks.delete(hook)
      const name = addressOfHook(hook)
      steps.push({ action: 'delete', record: 'hook', name, id: hook.id, changes: {} })
    }
}
