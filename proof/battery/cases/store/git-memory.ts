import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { GitServer, type Repository } from '../../../../test/support/servers/git-server.ts'
import { type Case, Tally } from '../../support/case.ts'
import { Place, PROGRAM } from '../../support/place.ts'

/** The most that each process of git gets, and the program itself. */
const MOST_MEBIBYTES = { git: 128, changelogd: 256 }

export default {
  name: 'git-memory',
  how: 'A git remote has a tag with a message of 400 MB among others, then 300,000 tags. `sync` reads it, and the most memory of each of its processes is measured every 5 ms.',
  async run({ of }) {
    const [megabytes, refs] = of([400, 300_000], [160, 150_000])
    const bounded = new Tally('A git remote costs no more memory than git and the worker may have')
    const others = new Tally('A tag that is too long is left out, and the others are imported')
    await using place = new Place()
    const git = new GitServer(place.at('git'))
    using host = Bun.serve({
      ...{ port: 0, hostname: '127.0.0.1', fetch: git.handler, idleTimeout: 0, development: false },
      maxRequestBodySize: 1e9,
    })
    const long = git.create('long')
    addLongTag(place, long, megabytes * 1_000_000)
    const many = git.create('many')
    addTags(many, refs)
    await place.must('team', 'create', 'acme', '--name', 'Acme')
    const figures: string[] = []
    const synced = async (name: string) => {
      const url = `http://127.0.0.1:${host.port}/acme/${name}.git`
      await place.must('follow', `acme/${name}`, url, '--tags', '--create', '--follow-private', '--no-check')
      const child = place.start([PROGRAM, 'sync', `acme/${name}`, '--follow-private', '--json'])
      const peaks = watch(child.pid)
      const [outcome] = (await new Response(child.stdout).json()) as { added?: number; reason?: string }[]
      await child.exited
      const most = peaks.stop()
      for (const who of ['git', 'changelogd'] as const)
        bounded.count(most[who] <= MOST_MEBIBYTES[who], () => `${name}: ${who} ${most[who]} MiB`)
      figures.push(`${name}: git ${most.git} MiB, changelogd ${most.changelogd} MiB`)
      return { added: outcome?.added ?? 0, reason: outcome?.reason ?? '' }
    }
    const { added } = await synced('long')
    others.count(added === 3, () => `${added} versions`)
    const { reason } = await synced('many')
    others.count(/more than 100,000/.test(reason), () => reason)
    const what = `a tag of ${megabytes} MB, and ${refs.toLocaleString('en')} tags`
    return [bounded.row(`${what}: ${figures.join('; ')}`), others.row(what)]
  },
} satisfies Case

function addLongTag(place: Place, repository: Repository, bytes: number): void {
  repository.commit({ 'a.txt': 'a' })
  for (const name of ['v1.0.0', 'v1.1.0', 'v1.2.0']) repository.tag(name, undefined, `${name}\n\n- A change`)
  const message = place.at('message')
  writeFileSync(message, Buffer.alloc(bytes, 'a'))
  repository.git('tag', '--cleanup=verbatim', '--file', message, 'v2.0.0')
  repository.git('push', '--quiet', 'origin', 'v2.0.0')
}

function addTags(repository: Repository, count: number): void {
  repository.commit({ 'a.txt': 'a' })
  const id = repository.git('rev-parse', 'HEAD').trim()
  const lines = Array.from(
    { length: count },
    (_, at) => `${id} refs/tags/v1.${String(at).padStart(6, '0')}\n`,
  )
  writeFileSync(
    join(repository.bare, 'packed-refs'),
    `# pack-refs with: peeled fully-peeled sorted\n${lines.join('')}`,
  )
}

const INTERVAL_MS = 5

/** The most memory in MiB of a process, and of any that it has started. */
function watch(pid: number) {
  const most = { git: 0, changelogd: 0 }
  const timer = setInterval(() => {
    const all = new Map(
      readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? statusOf(Number(name)) : [])),
    )
    const isOurs = (one: number): boolean =>
      one === pid || (all.has(one) && isOurs(all.get(one)?.parent ?? 0))
    for (const [one, { mebibytes }] of all) {
      if (!isOurs(one)) continue
      const who = one === pid ? 'changelogd' : 'git'
      most[who] = Math.max(most[who], mebibytes)
    }
  }, INTERVAL_MS)
  return {
    stop() {
      clearInterval(timer)
      return most
    },
  }
}

function statusOf(pid: number): [number, { parent: number; mebibytes: number }][] {
  try {
    const text = readFileSync(`/proc/${pid}/status`, 'utf8')
    const number = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(text)?.[1] ?? 0)
    return [[pid, { parent: number('PPid'), mebibytes: Math.round(number('VmHWM') / 1_024) }]]
  } catch {
    // It has ended.
    return []
  }
}
