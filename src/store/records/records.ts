import { announcingRecords } from './announcing.ts'
import { changeRecords } from './changes.ts'
import { type Engine, exists } from './engine.ts'
import { formerAddressRecords } from './former-addresses.ts'
import { hookRecords } from './hooks.ts'
import { keptRecords } from './kept.ts'
import { keyRecords } from './keys.ts'
import { pictureRecords } from './pictures.ts'
import { productRecords } from './products.ts'
import { sourceRecords } from './sources.ts'
import { teamRecords } from './teams.ts'
import { contentRecords } from './transfer/contents.ts'
import { importRecords } from './transfer/import.ts'
import { versionRecords } from './versions.ts'

export type Records = ReturnType<typeof prepareRecords>

/** The records, by noun. Each write checks the rules of `domain/rules.ts` and throws their `Refusal`. */
export function prepareRecords(engine: Engine) {
  const products = productRecords(engine)
  return {
    teams: teamRecords(engine),
    products,
    formerAddresses: formerAddressRecords(engine),
    versions: versionRecords(engine),
    changes: changeRecords(engine),
    pictures: pictureRecords(engine),
    keys: keyRecords(engine, products.find),
    sources: sourceRecords(engine),
    hooks: hookRecords(engine, products.find),
    announcing: announcingRecords(engine),
    kept: keptRecords(engine),
    /** Whole records for exports and imports. */
    transfer: {
      ...contentRecords(engine),
      ...importRecords(engine),
      exists: (id: string) => exists(engine, id),
      identity: engine.identity,
    },
  }
}
