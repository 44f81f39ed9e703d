/** How a database is broken, and what its engine says then. */
export const BREAKING = {
  SQLite: { statements: ['PRAGMA foreign_keys = OFF', 'DROP TABLE team'], reason: 'no such table' },
  // What changes the tables does not change the revision, so a row is changed too.
  PostgreSQL: {
    statements: ['DROP TABLE team CASCADE', 'UPDATE product SET created_at = 1'],
    reason: 'relation "team" does not exist',
  },
} as const
