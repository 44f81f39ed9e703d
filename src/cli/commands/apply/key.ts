import type { Instant, Key, Team } from '../../../domain/records.ts'
import { Refusal, toRun } from '../../../domain/refusal.ts'
import { formatInstant, parseInstant } from '../../../domain/time/time.ts'
import { productsOf } from '../key/key.ts'
import type { KeyEntry } from './file.ts'
import { type ApplyRun, differences } from './step.ts'

export async function applyKey(
  { records, steps, now }: ApplyRun,
  team: Team,
  keys: readonly Key[],
  label: string,
  { expires, ...entry }: KeyEntry,
): Promise<void> {
  const name = `${team.slug}/${label}`
  const [found, ...others] = keys.filter((key) => key.label === label)
  if (others.length > 0)
    throw new Refusal(`Team ${team.slug} has several keys with the label ${label}.`, {
      hint: toRun('Delete all but one. To list them', 'key list', [team.slug]),
    })
  const products = await productsOf(records, team.slug, entry.products ?? [])
  const kind = entry.kind ?? found?.kind ?? (products.length > 0 ? 'SELECT' : 'FULL')
  const given = expires === undefined ? null : parseInstant(expires)
  const expiresAt = given ?? found?.expiresAt ?? null
  const wanted = keyFields(entry.status, given, entry.products)
  if (!found) {
    const { key, token } = await records.keys.create(team, { kind, label, products, expiresAt }, now)
    if (entry.status === 'disabled') await records.keys.update(key, { status: 'disabled' }, now)
    const changes = { ...differences({}, { kind, ...wanted }) }
    steps.push({ action: 'create', record: 'key', name, changes, token })
    return
  }
  if (kind !== found.kind)
    throw new Refusal(`Key ${name} is a ${found.kind} key. The kind of a key cannot change.`, {
      hint: `Choose another label for the ${kind} key.`,
    })
  const changes = differences(keyFields(found.status, found.expiresAt, found.products), wanted)
  if (!changes) return
  steps.push({ action: 'update', record: 'key', name, changes })
  await records.keys.update(found, { status: entry.status ?? found.status, expiresAt }, now)
  if (!changes.products) return
  await records.keys.attach(found, products)
  const extra = found.products.filter((slug) => !entry.products?.includes(slug))
  if (extra.length > 0) await records.keys.detach(found, await productsOf(records, team.slug, extra))
}

/** The given fields, as steps show them. */
const keyFields = (status?: string, expires?: Instant | null, products?: readonly string[]) => ({
  ...(status && { status }),
  ...(expires != null && { expires: formatInstant(expires) }),
  ...(products && { products: [...products].sort().join(' ') }),
})
