/** What opening a database did to its schema. */
export interface Migration {
  readonly steps: number
  readonly schema: number
  /** The copy made before; null if there was nothing to copy, and on PostgreSQL. */
  readonly backup: string | null
}

export const upToDate = (schema: number): Migration => ({ steps: 0, schema, backup: null })

export const upgradeNotice = (database: string, { steps, schema, backup }: Migration): string | null =>
  backup &&
  `Upgraded ${database} from schema ${schema - steps} to ${schema}. The backup from before the upgrade is ${backup}`
