import { plural } from './plural.ts'
/** `812 bytes`, `1.2 MB`, `34 GB`. */
export function size(bytes: number): string {
  if (bytes < 1_000) return plural(bytes, 'byte')
  const units = ['kB', 'MB', 'GB', 'TB', 'PB']
  const power = Math.min(Math.floor(Math.log10(bytes) / 3), units.length)
  const amount = bytes / 1_000 ** power
  return `${amount.toFixed(amount < 10 ? 1 : 0)} ${units[power - 1]}`
}
