import type { Environment } from '../../config/config.ts'
import { Refusal } from '../../domain/refusal.ts'
import type { Context } from '../context.ts'

const USUAL_EDITORS = ['vi', 'nano']

/** The user's editor as git finds it: `VISUAL`, `EDITOR`, and at a terminal the usual ones. */
export function chooseEditor({ env, terminal }: Context): string {
  const chosen = env.VISUAL?.trim() || env.EDITOR?.trim()
  if (chosen) return chosen
  if (terminal.input && terminal.output && env.TERM !== 'dumb')
    for (const name of USUAL_EDITORS) if (Bun.which(name, { PATH: env.PATH ?? '' }) !== null) return name
  throw new Refusal('No editor is set.', {
    hint: 'Set VISUAL or EDITOR, such as EDITOR=nano. With sudo, add --preserve-env=VISUAL,EDITOR.',
  })
}

/**
 * Runs an editor's command on a file until it ends: null, or what went wrong. It alone handles Ctrl-C then. Throws a
 * `Refusal` at SIGTERM, which leaves the editor open.
 */
export const editorOn =
  (program: Pick<NodeJS.Process, 'on' | 'off' | 'stdout'>, env: Environment) =>
  async (command: string, path: string): Promise<string | null> => {
    const terminated = Promise.withResolvers<never>()
    const ignore = () => {}
    const terminate = () => terminated.reject(new Refusal('SIGTERM ended this command.'))
    program.on('SIGINT', ignore).on('SIGTERM', terminate)
    try {
      const child = Bun.spawn(['/bin/sh', '-c', `${command} "$@"`, command, path], {
        stdin: 'inherit',
        // Without a terminal, standard output is for the result.
        stdout: program.stdout.isTTY ? 'inherit' : 2,
        stderr: 'inherit',
        env,
      })
      const status = await Promise.race([child.exited, terminated.promise]).finally(() => child.unref())
      return status === 0 ? null : `The editor (${command}) exited with status ${status}.`
    } finally {
      program.off('SIGINT', ignore).off('SIGTERM', terminate)
    }
  }
