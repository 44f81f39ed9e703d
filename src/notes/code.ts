/** The text with blanks in the place of its code, line for line. */
export const outsideCode = (text: string): string =>
  MAYBE_CODE.test(text) ? parser().withoutCode(text) : text

const MAYBE_CODE = /[`\t]|~~~| {4}/

/** Loaded when first needed: most texts need none, and it takes a tenth of the start. */
export const parser = () => require('./in-place.ts') as typeof import('./in-place.ts')
