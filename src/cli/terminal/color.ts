import type { Context } from '../context.ts'

export type Paint = ReturnType<typeof paintFor>

/** Without color, each returns its text unchanged. */
export function paintFor(context: Context) {
  const style = (on: number, off: number) => (text: string) =>
    hasColor(context) ? `\x1b[${on}m${text}\x1b[${off}m` : text
  return {
    bold: style(1, 22),
    dim: style(2, 22),
    green: style(32, 39),
    yellow: style(33, 39),
    red: style(31, 39),
  }
}

/** True on a terminal, unless `NO_COLOR` is set. */
export const hasColor = (context: Context): boolean =>
  context.terminal.output && !context.env.NO_COLOR && context.env.TERM !== 'dumb'
