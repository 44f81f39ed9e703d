/** Red, green and blue, from 0 to 255. */
type Rgb = readonly [number, number, number]

export const LIGHT_GROUND = '#ffffff'
export const DARK_GROUND = '#0f1115'

/** More than WCAG AA, because text may be on a tinted ground. On a dark one the same contrast looks dimmer. */
const CONTRAST = { light: 5.2, dark: 7.5 }

/** The brand color, mixed with black or white until it is readable on the background. */
export const readableOn = (color: string, ground: string): string => {
  const isLight = luminance(rgbOf(ground)) > 0.5
  const target: Rgb = isLight ? [0, 0, 0] : [255, 255, 255]
  const least = isLight ? CONTRAST.light : CONTRAST.dark
  for (let share = 0; share < 1; share += 0.02) {
    const mixed = mix(rgbOf(color), target, share)
    if (contrast(mixed, rgbOf(ground)) >= least) return hexOf(mixed)
  }
  return hexOf(target)
}

/** By WCAG, from 1 to 21. */
function contrast(one: Rgb, other: Rgb): number {
  const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b) as [number, number]
  return (light + 0.05) / (dark + 0.05)
}

function luminance(color: Rgb): number {
  const [red, green, blue] = color.map((value) => {
    const share = value / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  }) as unknown as Rgb
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** A ground for text in the color. */
export const tinted = (color: string, ground: string): string => hexOf(mix(rgbOf(color), rgbOf(ground), 0.91))

const mix = (one: Rgb, other: Rgb, share: number): Rgb =>
  one.map((value, at) => Math.round(value + ((other[at] as number) - value) * share)) as unknown as Rgb

const rgbOf = (hex: string): Rgb =>
  [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)) as unknown as Rgb

const hexOf = (color: Rgb): string => `#${color.map((value) => value.toString(16).padStart(2, '0')).join('')}`
