import { Column, is, Placeholder, type Query, SQL } from 'drizzle-orm'

/** A statement: its SQL, its parameters and the columns of its rows, in order. */
export interface Statement<Row> {
  sql: string
  /** What is bound: a value that the caller gives by name, or a constant. */
  parameters: ({ name: string } | { value: string | number })[]
  /** The path of each column in the object of a row. */
  columns: string[][]
  /** The places of the columns that PostgreSQL sends as text though they are numbers. */
  longNumbers: number[]
  /** Never set: it only carries the type of a row. */
  row?: Row
}

/** What is used of a Drizzle query. */
interface Built<Row> {
  toSQL(): Query
  _: { selectedFields: object; result: Row[] }
}

/** The statement of a query. */
export function statement<Row>(query: Built<Row>): Statement<Row> {
  const { sql, params } = query.toSQL()
  const parameters = params.map((param) =>
    is(param, Placeholder) ? { name: param.name } : { value: param as string | number },
  )
  const fields = columnsOf(query._.selectedFields)
  return {
    sql,
    parameters,
    columns: fields.map(({ path }) => path),
    longNumbers: fields.flatMap(({ field }, at) =>
      is(field, Column) && field.getSQLType() === 'bigint' ? [at] : [],
    ),
  }
}

/** Each column and its path, in the order in which Drizzle selects them. */
const columnsOf = (fields: object): { path: string[]; field: Column | SQL }[] =>
  Object.entries(fields).flatMap(([name, field]) =>
    is(field, Column) || is(field, SQL)
      ? [{ path: [name], field }]
      : columnsOf(field).map((inner) => ({ ...inner, path: [name, ...inner.path] })),
  )
