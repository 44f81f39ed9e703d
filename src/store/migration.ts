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

/** What the user should know of a migration, or null if there is nothing to keep in mind. */
export const upgradeNotice = (database: string, { steps, schema, backup }: Migration): string | null =>
  backup &&
  `Upgraded ${database} from schema ${schema - steps} to ${schema}. The backup from before the upgrade is ${backup}`
