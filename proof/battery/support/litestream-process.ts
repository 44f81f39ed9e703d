/**
 * Does to the database FILE what Litestream does, without a replica: `bun litestream-process.ts 0.3|0.5 FILE`, until SIGTERM.
 * Its statements, in its order and on as many connections, but without its pauses. Every line it prints is a round, and says
 * what went wrong in it, if anything.
 */
import { constants, Database } from 'bun:sqlite'
import { closeSync, openSync, readFileSync } from 'node:fs'

const [version, file] = process.argv.slice(2) as ['0.3' | '0.5', string]

const MODES = ['PASSIVE', 'RESTART', 'PASSIVE', 'TRUNCATE'] as const

const connections = Array.from({ length: 3 }, () => {
  const db = new Database(file, { readwrite: true, create: false })
  db.run('PRAGMA busy_timeout = 1000')
  db.run('PRAGMA wal_autocheckpoint = 0')
  if (version === '0.5') db.fileControl(constants.SQLITE_FCNTL_PERSIST_WAL, 1)
  return db
}) as [Database, Database, Database]
const [reading, writing, checkpointing] = connections
const descriptor = openSync(file, 'r')
writing.run('PRAGMA journal_mode = wal')
writing.run('CREATE TABLE IF NOT EXISTS _litestream_seq (id INTEGER PRIMARY KEY, seq INTEGER)')
writing.run('CREATE TABLE IF NOT EXISTS _litestream_lock (id INTEGER)')

/** Held between checkpoints, so that no other connection can begin the log anew. */
function acquireReadLock(): void {
  if (reading.inTransaction) return
  reading.run('BEGIN')
  reading.query('SELECT COUNT(1) FROM _litestream_seq').all()
}

const releaseReadLock = () => {
  if (reading.inTransaction) reading.run('ROLLBACK')
}

const bump = () =>
  writing.run(
    'INSERT INTO _litestream_seq (id, seq) VALUES (1, 1) ON CONFLICT (id) DO UPDATE SET seq = seq + 1',
  )

/** Copies the log while nobody can write to it. */
function lockedCopy(during: () => void = () => {}): void {
  writing.run('BEGIN')
  try {
    writing.run('INSERT INTO _litestream_lock (id) VALUES (1)')
    readFileSync(`${file}-wal`)
    during()
  } finally {
    writing.run('ROLLBACK')
  }
}

function checkpoint(mode: (typeof MODES)[number]): void {
  const run = () => {
    releaseReadLock()
    try {
      checkpointing.query(`PRAGMA wal_checkpoint(${mode})`).all()
    } finally {
      acquireReadLock()
    }
  }
  readFileSync(`${file}-wal`)
  if (version === '0.5' && mode === 'PASSIVE') lockedCopy(run)
  else run()
  bump()
  lockedCopy()
}

let isEnding = false
process.on('SIGTERM', () => {
  isEnding = true
})
acquireReadLock()
for (let round = 0; !isEnding; round++) {
  let fault = ''
  try {
    checkpoint(MODES[round % MODES.length] ?? 'PASSIVE')
  } catch (error) {
    // Litestream logs it and tries again.
    fault = String(error)
  }
  process.stdout.write(`round ${fault}\n`)
  await Bun.sleep(1)
}
releaseReadLock()
for (const connection of connections) connection.close()
closeSync(descriptor)
