/** The most entries of a header that are read. */
const MAX_ENTRIES = 16

/** Names in a header such as `Accept`, with weights from 0 to 1: 0 for one that cannot be read. */
export const weightsIn = (header: string): ReadonlyMap<string, number> =>
  new Map(header.toLowerCase().split(',', MAX_ENTRIES).map(weightOf))

function weightOf(entry: string): [name: string, weight: number] {
  const [name = '', ...parameters] = entry.split(';').map((part) => part.trim())
  const weight = parameters.find((each) => each.startsWith('q='))?.slice(2)
  if (weight === undefined) return [name, 1]
  return [name, /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(weight) ? Number(weight) : 0]
}
