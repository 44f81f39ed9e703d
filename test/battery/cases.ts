import backups from './cases/data/backups.ts'
import commandKill from './cases/data/command-kill.ts'
import corruption from './cases/data/corruption.ts'
import faults from './cases/data/faults.ts'
import fileAttacks from './cases/data/file-attacks.ts'
import migrations from './cases/data/migrations.ts'
import serverKill from './cases/data/server-kill.ts'
import staleness from './cases/data/staleness.ts'
import writers from './cases/data/writers.ts'
import boundedWork from './cases/http/bounded-work.ts'
import credentials from './cases/http/credentials.ts'
import limiter from './cases/http/limiter.ts'
import randomPaths from './cases/http/random-paths.ts'
import rawSockets from './cases/http/raw-sockets.ts'
import secrets from './cases/http/secrets.ts'
import signals from './cases/http/signals.ts'
import slowClients from './cases/http/slow-clients.ts'
import twins from './cases/http/twins.ts'
import type { Case } from './support/case.ts'

/** Every case, in the order in which they run. */
export const CASES: readonly Case[] = [
  serverKill,
  commandKill,
  staleness,
  fileAttacks,
  writers,
  backups,
  signals,
  faults,
  corruption,
  migrations,
  twins,
  credentials,
  rawSockets,
  slowClients,
  randomPaths,
  limiter,
  boundedWork,
  secrets,
]
