/**
 * `bun test/run.ts`: runs all tests, in a few processes at once, because most of them wait for other processes. Prints what
 * each printed, and then the sum.
 */
import { spawn } from 'bun'

const PROCESSES = 3

const runs = Array.from({ length: PROCESSES }, async (_, at) => {
  const command = [process.execPath, 'test', '--timeout', '60000', `--shard=${at + 1}/${PROCESSES}`]
  const child = spawn(command, { stdin: 'ignore', stdout: 'pipe', stderr: 'pipe' })
  const [stdout, stderr, status] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  const output = stdout + stderr
  process.stdout.write(output)
  return { output, status }
})

const ended = await Promise.all(runs)
const total = (what: string): number =>
  ended.reduce((sum, { output }) => {
    const counts = [...output.matchAll(new RegExp(`^ *(\\d+) ${what}$`, 'gm'))]
    return sum + Number(counts.at(-1)?.[1] ?? 0)
  }, 0)

console.log(`\nAll tests:\n ${total('pass')} pass\n ${total('skip')} skip\n ${total('fail')} fail`)
process.exitCode = ended.some(({ status }) => status !== 0) ? 1 : 0
