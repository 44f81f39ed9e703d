/** The samples of a text in the format of Prometheus, by name and labels as they are written. */
export function samplesOf(text: string): Map<string, number> {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return new Map(
    lines.map((line) => {
      const end = line.lastIndexOf(' ')
      return [line.slice(0, end), Number(line.slice(end + 1))]
    }),
  )
}

/** The sum of the samples of a name, whatever their labels. */
export const sumOf = (samples: Map<string, number>, name: string): number =>
  [...samples].reduce((sum, [key, value]) => (key.split('{', 1)[0] === name ? sum + value : sum), 0)
