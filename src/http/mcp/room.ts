import { Type } from '@sinclair/typebox'

/** About 2,000 tokens. */
const DEFAULT_LENGTH = 6_000
const LEAST_LENGTH = 1_000
const MOST_LENGTH = 100_000

export const maxLength = Type.Optional(
  Type.Integer({
    minimum: LEAST_LENGTH,
    maximum: MOST_LENGTH,
    default: DEFAULT_LENGTH,
    description: `Maximum length of the response in characters, ${DEFAULT_LENGTH} by default. Longer texts are cut and changes omitted.`,
  }),
)

export const lengthOf = ({ maxLength = DEFAULT_LENGTH }: { maxLength?: number }): number => maxLength

/** The length left after what is begun. */
export function roomOf(length: number, begun: object) {
  let left = length - JSON.stringify(begun).length
  return {
    left: () => left,
    take: (part: object): boolean => {
      const size = JSON.stringify(part).length + 1
      if (size > left) return false
      left -= size
      return true
    },
  }
}
