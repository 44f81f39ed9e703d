/** Only `y` or `yes` on the next line is a yes. */
export const promptOn =
  (input: AsyncIterable<string>, write: (text: string) => Promise<void>) =>
  async (question: string): Promise<boolean> => {
    await write(`${question} [y/N] `)
    for await (const line of input) return /^y(es)?$/i.test(line.trim())
    return false
  }
