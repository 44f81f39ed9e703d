import { SQL } from 'bun'
import { openForWriting } from '../../../src/store/postgres/write.ts'
import { createWaiting } from '../../../src/store/wait.ts'
import { until } from '../until.ts'
import { startCluster } from './cluster.ts'

/** The databases of tests, all in one cluster, which is started for the first of them. */
export interface Databases {
  /** The address of a new one; with a schema, unless it is to be bare. */
  create(options?: { bare: boolean }): Promise<string>
  /** Removes one that is not needed any more: hundreds would fill the disk. */
  drop(address: string): Promise<void>
}

let started: Promise<Databases> | undefined

export function postgres(): Promise<Databases> {
  started ??= start()
  return started
}

async function start(): Promise<Databases> {
  const cluster = await startCluster()
  const admin = new SQL(cluster.at('postgres'), { max: 1 })
  await admin.unsafe('create database template_changelogd')
  const store = await openForWriting(cluster.at('template_changelogd'), createWaiting())
  store.close()
  // A database that is in use cannot be a template.
  await until(async () => {
    const users = await admin`select from pg_stat_activity where datname = 'template_changelogd'`
    return users.length === 0
  })
  let count = 0
  return {
    create: async ({ bare } = { bare: false }) => {
      const name = `test_${++count}`
      const template = bare ? 'template1' : 'template_changelogd'
      await admin.unsafe(`create database ${name} template ${template} strategy file_copy`)
      return cluster.at(name)
    },
    drop: async (address) => {
      await admin.unsafe(`drop database if exists ${new URL(address).pathname.slice(1)} with (force)`)
    },
  }
}
