/** What opening a database did to its schema. */
export interface Migration {
  /** How many migrations it applied. */
  readonly steps: number
  /** The schema that the database has now. */
  readonly schema: number
  /** The file to which the database was copied before; null where there was nothing to copy, and on PostgreSQL. */
  readonly backup: string | null
}

export const upToDate = (schema: number): Migration => ({ steps: 0, schema, backup: null })

/** The notice about an upgrade, or null if there was none. */
export const upgradeNotice = (database: string, { steps, schema, backup }: Migration): string | null =>
  backup &&
  `Upgraded ${database} from schema ${schema - steps} to ${schema}. The backup from before the upgrade is ${backup}`
