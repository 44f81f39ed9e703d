import { changeRecords } from './changes.ts'
import type { Engine } from './engine.ts'
import { keyRecords } from './keys.ts'
import type { Records } from './port.ts'
import { productRecords } from './products.ts'
import { teamRecords } from './teams.ts'
import { versionRecords } from './versions.ts'

/** Every record of the writing side. The caller runs them within a transaction or a snapshot. */
export function prepareRecords(engine: Engine): Records {
  const changes = changeRecords(engine)
  return {
    teams: teamRecords(engine.db),
    products: productRecords(engine.db),
    versions: versionRecords(engine, changes),
    changes,
    keys: keyRecords(engine.db),
  }
}
