import type { Command } from '@commander-js/extra-typings'
import type { Key, Product } from '../../../domain/records.ts'
import type { Records } from '../../../store/records/records.ts'
import { findKey, findProduct } from '../../../transfer/find.ts'
import { keyArgument } from '../../arguments/arguments.ts'
import { writingCommand } from '../../command.ts'
import type { Context } from '../../context.ts'
import { withJson } from '../../record-commands.ts'
import { keyJson } from '../../terminal/record-json.ts'
import { plain } from '../../terminal/text.ts'

/** Commands that change what a key can read. */
export function addKeyAccess(context: Context, key: Command): void {
  for (const [word, summary, status, done] of [
    ['disable', 'reject a key from the next request on', 'disabled', 'Disabled'],
    ['enable', 'accept a disabled key again', 'active', 'Enabled'],
  ] as const)
    writingCommand(key, word, summary, withJson(`changelogd key ${word} acme/docs`))
      .addArgument(keyArgument())
      .writes(async (records, name) => {
        const updated = await records.keys.update(await findKey(records, name), { status }, context.now())
        return { json: keyJson(updated), text: `${done} ${keyText(updated)}.` }
      })

  for (const [word, summary, done, preposition] of [
    ['attach', 'let a SELECT key read more products', 'Attached', 'to'],
    ['detach', 'let a SELECT key read fewer products', 'Detached', 'from'],
  ] as const)
    writingCommand(key, word, summary, [
      `changelogd key ${word} acme/docs ${word === 'attach' ? 'app' : 'beta'}`,
      `changelogd key ${word} acme/docs ${word === 'attach' ? 'app beta' : 'beta'} --json`,
    ])
      .addArgument(keyArgument())
      .argument('<slug...>', "slugs of products of the key's team")
      .writes(async (records, name, slugs) => {
        const found = await findKey(records, name)
        const updated = await records.keys[word](found, await productsOf(records, found.team.slug, slugs))
        const text = `${done} ${slugs.join(' ')} ${preposition} ${keyText(updated)}.`
        return { json: keyJson(updated), text }
      })
}

/** Refuses unknown slugs. */
export async function productsOf(
  records: Records,
  team: string,
  slugs: readonly string[],
): Promise<Product[]> {
  const products: Product[] = []
  for (const slug of new Set(slugs)) products.push(await findProduct(records, { team, product: slug }))
  return products
}

export const keyText = (key: Key): string =>
  `${key.kind} key ${key.id}${key.label && ` (${plain(key.label)})`} of team ${key.team.slug}`
