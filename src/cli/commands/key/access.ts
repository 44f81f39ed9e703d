import type { Command } from '@commander-js/extra-typings'
import type { Key, Product } from '../../../domain/records.ts'
import type { Records } from '../../../store/records/port.ts'
import { keyArgument } from '../../arguments.ts'
import { databaseCommand } from '../../command.ts'
import type { Context } from '../../context.ts'
import { findKey, findProduct } from '../../lookup.ts'
import { writing } from '../../session.ts'
import { keyJson } from '../../terminal/record-json.ts'
import { plain } from '../../terminal/text.ts'

/** A key's id, for the examples: keys have no other name. */
export const SELECT = `"$(changelogd key list acme | grep SELECT | grep -om1 'key_[0-9a-z]*')"`

/** The commands that say what a key may read: whether anything, and which products. */
export function addKeyAccess(context: Context, key: Command): void {
  for (const [word, summary, status, done] of [
    ['disable', 'refuse a key from the next request on', 'disabled', 'Disabled'],
    ['enable', 'accept a disabled key again', 'active', 'Enabled'],
  ] as const)
    key.addCommand(
      databaseCommand(context, word, summary, [
        `changelogd key ${word} ${SELECT}`,
        `changelogd key ${word} ${SELECT} --json`,
      ])
        .addArgument(keyArgument())
        .action((id, options) =>
          writing(context, options, async (records) => {
            const updated = await records.keys.update(await findKey(records, id), { status }, context.now())
            return { json: keyJson(updated), text: `${done} the ${described(updated)}.` }
          }),
        ),
    )

  for (const [word, summary, done] of [
    ['attach', 'let a SELECT key read more products', 'Attached to'],
    ['detach', 'let a SELECT key read fewer products', 'Detached from'],
  ] as const)
    key.addCommand(
      databaseCommand(context, word, summary, [
        `changelogd key ${word} ${SELECT} ${word === 'attach' ? 'app' : 'beta'}`,
        `changelogd key ${word} ${SELECT} ${word === 'attach' ? 'app beta' : 'beta'} --json`,
      ])
        .addArgument(keyArgument())
        .argument('<slug...>', "products of the key's team")
        .action((id, slugs, options) =>
          writing(context, options, async (records) => {
            const found = await findKey(records, id)
            const updated = await records.keys[word](found, await productsOf(records, found.team.slug, slugs))
            return { json: keyJson(updated), text: `${done} the ${described(updated)}: ${slugs.join(' ')}.` }
          }),
        ),
    )
}

/** The products of a team that are called so. */
export async function productsOf(
  records: Records,
  team: string,
  slugs: readonly string[],
): Promise<Product[]> {
  const products: Product[] = []
  for (const slug of new Set(slugs)) products.push(await findProduct(records, { team, product: slug }))
  return products
}

export const described = (key: Key): string =>
  `${key.kind} key ${key.id}${key.label && ` (${plain(key.label)})`} of team ${key.team.slug}`
