/**
 * `bun test/run.ts`: runs all tests, in a few processes at once, because most of them wait for other processes. Prints what
 * each printed, and then the failures once more and the sum, because what somebody looks for should stand at the end.
 */
import { spawn } from 'bun'

const PROCESSES = 4
const FAILURE_LINES = 60

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

/** What was printed for each failed test: the lines after those of the test before it. */
function failures(output: string): string[] {
  const found: string[] = []
  let lines: string[] = []
  for (const line of output.split('\n')) {
    // From here on the names of those that failed follow once more.
    if (/^\d+ tests? failed:$/.test(line)) break
    lines.push(line)
    if (/^\(fail\) /.test(line)) {
      found.push(lines.slice(-FAILURE_LINES).join('\n'))
    }
    if (/^\((pass|fail|skip)\) /.test(line)) {
      lines = []
    }
  }
  return found
}

for (const failure of ended.flatMap(({ output }) => failures(output))) {
  console.log(`\nFailed:\n${failure}`)
}
console.log(`\nAll tests:\n ${total('pass')} pass\n ${total('skip')} skip\n ${total('fail')} fail`)
process.exitCode = ended.some(({ status }) => status !== 0) ? 1 : 0
