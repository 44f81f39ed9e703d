/** Picks fields of a record. Names that it does not have are left out. */
export function pick<T extends object, K extends keyof T>(record: T, ...names: readonly K[]): Pick<T, K> {
  const picked: Partial<Pick<T, K>> = {}
  for (const name of names) if (name in record) picked[name] = record[name]
  return picked as Pick<T, K>
}

/** Maps each row of a table, by the name of the row. */
export function mapRows<Table extends object, Result>(
  table: Table,
  make: (row: Table[keyof Table], name: keyof Table) => Result,
): Record<keyof Table, Result> {
  const results: Partial<Record<keyof Table, Result>> = {}
  for (const name in table) results[name] = make(table[name], name)
  return results as Record<keyof Table, Result>
}

export const namesOf = <Table extends object>(table: Table) => Object.keys(table) as (keyof Table)[]

/** The result of `make`, which is called with the first use. */
export function once<T>(make: () => T): () => T {
  let made: T | undefined
  return () => (made ??= make())
}
