/** Only those of the names that the record has. */
export function pick<T extends object, K extends keyof T>(record: T, ...names: readonly K[]): Pick<T, K> {
  const picked: Partial<Pick<T, K>> = {}
  for (const name of names) if (name in record) picked[name] = record[name]
  return picked as Pick<T, K>
}

/** A value for each row of a table. */
export function mapRows<Table extends object, Value>(
  table: Table,
  valueOf: (row: Table[keyof Table]) => Value,
): { [Name in keyof Table]: Value } {
  const mapped: Partial<{ [Name in keyof Table]: Value }> = {}
  for (const name in table) mapped[name] = valueOf(table[name])
  return mapped as { [Name in keyof Table]: Value }
}
