import { join } from 'node:path'
import type { seeder } from '../../../test/support/seed.ts'
import { type Child, killProcess } from '../../../test/support/servers/process.ts'
import { publicPath } from '../../../test/support/servers/server.ts'
import type { Place } from './place.ts'
import { json, type Response } from './socket.ts'

/** The product that a writer process changes again and again, and how to tell whether a response is one of its states. */

export const WRITTEN = publicPath('written', 'app')
const VERSIONS = 20

/** The product in its state `count`. */
export function fillWritten(seed: ReturnType<typeof seeder>, count: number): { teamId: string } {
  const teamId = seed.team('written', { name: String(count) })
  const { id, changelogId } = seed.product(teamId, 'app')
  seed.db.run('UPDATE changelog SET name = ? WHERE product_id = ?', [String(count), id])
  for (let n = 0; n < VERSIONS; n++)
    seed.version(changelogId, `1.${n}`, {
      title: String(count),
      changes: [{ type: 'added', title: 'Something new' }],
    })
  return { teamId }
}

interface Envelope {
  data: {
    team: { name: string }
    changelog: { name: string }
    versions: { title: string; changeCount: number }[]
  }
}

/** The number of the state in a response; null if it is no state, but a mixture. */
export function stateOf(response: Response): number | null {
  const { team, changelog, versions } = json<Envelope>(response).data
  const whole =
    changelog.name === team.name &&
    versions.length === VERSIONS &&
    versions.every(({ title, changeCount }) => title === team.name && changeCount === 1)
  return whole ? Number(team.name) : null
}

export interface Writer {
  readonly child: Child
  /** The last state that is known to be committed. */
  readonly committed: number
  kill(): Promise<void>
}

/** Starts a writer process, and resolves after its first commit. */
export async function startWriter(place: Place, pause: number): Promise<Writer> {
  const child = place.start([
    process.execPath,
    join(import.meta.dir, 'writer-process.ts'),
    place.database,
    String(pause),
  ])
  let committed = 0
  const { promise: begun, resolve, reject } = Promise.withResolvers<void>()
  const read = async () => {
    const decoder = new TextDecoder()
    let rest = ''
    for await (const chunk of child.stdout) {
      const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
      rest = lines.pop() ?? ''
      if (lines.length > 0) committed = Number(lines.at(-1))
      resolve()
    }
    reject(new Error(`the writer ended: ${await new Response(child.stderr).text()}`))
  }
  void read()
  await begun
  return {
    child,
    get committed() {
      return committed
    },
    kill: () => killProcess(child),
  }
}
