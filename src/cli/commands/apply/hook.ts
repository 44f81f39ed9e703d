import { MAILTO } from '../../../domain/addresses/mail-address.ts'
import { isChat } from '../../../domain/hook-kinds.ts'
import {
  addressOfHook,
  hookCommand,
  hookDelayOf,
  mailUrl,
  seemsSecret,
  usualName,
  webhookUrl,
} from '../../../domain/hooks.ts'
import { HOOK_EVENTS, type Hook, type Team } from '../../../domain/records.ts'
import { Refusal, toRun } from '../../../domain/refusal.ts'
import { findProduct } from '../../../transfer/find.ts'
import { type HookEntry, listUrlIn } from './file.ts'
import { type ApplyRun, differences, type HookChanges } from './step.ts'

/** Identifies a hook without a name. Of a kind with secret addresses, there is one such hook per product. */
const keyOf = ({ kind, url, product }: Pick<Hook, 'kind' | 'url'> & { product: { slug: string } | null }) =>
  JSON.stringify([kind, url, product?.slug])

/** Creates a hook, or changes its name, status or events. Adds its id and its key to `named`. */
export async function applyHook(
  { records, steps, now, hooks }: ApplyRun,
  team: Team,
  known: readonly Hook[],
  entries: readonly HookEntry[],
  entry: HookEntry,
  named: Set<string>,
): Promise<void> {
  const usualKind = entry.url?.startsWith(MAILTO) ? 'mail' : 'webhook'
  const { kind = usualKind, product: slug = null, name, status, stable } = entry
  const delay = entry.delay === undefined ? undefined : (hookDelayOf(entry.delay) ?? undefined)
  if (isChat(kind) && entry.url !== undefined)
    throw new Refusal(`The address of ${kind} is a secret: it must be in a file that urlFile names.`)
  if (!isChat(kind) && (entry.url === undefined) === (entry.urlFile === undefined))
    throw new Refusal(`A ${kind} needs either url or urlFile.`)
  if (kind === 'mail' && entry.urlFile !== undefined)
    throw new Refusal('The address of mail is no secret: it must be in url, as mailto: and the address.')
  const url =
    entry.url === undefined
      ? null
      : kind === 'mail'
        ? mailUrl(entry.url)
        : webhookUrl(entry.url, entry.kind !== undefined)
  const unsubscribeUrl = listUrlIn(entry.unsubscribeUrl)
  const key = keyOf({ kind, url, product: slug === null ? null : { slug } })
  const identities = [name ?? key, ...(url === null ? [] : [key])]
  const shown = `${team.slug}/${name ?? usualName({ kind, url })}`
  if (identities.some((each) => named.has(each))) throw new Refusal(`The hook ${shown} is in the file twice.`)
  for (const each of identities) named.add(each)
  const isOther = (hook: Hook) => named.has(hook.id) || entries.some(({ name }) => name === hook.name)
  const namesake = known.find((hook) => hook.name === name)
  const alike = known.filter((hook) => keyOf(hook) === key && !isOther(hook))
  const [found, ...others] = namesake ? [namesake] : await withAddress(alike, entry, hooks)
  if (others.length > 0)
    throw new Refusal(`Team ${team.slug} has several hooks ${shown}.`, {
      hint: toRun('Add a name to each in the file. To list them', 'hook list', [team.slug]),
    })
  if (found && keyOf(found) !== key)
    throw new Refusal(`The hook ${shown} exists with a different kind, address or product.`, {
      hint: { text: 'Choose another name, or remove it first', command: hookCommand('remove', found) },
    })
  const events = entry.events && HOOK_EVENTS.filter((event) => entry.events?.includes(event))
  if (found) {
    named.add(found.id)
    const { name = found.name, status = found.status } = entry
    const wanted = {
      name,
      status,
      events: events ?? found.events,
      stable: stable ?? found.stable,
      unsubscribeUrl: unsubscribeUrl === undefined ? found.unsubscribeUrl : unsubscribeUrl,
      delay: delay ?? found.delay,
    }
    const changes = differences(found, wanted)
    if (!changes) return
    await records.hooks.update(found, wanted)
    if (changes.status && status === 'active') hooks.resumed.push(found)
    steps.push({ action: 'update', record: 'hook', name: addressOfHook(found), id: found.id, changes })
    return
  }
  const product = slug === null ? null : await findProduct(records, { team: team.slug, product: slug })
  const secrets = await hooks.secretsFor(kind, url, entry.urlFile, entry.kind !== undefined)
  const created = await records.hooks.create(
    team,
    { product, kind, url, name, events, stable, unsubscribeUrl, delay },
    now,
  )
  if (status === 'disabled') await records.hooks.update(created, { status })
  hooks.secrets.set(created.id, secrets)
  const told = { events: created.events, stable: stable ? 'yes' : null, unsubscribeUrl }
  const fields = { kind, url, product: slug, ...told, status: status ?? 'active' }
  steps.push({
    action: 'create',
    record: 'hook',
    name: addressOfHook(created),
    id: created.id,
    changes: { ...differences({}, fields) },
    ...(seemsSecret(url) && {
      note: 'lists and exports show this address, which seems secret; urlFile hides it',
    }),
    ...(kind === 'webhook' && { secret: secrets[0] }),
  })
}

/** Leaves those with the address of the entry, if it has a name and a secret address. */
async function withAddress(alike: Hook[], { name, urlFile }: HookEntry, hooks: HookChanges): Promise<Hook[]> {
  if (name === undefined || urlFile === undefined) return alike
  const same = await Promise.all(alike.map((hook) => hooks.hasAddress(hook, urlFile)))
  return alike.filter((_, at) => same[at])
}

export function pruneHooks(
  { steps, endings }: ApplyRun,
  known: readonly Hook[],
  named: ReadonlySet<string>,
): void {
  for (const hook of known)
    if (!named.has(hook.id)) {
      endings.push({ deletion: { hook } })
      steps.push({ action: 'delete', record: 'hook', name: addressOfHook(hook), id: hook.id, changes: {} })
    }
}
