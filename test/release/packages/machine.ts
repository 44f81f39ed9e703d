import { join } from 'node:path'
import { scratch } from '../../support/scratch.ts'
import { type Child, killProcess, linesOf, startProcess } from '../../support/servers/process.ts'
import { until } from '../../support/until.ts'

/** Mounts this machine's files below $1, with everything that is written to them in memory, until its input ends. */
const MOUNT = `
set -e
mount -t tmpfs tmpfs "$1"
mkdir "$1/upper" "$1/work" "$1/root"
mount -t overlay overlay -o "lowerdir=/,upperdir=$1/upper,workdir=$1/work" "$1/root"
for place in proc dev; do mount --rbind "/$place" "$1/root/$place"; done
echo mounted
exec cat
`

/** Whether this user may mount such a thing: root may, where a container does not forbid it. */
export const canMount = (): boolean => {
  using place = scratch()
  return Bun.spawnSync(['unshare', '--mount', 'sh', '-c', MOUNT, 'sh', place.path], { stdin: null }).success
}

export interface Ran {
  status: number
  stdout: string
  stderr: string
}

/** This machine, on which anything can be installed: nothing of it is left after it is closed. */
export class Machine {
  private readonly place = scratch()
  private readonly children: Child[] = []
  private readonly holder = Bun.spawn(['unshare', '--mount', 'sh', '-c', MOUNT, 'sh', this.place.path], {
    stdin: 'pipe',
    stdout: 'pipe',
    stderr: 'inherit',
  })

  static async start(): Promise<Machine> {
    const machine = new Machine()
    const { lines } = linesOf(machine.holder.stdout)
    await until(() => lines.includes('mounted') || machine.holder.exitCode !== null)
    return machine
  }

  /** Starts a program there, as a user and in a directory, with an environment of its own. */
  spawn(
    user: string,
    directory: string,
    command: readonly string[],
    env: Record<string, string> = {},
  ): Child {
    const words = Object.entries({ PATH: '/usr/sbin:/usr/bin:/sbin:/bin', ...env }).map((pair) =>
      pair.join('='),
    )
    const inside = [
      ...['nsenter', '--mount', `--target=${this.holder.pid}`, '--'],
      ...['chroot', `--userspec=${user}`, join(this.place.path, 'root')],
      ...['env', '-i', ...words, 'sh', '-c', 'cd "$0" && exec "$@"', directory, ...command],
    ]
    const child = startProcess(inside, { cwd: '/', env: { PATH: process.env.PATH ?? '' } })
    this.children.push(child)
    return child
  }

  async run(...args: Parameters<Machine['spawn']>): Promise<Ran> {
    const child = this.spawn(...args)
    const [stdout, stderr, status] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
      child.exited,
    ])
    return { status, stdout, stderr }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.children.map(killProcess))
    await this.holder.stdin.end()
    await this.holder.exited
    this.place[Symbol.dispose]()
  }
}
