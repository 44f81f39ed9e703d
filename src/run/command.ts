import { realpathSync } from 'node:fs'
import { version } from '../../package.json'
import type { Surroundings } from '../cli/context.ts'
import { writerTo } from '../cli/terminal/output.ts'
import { isPackaged } from '../config/package.ts'
import { orNull } from '../domain/errors.ts'
import { isJournal } from '../http/listening/systemd.ts'

/** Standard streams are opened when they are needed: each takes milliseconds, and a server's first response needs none. */
let output: NodeJS.WriteStream | undefined
const openOutput = () => {
  // A reader that closes the pipe early, as `head` does, gets no message; but the output is incomplete, and the exit status
  // is that of a program ended by SIGPIPE.
  output ??= process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(141)
    void failOutput(error)
  })
  return output
}
const stdout = writerTo(openOutput)
const stderr = writerTo(() => process.stderr)
const logHasTimes = !isJournal(process.env)

/** Loaded on demand: commands that need no server start in half the time. */
const serving = async () => (await import('./serving.ts')).servingFor({ stderr, logHasTimes })
const working = async () => (await import('./working.ts')).workingFor({ logHasTimes, version })

/** Loads the parts that not every command needs on demand. */
const context: Surroundings = {
  version,
  env: process.env,
  isPackaged: isPackaged(process.execPath),
  logHasTimes,
  stdin: Bun.stdin,
  stdout,
  stderr,
  terminal: {
    get input() {
      return process.stdin.isTTY === true
    },
    get output() {
      return process.stdout.isTTY === true
    },
    get width() {
      return widthOf(process.stdout)
    },
  },
  messageWidth: () => widthOf(process.stderr),
  now: Date.now,
  confirm: async (question) => {
    await stderr(`${question} [y/N] `)
    for await (const line of console) return /^y(es)?$/i.test(line.trim())
    return false
  },
  runEditor: async (...given) =>
    (await import('../cli/terminal/editor.ts')).editorOn(process, process.env)(...given),
  serve: async (...given) => (await serving()).serve(...given),
  preview: async (...given) => (await serving()).preview(...given),
  desk: async (...given) => (await import('./desk.ts')).runDesk(logHasTimes, ...given),
  get: async (...given) => (await serving()).get(...given),
  work: async (...given) => (await working()).work(...given),
  handedOver: async () => (await working()).handedOver(),
}

/** Some terminals report no columns. */
function widthOf({ isTTY, columns }: NodeJS.WriteStream): number {
  return (isTTY && columns) || Number.POSITIVE_INFINITY
}

async function failOutput(error: Error): Promise<never> {
  const { fileError } = await import('../files/errors.ts')
  const { errorText } = await import('../log/report.ts')
  const known = fileError(error, outputFile(), 'Cannot write to standard output')
  const text = known instanceof Error ? errorText(known) : error.message
  process.stderr.write(`changelogd: ${text}\n`)
  process.exit(1)
}

/** The file that standard output goes to, where the system says so. */
const outputFile = (): string => orNull(() => realpathSync('/dev/stdout')) ?? '.'

// Not process.exit, which would cut off what a pipe has not taken yet; and no top-level await, which the bytecode
// of the executable does not support.
const args = process.argv.slice(2)
const ending =
  args.length === 1 && args[0] === 'serve'
    ? import('../cli/plain-serve.ts').then(({ servePlain }) => servePlain(context))
    : import('../cli/program.ts').then(({ run }) => run(context, args))
ending.then((status) => {
  process.exitCode = status
  // A worker that could not start would wait for the end of its input, which its server keeps open.
  if (args.includes('--child')) process.exit()
})
