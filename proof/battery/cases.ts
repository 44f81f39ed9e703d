import agents from './cases/http/agents.ts'
import authoredHtml from './cases/http/authored-html.ts'
import boundedWork from './cases/http/bounded-work.ts'
import credentials from './cases/http/credentials.ts'
import crowds from './cases/http/crowds.ts'
import hostileTexts from './cases/http/hostile-texts.ts'
import limiter from './cases/http/limiter.ts'
import memory from './cases/http/memory.ts'
import randomPaths from './cases/http/random-paths.ts'
import rawSockets from './cases/http/raw-sockets.ts'
import secrets from './cases/http/secrets.ts'
import signals from './cases/http/signals.ts'
import slowClients from './cases/http/slow-clients.ts'
import twins from './cases/http/twins.ts'
import { cut, promotion } from './cases/nodes/failover.ts'
import { engineKill, engineStop } from './cases/nodes/outages.ts'
import sharedLimit from './cases/nodes/shared-limit.ts'
import steady from './cases/nodes/steady.ts'
import announcing from './cases/store/announcing.ts'
import backups from './cases/store/backups.ts'
import clock from './cases/store/clock.ts'
import commandKill from './cases/store/command-kill.ts'
import connections from './cases/store/connections.ts'
import corruption from './cases/store/corruption.ts'
import desk from './cases/store/desk.ts'
import faults from './cases/store/faults.ts'
import fileAttacks from './cases/store/file-attacks.ts'
import followedAddresses from './cases/store/followed-addresses.ts'
import following from './cases/store/following.ts'
import gitMemory from './cases/store/git-memory.ts'
import largeFiles from './cases/store/large-files.ts'
import letters from './cases/store/letters.ts'
import litestream from './cases/store/litestream.ts'
import lostCommits from './cases/store/lost-commits.ts'
import migrations from './cases/store/migrations.ts'
import pictures from './cases/store/pictures.ts'
import reloadedForm from './cases/store/reloaded-form.ts'
import schema from './cases/store/schema.ts'
import serverKill from './cases/store/server-kill.ts'
import slowHosts from './cases/store/slow-hosts.ts'
import staleness from './cases/store/staleness.ts'
import writers from './cases/store/writers.ts'
import type { Case } from './support/case.ts'

/** The cases of one server, in the order in which they run. */
export const CASES: readonly Case[] = [
  serverKill,
  commandKill,
  lostCommits,
  staleness,
  fileAttacks,
  writers,
  desk,
  reloadedForm,
  pictures,
  connections,
  following,
  followedAddresses,
  gitMemory,
  announcing,
  letters,
  slowHosts,
  clock,
  backups,
  litestream,
  signals,
  faults,
  corruption,
  schema,
  migrations,
  twins,
  credentials,
  rawSockets,
  slowClients,
  randomPaths,
  agents,
  limiter,
  crowds,
  boundedWork,
  hostileTexts,
  authoredHtml,
  memory,
  largeFiles,
  secrets,
]

/** Those of several nodes. */
export const NODE_CASES: readonly Case[] = [steady, engineKill, engineStop, cut, promotion, sharedLimit]
