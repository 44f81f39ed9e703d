import { changeRecords } from './changes.ts'
import { contentRecords } from './contents.ts'
import { importRecords } from './import.ts'
import type { Engine } from './insert.ts'
import { keyRecords } from './keys.ts'
import { moveRecords } from './move.ts'
import type { Records } from './port.ts'
import { productRecords } from './products.ts'
import { teamRecords } from './teams.ts'
import { versionRecords } from './versions.ts'

/** The records of a command. The caller uses them within a transaction or a snapshot. */
export function prepareRecords(engine: Engine): Records {
  const { db } = engine
  return {
    teams: teamRecords(engine),
    products: productRecords(engine),
    versions: versionRecords(db),
    changes: changeRecords(db),
    keys: keyRecords(engine),
    transfer: { ...contentRecords(engine), ...importRecords(engine), ...moveRecords(db) },
  }
}
