import type { Key, Team } from '../../../domain/records.ts'
import { Refusal } from '../../../domain/refusal.ts'
import { formatInstant } from '../../../domain/time/time.ts'
import { productsOf } from '../key/access.ts'
import type { KeyEntry } from './file.ts'
import { type ApplyRun, differences, isNothing } from './step.ts'

export async function applyKey(
  { records, steps, now }: ApplyRun,
  team: Team,
  keys: readonly Key[],
  entry: KeyEntry,
): Promise<void> {
  const name = `${team.slug}/${entry.label}`
  const [found, ...others] = keys.filter((key) => key.label === entry.label)
  if (others.length > 0)
    throw new Refusal(`Team ${team.slug} has several keys with the label ${entry.label}.`, {
      hint: `Delete all but one. To list them: changelogd key list ${team.slug}`,
    })
  const products = await productsOf(records, team.slug, entry.products ?? [])
  const kind = entry.kind ?? found?.kind ?? (products.length > 0 ? 'SELECT' : 'FULL')
  if (!found) {
    const draft = { kind, label: entry.label, products, expiresAt: entry.expires ?? null }
    const { key, token } = await records.keys.create(team, draft, now)
    if (entry.status === 'disabled') await records.keys.update(key, { status: 'disabled' }, now)
    const changes = differences({}, { kind, ...keyFields(entry) })
    steps.push({ action: 'create', record: 'key', name, changes, token })
    return
  }
  if (kind !== found.kind)
    throw new Refusal(`Key ${name} is a ${found.kind} key, and the kind of a key cannot change.`, {
      hint: `Give the ${kind} key another label.`,
    })
  const changes = differences(
    keyFields({ ...found, expires: found.expiresAt ?? undefined }),
    keyFields(entry),
  )
  if (isNothing(changes)) return
  steps.push({ action: 'update', record: 'key', name, changes })
  const { status = found.status, expires = found.expiresAt } = entry
  await records.keys.update(found, { status, expiresAt: expires }, now)
  if (!changes.products) return
  await records.keys.attach(found, products)
  const extra = found.products.filter((slug) => !entry.products?.includes(slug))
  if (extra.length > 0) await records.keys.detach(found, await productsOf(records, team.slug, extra))
}

const keyFields = (key: { status?: string; expires?: number | undefined; products?: readonly string[] }) => ({
  ...(key.status === undefined ? {} : { status: key.status }),
  ...(key.expires === undefined ? {} : { expires: formatInstant(key.expires) }),
  ...(key.products === undefined ? {} : { products: [...key.products].sort().join(' ') }),
})
